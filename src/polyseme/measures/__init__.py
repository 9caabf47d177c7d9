"""Measures by family: detection, ranking and perception of graded senses, clusterings, and lexical substitution."""
