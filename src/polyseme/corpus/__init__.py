"""From raw text to tokens: analysers, and the words, sentences and languages that they are made of."""
