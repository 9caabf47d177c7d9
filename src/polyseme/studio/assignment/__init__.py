"""The assignment of pages to annotators, and their order."""
