"""Effort: stretches of measured work as intervals, and durations in groups."""
