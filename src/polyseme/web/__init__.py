"""What the web applications share: the look of pages, and what holds for every request and answer."""
