"""Shared by the web applications and reports: templates and styles, error pages, and limits on requests."""
