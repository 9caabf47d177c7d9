"""Usages as vectors: what clusterers work on."""
