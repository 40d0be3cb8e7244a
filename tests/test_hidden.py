"""Every way out of a game, for every seat: what is hidden changes none (R2.2, R3.1, R3.2).

Those that need agents, windows or a server are tested in their rooms.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import gonzaga_env
from gonzaga_env import text
from gonzaga_env.core import Game, GameConfig, Rules
from gonzaga_env.core.spec import SPEC
from gonzaga_env.core.view import log_lines
from gonzaga_env.kernel.errors import ActionError, IllegalActionError
from gonzaga_env.render.draw import draw_text
from tests.marks import some_nightly
from tests.twins import History, random_history, twin_of

#: The deal; every number of sealed plans and of placements; early, in the middle and late.
STEPS = {p: [*range(2 * p + 1), *range(10 * p, 12 * p), 15 * p - 1] for p in (2, 3, 4)}
CASES = [(p, steps) for p, numbers in STEPS.items() for steps in numbers]
FORMS = ("observation", "mask", "infos", "view", "lines", "text", "svg", "pixels", "errors")


def ways_out(history: History, seat: int) -> Iterator[tuple[str, Any]]:
    """Yields all that a seat can get hold of, with its name in `FORMS`."""
    game, engine = history.game(), history.engine()
    yield "observation", game.observation(seat).tolist()
    yield "observation", engine.observe(seat).tolist()
    for other in range(game.num_players):  # scores of all are public
        yield (
            "infos",
            {k: np.asarray(v).tolist() for k, v in SPEC.infos.of_seat(game, other).items()},
        )
        found = SPEC.infos.of_rows(engine, np.array([other]))
        yield "infos", {name: values.tolist() for name, values in found.items()}
    yield "text", (repr(game), repr(engine), repr(engine.state))
    for viewer in (seat, "public"):
        view = game.view(viewer)
        yield "view", view
        yield "view", engine.view(0, viewer)
        if history.actions:
            yield "lines", log_lines(history.game(-1).view(viewer), view)
        yield "text", draw_text(game.edition, view)
        yield "text", draw_text(game.edition, view, color=True, coordinates=True)
        yield "text", text.view_text(view)
        yield "text", text.view_json(view)
        for theme in ("light", "dark"):
            yield "svg", gonzaga_env.draw(game, viewer=viewer, theme=theme).svg
    yield "pixels", gonzaga_env.draw(game, viewer=seat).to_array(200).tobytes()
    if game.seat == seat:
        yield "mask", game.mask().tolist()
        yield "mask", engine.legal_action_mask().tolist()
        yield "errors", list(refusals(game))


def refusals(game: Game) -> Iterator[str]:
    """Yields what the engine answers to illegal actions."""
    illegal = np.flatnonzero(game.mask() == 0)
    for action in illegal[:: max(1, len(illegal) // 40)].tolist():
        with pytest.raises(IllegalActionError) as caught:
            game.play(action)
        yield str(caught.value)
        with suppress(ActionError):  # the second ring is off the map: there is no such text
            said = text.action_text(game, action)
            with pytest.raises(ActionError) as refused:
                text.parse_action(game, said)
            yield str(refused.value)


@pytest.mark.parametrize(
    ("num_players", "steps"), some_nightly(CASES, often=lambda case: case[1] % 4 == case[0] % 4)
)
def test_what_is_hidden_changes_nothing_that_a_seat_gets(num_players: int, steps: int) -> None:
    league = ("each_player", "first_only")[steps % 2]
    config, rng = GameConfig(num_players, rules=Rules(league)), np.random.default_rng(steps)
    history, seen = random_history(config, 100 + steps, steps), set()
    for seat in range(num_players):
        twin = twin_of(history, seat, rng)
        assert (twin.game().state.objective != history.game().state.objective).sum() > 0
        for (form, mine), (_, other) in zip(
            ways_out(history, seat), ways_out(twin, seat), strict=True
        ):
            assert mine == other, (form, seat)
            seen.add(form)
    assert seen == {*FORMS} - ({"lines"} if not steps else set())


@pytest.mark.parametrize(("num_players", "steps"), [(2, 0), (2, 3), (4, 0), (4, 3)])
def test_a_spectator_sees_the_difference(num_players: int, steps: int) -> None:
    """The twins differ in what is drawn and told, so that equal pictures mean something."""
    history = random_history(GameConfig(num_players), 1, steps)
    twin = twin_of(history, 0, np.random.default_rng(0))
    pictures = [gonzaga_env.draw(it.game(), viewer="spectator").svg for it in (history, twin)]
    assert pictures[0] != pictures[1]
    assert history.game().view() != twin.game().view()
    assert (history.game().observation(1) != twin.game().observation(1)).any()


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_the_public_cannot_tell_twins_of_all_seats_apart(num_players: int) -> None:
    rng = np.random.default_rng(0)
    for steps in STEPS[num_players]:
        history = random_history(GameConfig(num_players), 7 + steps, steps)
        twin = twin_of(history, None, rng)
        assert history.game().view("public") == twin.game().view("public")
