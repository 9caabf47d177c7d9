"""From the ratings of annotators to a gold standard: here, and only here, ratings become weights."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
