"""Senses induced from text: models, and the parts that they are made of."""
