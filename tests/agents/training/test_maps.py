"""Training on a set of maps."""

from dataclasses import replace

import numpy as np
import pytest
from gonzaga_agents.commands.train import TrainOptions, _check, setup_of
from gonzaga_agents.network.gonzaga import GonzagaReader
from gonzaga_agents.training import self_play
from gonzaga_agents.training.self_play import MapGames, RolloutRequest, new_policy, weights_of

from gonzaga_env.core.editions.generating import frozen_set
from gonzaga_env.kernel.errors import OptionError

TOY = TrainOptions(
    players=2, num_games=8, width=8, device="cpu", opponents="past", edition="generated:train"
)


def test_maps_share_a_batch_and_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(self_play, "MAPS_AT_ONCE", 2)
    setup = setup_of(TOY)
    assert setup.maps == frozen_set("train")
    assert setup.config.edition.label == setup.maps[0]
    games = MapGames(replace(setup, maps=("europe", "generated:perturb-0")), 3, [])
    policy = new_policy(setup, GonzagaReader(setup.config))
    first = [part.play.engine.config.edition for part in games._parts]
    games.load(RolloutRequest(weights_of(policy), remember=5))
    rollout = games.collect()
    assert len(rollout.experience) > 8 * 2 * 6  # each game and seat decides eight times, at first
    assert np.isfinite(rollout.experience.advantages).all()
    second = [part.play.engine.config.edition for part in games._parts]
    assert second[0] == first[1]
    assert [past.turns for past in games._past] == [5]
    assert len(games._parts[-1].league.members) == len(games._parts[0].league.members) == 1
    assert all(part.play.engine.num_games == 4 for part in games._parts)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"prior": "geometry"}, "prior is geometry, whose network knows one map"),
        ({"imitate": 5}, "imitate is given with generated:train, a set of maps"),
        ({"scenario": "Colombo"}, "scenario is given with generated:train"),
        ({"num_games": 12}, "num_games is 12; 8 maps share them equally"),
    ],
)
def test_options_that_sets_do_not_take_are_refused(
    changes: dict[str, object], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        _check(replace(TOY, **changes))  # type: ignore[arg-type]
