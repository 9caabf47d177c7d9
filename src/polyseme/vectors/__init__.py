"""Vectors of usages: bags of words, co-occurrence, topics, substitutes, encoders, and combinations of these."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
