"""What gold is written as beside Proofgrid's own files: one module for each tool or format."""
