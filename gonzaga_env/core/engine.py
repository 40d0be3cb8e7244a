"""N games at once: the one engine under every environment of this package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.core import bits
from gonzaga_env.core.arguments import (
    Indices,
    as_actions,
    as_rows,
    as_seats,
    check_options,
    check_out,
)
from gonzaga_env.core.deals import Deal, check_deal, draw_deals, fitting_scenarios, game_seeds
from gonzaga_env.core.edition import Edition
from gonzaga_env.core.edition_files import load_edition
from gonzaga_env.core.errors import StateError
from gonzaga_env.core.explain import explain_illegal
from gonzaga_env.core.known import Known
from gonzaga_env.core.notation import ActionCodec
from gonzaga_env.core.observation import FeatureTable
from gonzaga_env.core.resample import resample
from gonzaga_env.core.rewards import Reward, step_rewards
from gonzaga_env.core.rows import Rows, where
from gonzaga_env.core.rules import Rules
from gonzaga_env.core.state import PLACE, State, empty_state
from gonzaga_env.core.tables import tables_for
from gonzaga_env.core.transitions import apply_placements, apply_plans


@dataclass(frozen=True)
class StepResult:
    """What one step brought to the M games that were played on (all N, where none were named).

    Attributes:
        seats: the seat that acted, [M] int64; -1 where the game was over before.
        points: points that the action scored at once, [M] int64.
        rewards: of every seat, [M, P] float32, of the kind that the engine was made with.
        finished: which of the games ended now, [M] bool.
        final: those games as they ended, before any autoreset, in their order.
    """

    seats: NDArray[np.int64]
    points: NDArray[np.int64]
    rewards: NDArray[np.float32]
    finished: NDArray[np.bool_]
    final: State


class Engine:
    """N games of Gonzaga in lockstep.

    Every game takes P sealed plans and then P placements a round, so games that are stepped
    together stay in the same phase. They need not be: any subset of rows may be played on, and a
    state may hold games of any phase. Game i depends on its own seed only, never on its batch
    mates.

    Rewards: "outcome" is zero-sum at the end of a game, +1 for a sole winner and -1 / (P - 1) for
    the others (`rewards.outcome` tells of shared victories); "score" is a player's own points as
    they come; "margin" those less the mean of the others'.

    Wherever `rows` are taken, they are distinct indices of games [M], and None stands for all.

    Who looks at games again and again (`observe`) makes the engine keep the views of all seats:
    P * D bytes a game, 14 kB with four players, beside 4 kB without.

    Attributes:
        num_games: N.
        num_players: P.
        rules: the options.
        reward: kind of reward.
        autoreset: whether a game that ends is dealt anew at once (its `episode` goes up by one).
            Without, a game that is over waits: its seat is -1, its mask empty, its action ignored.
        tables: the edition's tables; `tables.edition` is the edition.
        features: the layout of the observations.
    """

    def __init__(
        self,
        num_games: int = 1,
        num_players: int = 4,
        scenario: str | None = None,
        edition: str | Path | Edition = "europe",
        rules: Rules = Rules(),
        seed: int | Sequence[int] | Indices = 0,
        autoreset: bool = True,
        reward: Reward = "outcome",
    ) -> None:
        """Deals N games.

        Args:
            num_games: N, 1 or more.
            num_players: P, 2 to 4 (R1.1).
            scenario: a scenario's name; None draws one for P players in every game (R2.1).
            edition: a shipped edition's name, a folder, or an edition.
            rules: the options.
            seed: one number, from which game i has `seed + i`, or one number a game.
            autoreset: deal a game anew when it ends.
            reward: "outcome", "score" or "margin".

        Raises:
            OptionError: an argument has a value that it does not take.
            EditionError: the edition can't be found or has faults.
        """
        check_options(num_games, num_players, rules, reward)
        loaded = edition if isinstance(edition, Edition) else load_edition(edition)
        self.num_games, self.num_players = int(num_games), int(num_players)
        self.rules, self.reward, self.autoreset = rules, reward, autoreset
        self.tables = tables_for(loaded)
        self.features = FeatureTable(len(loaded.grid), num_players)
        self._scenarios = fitting_scenarios(loaded, num_players, scenario)
        self._start(game_seeds(seed, num_games))

    def _start(self, seeds: NDArray[np.uint64]) -> None:
        self._make_fresh()
        self.state = empty_state(self.tables, self.num_games, self.num_players)
        self.reset(seeds)

    def _make_fresh(self) -> None:
        self._fresh = empty_state(self.tables, 1, self.num_players)
        self._no_games = self._fresh.take(slice(0))

    @property
    def state(self) -> State:
        """The struct of arrays, live: `state.copy()` keeps a moment, assigning goes back to it.

        A state that is assigned is copied. Who edits an array in place assigns the state again, so
        that legality and observations are worked out anew.

        Raises:
            StateError: on assigning a state of another number of players or another map.
        """
        return self._state

    @state.setter
    def state(self, state: State) -> None:
        if not state.fits(empty_state(self.tables, state.num_games, self.num_players)):
            raise StateError(
                f"no state of {self.num_players} players on {self.tables.num_hexes} hexes"
            )
        self._state, self.num_games = state.copy(), state.num_games
        self._known = Known(self.tables, self.features, self._state)

    def reset(
        self,
        seed: int | Sequence[int] | Indices | None = None,
        deal: Deal | None = None,
        rows: Indices | None = None,
    ) -> None:
        """Deals games anew.

        Args:
            seed: as in the constructor; None goes on to each game's next episode.
            deal: deals to play instead of drawn ones, one a game.
            rows: the games to deal; seeds and deals are theirs.

        Raises:
            OptionError: seeds or deals that are none, or not one a game; rows that are no games.
        """
        chosen, state = self._rows(rows), self._state
        if seed is None:
            seeds = state.seed[chosen.index]
            episodes = state.episode[chosen.index] + np.uint32(1)
        else:
            seeds = game_seeds(seed, len(chosen))
            episodes = np.zeros(len(chosen), dtype=np.uint32)
        if deal is None:
            deal = draw_deals(self.tables, self.num_players, self._scenarios, seeds, episodes)
        else:
            check_deal(self.tables, deal, len(chosen), self.num_players)
        pick = chosen.pick
        state.put(pick, self._fresh)
        state.seed[pick], state.episode[pick] = seeds, episodes
        state.scenario[pick], state.deck[pick] = deal.scenario, deal.decks
        state.objective[pick] = deal.objectives
        self._known.dealt(chosen)

    @property
    def actions(self) -> ActionCodec:
        """The codec of actions: sizes, blocks and texts."""
        return self.tables.actions

    @property
    def seats(self) -> NDArray[np.int64]:
        """The seat to act in each game, [N]; -1 where the game is over."""
        return self._known.turns(self._known.all).seats.copy()

    def _rows(self, rows: Indices | None) -> Rows:
        return self._known.all if rows is None else Rows.some(as_rows(rows, self.num_games))

    def num_legal(self, rows: Indices | None = None) -> NDArray[np.int64]:
        """Returns how many actions are legal, [M]."""
        return bits.count(self._known.turns(self._rows(rows)).legal)

    def legal_action_mask(
        self, rows: Indices | None = None, out: NDArray[np.bool_] | None = None
    ) -> NDArray[np.bool_]:
        """Returns which actions are legal for the seats to act, [M, A] (True: legal).

        Args:
            rows: the games asked for.
            out: written over and returned, where given; [M, A].

        Raises:
            OptionError: there is no such game, or `out` has another shape.
        """
        games = self._rows(rows)
        check_out(out, (len(games), self.actions.size))
        if out is None:
            out = np.empty((len(games), self.actions.size), dtype=np.bool_)
        turns = self._known.turns(games)
        self.tables.legal_sets.write_masks(turns.legal, turns.fiefs, out)
        return out

    def observe(
        self,
        seat: int | Indices | None = None,
        rows: Indices | None = None,
        out: NDArray[np.uint8] | None = None,
    ) -> NDArray[np.uint8]:
        """Returns what one seat of each game knows, [M, D] uint8 (`features` tells the layout).

        Args:
            seat: one seat, or one a game [M]; None for the seats to act (zeros where it is over).
            rows: the games asked for.
            out: written over and returned, where given; [M, D].

        Raises:
            OptionError: there is no such seat or game, or `out` has another shape.
        """
        games = self._rows(rows)
        check_out(out, (len(games), self.features.size))
        if seat is None:
            seats = self._known.turns(games).seats
        else:
            seats = as_seats(seat, len(games), self.num_players)
        return self._known.observe(games, seats, out)

    def sample_legal(
        self, rng: np.random.Generator, rows: Indices | None = None
    ) -> NDArray[np.int64]:
        """Returns a uniformly random legal action of each game, [M]; 0 where the game is over."""
        turns = self._known.turns(self._rows(rows))
        return self.tables.legal_sets.sample(turns.legal, turns.fiefs, rng)

    def is_legal(
        self, actions: Indices | Sequence[int], rows: Indices | None = None
    ) -> NDArray[np.bool_]:
        """Returns whether one action in each game is legal, [M]; False where the game is over.

        Raises:
            ActionError: wrong shape or dtype, or an index outside the space.
        """
        games = self._rows(rows)
        over = self._state.finished[games.pick]
        return self._are_legal(as_actions(actions, games.index, over, self.actions.size), games)

    def _are_legal(self, actions: NDArray[np.int64], rows: Rows) -> NDArray[np.bool_]:
        turns = self._known.turns(rows)
        return self.tables.legal_sets.contain(turns.legal, turns.fiefs, actions)

    def step(self, actions: Indices | Sequence[int], rows: Indices | None = None) -> StepResult:
        """Plays one action in each game.

        Args:
            actions: [M], index in the action space, `actions[i]` for game `rows[i]`; ignored where
                a game is over.
            rows: the games to play on.

        Returns:
            What the step brought. `legal_action_mask` and `observe` speak of the next seats.

        Raises:
            OptionError: rows that are no distinct games.
            ActionError: wrong shape or dtype, or an index outside the space.
            IllegalActionError: an action that the rules forbid; no game has moved.
        """
        games, state = self._rows(rows), self._state
        over = state.finished[games.pick].copy()  # the array itself is written below
        chosen = as_actions(actions, games.index, over, self.actions.size)
        for at in (~self._are_legal(chosen, games) & ~over).nonzero()[0]:  # the first is enough
            raise explain_illegal(self.tables, state, int(games.index[at]), int(chosen[at]))
        seats = self._known.turns(games).seats.copy()
        points = np.zeros(len(games), dtype=np.int64)
        placing = state.phase[games.pick] == PLACE
        plans, places = where(~placing & ~over), where(placing & ~over)
        self._plan(games[plans], seats[plans], chosen[plans])
        points[places] = self._place(games[places], seats[places], chosen[places])
        finished = state.finished[games.pick] & ~over
        ended = finished.nonzero()[0]
        final = state.take(games.index[ended]) if len(ended) else self._no_games
        rewards = step_rewards(self.reward, self.tables, seats, points, ended, final)
        if self.autoreset and len(ended):
            self.reset(rows=games.index[ended])
        return StepResult(seats, points, rewards, finished, final)

    def _plan(self, rows: Rows, seats: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        if len(rows):
            self._known.planned(rows, seats, apply_plans(self._state, rows, seats, actions))

    def _place(
        self, rows: Rows, seats: NDArray[np.int64], actions: NDArray[np.int64]
    ) -> NDArray[np.int64] | int:
        """Returns the points that were scored."""
        if not len(rows):
            return 0
        placed = apply_placements(self.tables, self.rules, self._state, rows, seats, actions)
        self._known.placed(placed)
        return placed.points

    def resample(self, seat: int | Indices, rng: np.random.Generator) -> State:
        """Returns states equal in all that a seat knows, the rest dealt anew.

        Args:
            seat: one seat, or one a game [N].
            rng: where chance comes from.

        Raises:
            OptionError: there is no such seat.
        """
        seats = as_seats(seat, self.num_games, self.num_players)
        return resample(self.tables, self._state, seats, rng)

    def copy(self) -> Engine:
        """Returns an engine that goes on from here by itself; the tables are shared."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.state = self._state
        return twin

    def __copy__(self) -> Engine:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Engine:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        # What an edition's content or the state rebuilds stays out of pickles.
        rebuilt = dict.fromkeys(("_known", "_fresh", "_no_games"))
        return self.__dict__ | {"tables": self.tables.edition} | rebuilt

    def __setstate__(self, own: dict[str, Any]) -> None:
        self.__dict__.update(own | {"tables": tables_for(own["tables"])})
        self._know_again()

    def _know_again(self) -> None:
        """Makes what is not in pickles."""
        self._make_fresh()
        self._known = Known(self.tables, self.features, self._state)
