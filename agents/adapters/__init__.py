"""Adapters to what trains language models: each library's way to ask, on one `Episode`.

| module | library |
|---|---|
| `verifiers` | verifiers 0.4: a taskset, an environment and a rubric |
| `openenv` | OpenEnv 0.10: a server and its client |
| `textarena` | TextArena 0.7: registered environments |
"""
