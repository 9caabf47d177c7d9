"""polyseme: graded word senses, from ratings and induction to mapping and scoring.

Names are loaded when they are first used; ``__init__.pyi`` lists them with their modules.
"""

import lazy_loader

__version__ = "0.6.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
