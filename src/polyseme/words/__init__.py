"""Word reports: the senses that a model gives one word, their shares, their change over time, and their certainty."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
