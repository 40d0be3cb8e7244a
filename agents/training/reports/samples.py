"""Sample games of a policy, to watch how its play changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gonzaga_env.games import game_spec
from gonzaga_env.tabletop.agent import Agent, agent_name
from gonzaga_env.tabletop.records.files import write_records
from gonzaga_env.tabletop.spec import Config

from ...units.games import play_out

_SEED = 0  # always the same deals, so that samples can be compared


def write_samples(path: Path, config: Config, agent: Agent, num_games: int) -> None:
    """Writes records of games in which an agent has all seats.

    Args:
        path: the file; its folder is made.
        config: what is played.
        agent: who plays; no random number of anyone else is drawn.
        num_games: games, with seeds 0, 1, ...

    Raises:
        AgentError: the agent plays an invalid action.
        OSError: the file cannot be written.
    """
    spec = game_spec(config.game)
    if spec.recorder is None:
        return
    engine = spec.engine.from_config(config, num_games, seed=_SEED, autoreset=False)
    recorder = spec.recorder(engine, [agent_name(agent)] * config.num_players)
    seating = np.zeros((num_games, config.num_players), dtype=np.int64)
    play_out(engine, [agent], seating, [np.random.default_rng(_SEED)], recorder.step)
    path.parent.mkdir(exist_ok=True)
    records = sorted(recorder.pop(), key=lambda record: int(record["seed"]))
    write_records(path, records)
