"""States from observations: the inverse of `observe`, with what is hidden drawn at random.

A searching agent needs nothing but its observation: it draws states that agree with it, and
continues from these. What an observation leaves open without being hidden (the order of fiefs
already spent, which ring came first) has no influence on the rest of the game.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core import constants as c
from gonzaga_env.core.board import bits
from gonzaga_env.core.board.actions import NO_PLAN
from gonzaga_env.core.board.tables import Tables
from gonzaga_env.core.config import GameConfig
from gonzaga_env.core.constants import NUM_FIEFS
from gonzaga_env.core.state import (
    PLACE,
    PLAN,
    SOURCES,
    State,
    legal_plans,
    state_layout,
    write_derived,
)
from gonzaga_env.kernel.engine import resampled
from gonzaga_env.kernel.errors import StateError
from gonzaga_env.kernel.state import Origin


def draw_hidden(
    tables: Tables, games: State, seats: NDArray[np.int64], rng: np.random.Generator
) -> None:
    """Draws in place what one seat of each unfinished game does not know, but for the seed.

    Drawn uniformly among the deals that agree with what the seat knows: the other seats'
    objectives, the order of the fiefs left in all decks, and the other seats' sealed plans (any
    legal plan).
    """
    _deal_objectives(tables, games, seats, rng)
    _shuffle_decks(games, tables.edition.size.fiefs, rng)
    _seal_plans(tables, games, seats, rng)


def _deal_objectives(
    tables: Tables, games: State, seats: NDArray[np.int64], rng: np.random.Generator
) -> None:
    """Deals the other seats objectives that are not the own one (R2.2)."""
    num_games, num_players = games.objective.shape
    rows = np.arange(num_games)
    own = games.objective[rows, seats]
    keys = rng.random((num_games, len(tables.objective_bits)))
    keys[rows, own] = 2.0  # last, so that the others come first
    games.objective[:] = keys.argsort(axis=1)[:, :num_players]
    # Where there are only as many as players, the own one was drawn, too.
    (again,) = (games.objective[:, -1] == own).nonzero()
    games.objective[again, -1] = games.objective[again, seats[again]]
    games.objective[rows, seats] = own


def _shuffle_decks(games: State, num_fiefs: int, rng: np.random.Generator) -> None:
    """Shuffles the fiefs that have not been shown, behind those that have (R3.1)."""
    keys = rng.random(games.deck.shape)
    shown = np.arange(NUM_FIEFS) < games.round[:, None, None]
    keys = np.where(shown, np.arange(NUM_FIEFS) - NUM_FIEFS, keys)
    keys[..., num_fiefs:] = np.arange(num_fiefs, NUM_FIEFS)  # not played: they stay last
    games.deck[:] = np.take_along_axis(games.deck, keys.argsort(axis=2), axis=2)


def _seal_plans(
    tables: Tables, games: State, seats: NDArray[np.int64], rng: np.random.Generator
) -> None:
    """Draws others' sealed plans among those that their cards and rings allow (R3.2 to R3.4)."""
    sealed = (games.phase == PLAN)[:, None] & (games.plan != NO_PLAN)
    sealed[np.arange(len(seats)), seats] = False
    row, seat = np.nonzero(sealed)
    legal = legal_plans(tables, games, row, seat)[:, None]
    games.plan[row, seat] = bits.draw(legal, rng)


def _read(
    config: GameConfig, tables: Tables, observations: NDArray[np.uint8]
) -> tuple[State, NDArray[np.int64]]:
    """Returns the observed states and the observing seats; hidden plans are placeholders."""
    seen = _Seen(config, tables, observations)
    seen.read_cards()
    seen.read_map()
    return seen.state, seen.seats


