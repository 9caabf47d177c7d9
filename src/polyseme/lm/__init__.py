"""Language models, and what they predict: substitutes for words, and vectors of words in context.

The models are those of Hugging Face, of onnxruntime (our own small one among them), and of n-grams.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
