"""Algorithms on graphs, each usable on any scipy matrix: clusterings, and cycles through edges."""
