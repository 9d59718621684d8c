"""Scores of a pair of tables as texts: published metrics, and those by row, cell and record."""
