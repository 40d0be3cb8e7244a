"""The tests. They are a package so that they can share modules."""
