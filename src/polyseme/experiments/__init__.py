"""Experiments: models on a corpus, labelled, mapped and scored, as a file describes them."""
