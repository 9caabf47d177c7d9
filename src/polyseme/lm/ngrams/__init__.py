"""N-gram language models: counting, smoothing, storing, and the most likely words in a gap."""
