"""The program `gonzaga VERB ...`, also as `python -m gonzaga_env VERB ...`.

Exit codes: 0 for success; 2 for wrong arguments, unusable files, or faults found; 130 for Ctrl-C;
141 where the reader of the output has gone.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import NamedTuple


class Verb(NamedTuple):
    """A verb of the program."""

    module: str  # has `main(arguments) -> int`; imported only when the verb is called
    about: str  # what it does
    extra: str | None = None  # what it takes beyond the plain install


VERBS = {
    "train": Verb("gonzaga_agents.commands.train", "train an agent in self-play", "train"),
    "evaluate": Verb("gonzaga_agents.commands.evaluate", "play agents against each other"),
    "tournament": Verb("gonzaga_agents.commands.tournament", "rate any number of agents"),
    "speedrun": Verb("gonzaga_agents.commands.speedrun", "time a training until it beats planner"),
    "bench": Verb("gonzaga_agents.commands.bench", "measure an agent on fixed tasks"),
    "play": Verb("gonzaga_table.web.command", "play at a table in the browser", "web"),
    "show": Verb("gonzaga_env.commands.show", "watch a recorded game"),
    "replay": Verb("gonzaga_env.commands.replay", "verify recorded games"),
    "stats": Verb("gonzaga_env.commands.stats", "sum up recorded games"),
    "analyse": Verb("gonzaga_agents.commands.analyse", "value the decisions of a recorded game"),
    "explain": Verb("gonzaga_agents.commands.explain", "show what a linear agent plays for"),
    "edition": Verb("gonzaga_env.commands.edition", "check, draw or generate an edition"),
    "data": Verb("gonzaga_agents.commands.data", "play games and keep them as data", "data"),
    "solve": Verb("gonzaga_agents.commands.solve", "solve small editions exactly"),
    "bot": Verb("gonzaga_agents.commands.bot", "check a bot in any language"),
    "mcp": Verb("gonzaga_agents.commands.mcp", "serve games to language models", "models"),
    "doctor": Verb("gonzaga_env.commands.doctor", "say what is installed and what is missing"),
}
_ABOUT = "Board games as reinforcement learning environments: train, evaluate, play, look."


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a verb and returns its exit code; None takes the words of `sys.argv[1:]`."""
    words = sys.argv[1:] if arguments is None else arguments
    name = " ".join(["gonzaga", *(word for word in words[:1] if word in VERBS)])
    # Threads that spin while they wait slow torch down fivefold where others use the cores too.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # read when torch is imported
    try:
        from gonzaga_env.command_line import run_command
    except KeyboardInterrupt:
        print(f"{name}: interrupted", file=sys.stderr)
        return 130
    extra = VERBS[words[0]].extra if words[:1] and words[0] in VERBS else None
    return run_command(name, lambda: _run(words), extra)


def _run(words: Sequence[str]) -> int:
    from gonzaga_env.command_line import choose_verb

    if [*words] == ["--version"]:
        from gonzaga_env.version import __version__

        print(f"gonzaga-env {__version__}")
        return 0
    verb = choose_verb(words, {name: verb.about for name, verb in VERBS.items()}, "gonzaga", _ABOUT)
    if verb is None:
        return 0
    command: Callable[[Sequence[str]], int] = import_module(VERBS[verb].module).main
    return command(words[1:])
