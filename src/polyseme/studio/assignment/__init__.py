"""Which annotator sees which page, and in which order."""
