"""What a model says of one word: its senses, their shares, their change, and how far all that can be relied upon."""
