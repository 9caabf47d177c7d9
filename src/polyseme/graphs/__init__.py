"""Algorithms on graphs, for any scipy matrix: clusterings, and cycles through edges."""
