"""Small editions solved: optimal strategies, and how exploitable agents are.

`tree`, `strategy` and `solution` are Gonzaga's, `signorie` is Signorie's.
"""
