"""Language models: one interface to those of Hugging Face and to those that onnxruntime runs, our own among them."""
