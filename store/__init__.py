"""Remembers: documents, extractions, gold and reviews in SQLite."""
