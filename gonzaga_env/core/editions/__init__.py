"""Edition data: the format of the files, reading and validation (R9)."""
