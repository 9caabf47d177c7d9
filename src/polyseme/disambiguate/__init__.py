"""Graded senses of a dictionary: what WordNet, its graph, its glosses and sense-tagged text say of a usage."""
