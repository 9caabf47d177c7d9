"""Clusters of row vectors: clusterers, the number of clusters, graded membership, and an embedding of pairs."""
