"""The sense explorer: a web application over an index, for one person on one machine."""
