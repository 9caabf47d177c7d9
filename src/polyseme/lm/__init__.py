"""Language models, and what they predict: substitutes for words, and vectors of words in context.

The models are those of Hugging Face, of onnxruntime (our own small one among them), and of n-grams.
"""
