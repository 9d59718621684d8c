"""Parts of screens that run in the browser."""
