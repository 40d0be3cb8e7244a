"""Analysis of recorded games, and puzzles that were cut from games.

| module | what it has |
|---|---|
| `analysis` | what an analysis holds: chances of winning by move, and what decisions were worth |
| `analyse` | analyses a recorded game, part by part |
| `report`, `command` | what games and agents lost, as text; `gonzaga analyse` |
| `puzzles`, `turns` | the puzzles that ship, and what the value of a choice is made of |
"""
