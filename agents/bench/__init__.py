"""gonzaga-bench: named tasks on frozen deals against a fixed field, so that results compare.

| module | what it has |
|---|---|
| `tasks` | the tasks: what is played, against whom, on which deals (`tasks.json`) |
| `pins` | digests of agents, by their files and by what they play |
| `tracks` | what an agent may use, and how that is checked |
| `play` | units of games, which any process may play |
| `row` | the file that a run writes: everything that repeats it |
| `results` | win shares, points, ratings and interquartile means, with intervals |
| `run`, `check`, `table` | the commands; docs/bench.md explains them |
"""
