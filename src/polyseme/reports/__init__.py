"""Tables and pages for people to read."""
