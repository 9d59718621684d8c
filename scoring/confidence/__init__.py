"""How far an extractor may be trusted: badges and doubts of cells, measures and thresholds of confidence."""
