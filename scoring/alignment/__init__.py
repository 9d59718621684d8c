"""Which gold row and column each predicted row and column stands for."""
