"""Word reports: the senses that a model gives one word, their shares, their change over time, and their certainty."""
