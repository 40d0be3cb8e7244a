"""Bots outside this process: programs in any language that speak JSON over their pipes.

docs/bots.md specifies the protocol. `cmd:./bot --flag` names such a bot wherever an agent is named.

| module | step |
|---|---|
| `spec` | what "cmd:..." names: the command and its limits |
| `process` | the process: its limits, and lines to and from it |
| `messages` | what the lines say |
| `agent` | the agent that asks a bot |
| `serve`, `check`, `command` | an agent as a bot, the conformance run, and the commands |
"""
