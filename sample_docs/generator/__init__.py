"""The makers of the sample documents: one module per document, and what they share."""
