"""Substitutes: the words that could stand in a gap, from n-gram models and from language models of Hugging Face."""
