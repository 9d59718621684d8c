"""One screen each; every module has show()."""
