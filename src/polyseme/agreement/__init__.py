"""How people agree, how they use a scale, and what their ratings say of a dictionary. (Erk, McCarthy & Gaylord 2013)"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
