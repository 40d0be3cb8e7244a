"""The network of Gonzaga: what it reads of a position, and its layers."""
