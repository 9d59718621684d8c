"""What the numbers of a table say about each other: checks, and the slips that explain a failing one."""
