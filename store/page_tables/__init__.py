"""Tables on one page with a text layer: regions, grids by several builders, and where two builders agree."""
