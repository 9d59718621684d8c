"""Shows: browser, terminal and routes."""
