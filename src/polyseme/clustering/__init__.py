"""Clusters of row vectors: clusterers, the number of clusters, graded membership, and an embedding of pairs."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
