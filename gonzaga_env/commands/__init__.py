"""Commands: a module for each verb of the program, with its options and `main`."""
