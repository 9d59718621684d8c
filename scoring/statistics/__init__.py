"""Intervals, comparisons, agreement and sample sizes, all by document."""
