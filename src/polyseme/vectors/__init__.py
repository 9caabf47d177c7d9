"""Vectors of usages: bags of words, co-occurrence, topics, substitutes, encoders, and combinations of these."""
