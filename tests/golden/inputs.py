"""The network's inputs of some decisions, kept so that no change of the reader goes unnoticed.

python -m tests.golden.inputs writes them anew; do so only together with `INPUTS_VERSION`.
"""

from pathlib import Path

import numpy as np
from gonzaga_agents.network.gonzaga import GonzagaInputs, GonzagaReader

from gonzaga_env.core import Engine, GameConfig, Rules
from gonzaga_env.core.state import PLACE

FILE = Path(__file__).with_name("inputs.npz")
CONFIGS = {2: GameConfig(2, rules=Rules("first_only", 3)), 3: GameConfig(3), 4: GameConfig(4)}


def read_inputs(num_players: int) -> GonzagaInputs:
    """Returns the inputs of decisions of all phases of some games, of several seats at once."""
    config = CONFIGS[num_players]
    engine, rng = Engine.from_config(config, 3, seed=4), np.random.default_rng(4)
    reader, parts = GonzagaReader(config), []
    for step in range(20 * num_players):
        placing = engine.state.phase[0] == PLACE
        if not placing and engine.state.num_acted[0] == 0 and step // num_players % 6 == 0:
            games, seats = np.divmod(np.arange(3 * num_players), num_players)
            parts.append(reader.read_engine(engine, games[1:], seats[1:]))
        elif placing and step % 5 == 0:
            games = np.array([0, 2])
            parts.append(reader.read_engine(engine, games, engine.seats[games]))
        engine.step(engine.sample_legal(rng))
    return GonzagaInputs.concatenate(parts)


def main() -> None:
    """Writes the file."""
    found = {
        f"{num_players}/{name}": array
        for num_players in CONFIGS
        for name, array in read_inputs(num_players).arrays().items()
    }
    np.savez_compressed(FILE, **found)


if __name__ == "__main__":
    main()
