"""The sense explorer: a small web application over an index, for one person on one machine."""
