"""Measures by family, the papers' protocols, and the comparison of systems."""
