"""Files of a machine with the other order of bytes are read as they are meant, or refused."""

import re
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from gonzaga_agents.arrays import read_arrays, save_arrays
from gonzaga_agents.network.learned import load_learned, policy_folder

from gonzaga_env.games import game_names, game_spec
from gonzaga_env.kernel.errors import StateError


def swap(path: Path, out: Path) -> Path:
    """Writes the arrays of a file in the other order of bytes."""
    arrays = read_arrays(path, 2**24)
    others = {name: array.astype(array.dtype.newbyteorder("S")) for name, array in arrays.items()}
    assert any(array.dtype.str != others[name].dtype.str for name, array in arrays.items())
    save_arrays(out, others)
    return out


def test_a_policy_is_read(tmp_path: Path) -> None:
    spec, folder = game_spec("tuscany"), policy_folder("tuscany")
    config = spec.config(num_players=3)
    swapped = swap(folder / "players_3.weights.npz", tmp_path / "players_3.weights.npz")
    about = (folder / "players_3.json").read_text()
    digest = f'"sha256": "{sha256(swapped.read_bytes()).hexdigest()}"'
    (tmp_path / "players_3.json").write_text(re.sub('"sha256": "[0-9a-f]+"', digest, about))
    engine = spec.engine.from_config(config, 4, seed=0)
    seen, mask = engine.observe(), engine.legal_action_mask()
    values = [load_learned(config, path).evaluate(seen, mask).values for path in (folder, tmp_path)]
    np.testing.assert_allclose(*values, rtol=1e-5)  # added up in another order


@pytest.mark.parametrize("game", game_names())
def test_a_state_is_refused(game: str) -> None:
    spec = game_spec(game)
    config = spec.config(num_players=2)
    state = spec.engine.from_config(config, 4, seed=0).state
    native, other = (f'"seed": ["{order}u8"'.encode() for order in "<>")
    content = state.to_bytes()
    assert native in content
    with pytest.raises(StateError, match="not a state: seed is '>u8'"):
        spec.engine.from_state(config, type(state).from_bytes(content.replace(native, other)))
