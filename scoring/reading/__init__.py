"""Tables and plain texts from HTML, Markdown and LaTeX."""
