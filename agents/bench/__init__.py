"""gonzaga-bench: named tasks on public deals against a fixed field, so that results compare.

| module | what it has |
|---|---|
| `tasks` | the tasks: what is played, against whom, and on which deals |
| `games` | plays a task's games, and plays recorded actions again by the rules |
| `row` | the file that a run writes, and what its games say |
| `command` | `bench run`, `check`, `table` and `tasks`; docs/bench.md explains them |
"""
