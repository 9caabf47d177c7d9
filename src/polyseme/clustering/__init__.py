"""Clusters of vectors: clusterers, how many clusters there are, graded membership, and an embedding of pairs."""
