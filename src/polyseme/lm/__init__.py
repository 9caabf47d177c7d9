"""Language models and what they are asked: words in place of others, and vectors of words in context.

Models of Hugging Face, of onnxruntime (our own small one among them) and of n-grams; substitutes from all of them.
"""
