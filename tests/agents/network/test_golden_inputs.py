"""What the network sees stays what it was, to the last bits of a sum."""

import numpy as np
import pytest

from tests.golden.inputs import CONFIGS, FILE, read_inputs


@pytest.mark.parametrize("num_players", CONFIGS)
def test_inputs_are_the_recorded_ones(num_players: int) -> None:
    found = read_inputs(num_players).arrays()
    with np.load(FILE) as kept:
        assert {name.partition("/")[2] for name in kept.files} == found.keys()
        for name, array in found.items():
            expected = kept[f"{num_players}/{name}"]
            assert array.dtype == expected.dtype, name
            # Matrix products add up in an order that differs between processors.
            np.testing.assert_allclose(array, expected, rtol=1e-5, atol=1e-6, err_msg=name)