class _Seen:
    """M observations and the state that is read from them; what is hidden is not drawn yet."""

    def __init__(self, config: GameConfig, tables: Tables, observations: NDArray[np.uint8]) -> None:
        self._config, self._tables = config, tables
        features = config.features
        features.check_shape(observations)
        self._views = features.views(observations)
        self._refuse("shows a finished game, which cannot continue", self._views["finished"] == 1)
        unknown = self._views["seat"].sum(axis=1) != 1
        self._refuse("shows no seat, as those of finished games do", unknown)
        size = self._tables.edition.size
        for name, low, high in (("round", 1, size.rounds), ("phase", PLAN, PLACE)):
            values = self._views[name]
            self._refuse(f"has an impossible {name}", (values < low) | (values > high))
        acted = self._views["num_acted"] >= config.num_players
        self._refuse("has an impossible num_acted", acted)
        rings = self._views["rings"].sum(axis=2, dtype=np.int64)
        self._refuse(f"shows more than {size.rings} rings of a player", rings > size.rings)
        self.seats = self._views["seat"].argmax(axis=1)
        layout = state_layout(self._tables, config.num_players)
        self.state = State.empty(layout, len(observations), Origin.of(config))

    @staticmethod
    def _refuse(what: str, bad: NDArray[np.bool_]) -> None:
        """Raises StateError if any observation is bad, [M, ...]."""
        if bad.any():
            game = int(bad.reshape(len(bad), -1).any(axis=1).argmax())
            raise StateError(f"observation {game} {what}")

    def _by_seat(self, name: str) -> NDArray[np.uint8]:
        """Returns a feature [M, P, ...] from seat 0 on; observations list the observer first."""
        values = self._views[name]
        players = np.arange(values.shape[1])
        relative = (players - self.seats[:, None]) % len(players)
        return values[np.arange(len(values))[:, None], relative]

    def read_cards(self) -> None:
        """Reads everything that does not lie on the map."""
        state, tables = self.state, self._tables
        scenarios = self._config.scenarios()
        known, seen = tables.flourishing[scenarios], self._views["flourishing"]
        chosen = _match(seen, known, "no scenario of it has these flourishing regions")
        state.scenario[:] = scenarios[chosen]
        known, seen = tables.objective_symbols, self._views["symbols"]
        own = _match(seen, known, "no objective has these symbols")
        state.objective[np.arange(len(own)), self.seats] = own
        for name in ("round", "phase", "last_round", "num_acted"):
            getattr(state, name)[:] = self._views[name][:, 0]
        for name in ("ring_stock", "leagues"):
            getattr(state, name)[:] = self._by_seat(name)
        state.plan[:] = _plans(self._by_seat("plan"))
        state.previous_plan[:] = _plans(self._by_seat("previous_plan"))
        state.order[:] = self._by_seat("order").argsort(axis=1, kind="stable")
        # Spent fiefs come first, then this round's, then those to come (R3.1).
        when = self._by_seat("fief") + 2 * self._by_seat("deck")
        when[..., tables.edition.size.fiefs :] = 3  # those that are not played
        state.deck[:] = when.argsort(axis=2, kind="stable")
        # Other seats that have planned hold some plan; `draw_hidden` draws which (R3.2).
        planned = np.arange(self._config.num_players) < state.num_acted[:, None]
        state.plan[planned & (state.plan == NO_PLAN) & (state.phase == PLAN)[:, None]] = 0

    def read_map(self) -> None:
        """Reads pieces and scores, and derives what the state derives from them."""
        state = self.state
        fiefs, rings = self._by_seat("fiefs"), self._by_seat("rings")
        game, seat, cell = rings.nonzero()
        player = game * rings.shape[1] + seat
        slot = np.arange(len(player)) - np.searchsorted(player, player)
        state.ring_cells[game, seat, slot] = cell
        state.piece[:, :, :-1] = (fiefs > 0) * self._views["fief_number"][:, None]
        state.piece[game, seat, cell] = c.NUM_FIEFS + slot + 1
        write_derived(self._tables, state)
        # What is left of the points are those for donations.
        donations = self._by_seat("score") - state.totals
        state.scores[:, :, SOURCES.index("donations")] = donations


def _match(values: NDArray[np.uint8], known: NDArray[np.bool_], what: str) -> NDArray[np.int64]:
    """Returns which known row each row of values equals, [M]."""
    same = (values[:, None] == known).all(axis=2)
    if not same.any(axis=1).all():
        game = int((~same.any(axis=1)).argmax())
        raise StateError(f"observation {game} is of another game: {what}")
    return same.argmax(axis=1)


def _plans(cards: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Returns the plans [M, P] whose cards [M, P, 11] are shown; NO_PLAN where none is."""
    region, action = cards[..., : c.NUM_REGION_CARDS], cards[..., c.NUM_REGION_CARDS : -1]
    plan = (region.argmax(axis=2) * c.NUM_ACTION_CARDS + action.argmax(axis=2)) * 2 + cards[..., -1]
    return np.where(region.any(axis=2), plan, NO_PLAN).astype(np.uint8)


def states_from_observations(
    config: GameConfig,
    observations: NDArray[np.uint8],
    rng: np.random.Generator,
    num_samples: int = 1,
) -> State:
    """Returns states that agree with observations; what is hidden is drawn as in `resample`.

    Each state gives the observing seat the same observation and mask as the true game, and every
    legal sequence of actions from it scores the same points up to what was hidden. Numbers above
    255 are taken for 255.

    Args:
        config: what is played; what it leaves open is read from the observations.
        observations: [M, D], of any seats, of games that are not over.
        rng: source of randomness.
        num_samples: K, states drawn for each observation.

    Returns:
        A state of M * K games; those of observation i are rows i * K to i * K + K - 1.

    Raises:
        OptionError: K is less than 1, or the observations have another shape or dtype.
        StateError: an observation of a finished game, or of another edition.
    """
    tables = config.tables
    state, seats = _read(config, tables, observations)
    return resampled(state, seats, rng, num_samples, partial(draw_hidden, tables))
