"""Studies: their files, their pages, and checks of both."""
