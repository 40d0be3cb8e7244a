"""Small editions solved: optimal strategies, and how exploitable agents are.

`tree`, `strategy`, `solution` and `exploit` are Gonzaga's, `signorie` is Signorie's.
"""
