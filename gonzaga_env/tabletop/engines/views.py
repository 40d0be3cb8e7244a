"""Who looks at a game: what the readers of all games' views have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from gonzaga_env.tabletop.arguments import is_integer
from gonzaga_env.tabletop.bounded import short_repr
from gonzaga_env.tabletop.config import BaseConfig
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.records.log import Viewer
from gonzaga_env.tabletop.state import StateArrays

StateT = TypeVar("StateT", bound=StateArrays)
ViewT = TypeVar("ViewT")


@dataclass(frozen=True)
class ViewReader(Generic[StateT, ViewT]):
    """One game, and who looks at it. Games derive their reader of views from it.

    Attributes:
        state: one game, [1].
        viewer: a seat, "public" or "spectator".
        names: the players' names, [P]; empty if there are none.
        config: what is played.
    """

    state: StateT
    viewer: Viewer
    names: tuple[str, ...]
    config: BaseConfig

    @classmethod
    def view_game(
        cls,
        config: BaseConfig,
        state: StateT,
        game: int = 0,
        viewer: Viewer = "spectator",
        *,
        last: tuple[int, int] | None = None,
        names: Sequence[str] = (),
    ) -> ViewT:
        """Returns one game of a state as a viewer may see it.

        Args:
            config: what is played.
            state: N games.
            game: the row to look at.
            viewer: a seat, "public" or "spectator".
            last: seat and action of the last move that all have seen, which a state does not hold;
                None if there was none or it is not known.
            names: the players' names; none by default.

        Raises:
            OptionError: there is no such game or viewer, or the number of names is wrong.
        """
        looking = looked_at(state, config.num_players, game, viewer, names)
        return cls(*looking, config).view(last)

    def view(self, last: tuple[int, int] | None) -> ViewT:
        """Returns the view; `last` is as in `view_game`."""
        raise NotImplementedError

    def knows(self, seat: int) -> bool:
        """Whether the viewer knows what a seat keeps secret: the only gate to hidden things."""
        return self.viewer in ("spectator", seat)

    def name(self, seat: int) -> str:
        """Returns what the caller calls a player; empty if there are no names."""
        return self.names[seat] if self.names else ""


def looked_at(
    state: StateT, num_players: int, game: int, viewer: Viewer, names: Sequence[str]
) -> tuple[StateT, Viewer, tuple[str, ...]]:
    """Checks what a view is asked for, and returns the fields of a `ViewReader`.

    Args:
        state: N games.
        num_players: P.
        game: the row to look at.
        viewer: a seat, "public" or "spectator".
        names: the players' names, or none.

    Raises:
        OptionError: there is no such game or viewer, or the number of names is wrong.
    """
    if not is_integer(game) or not 0 <= game < state.num_games:
        raise OptionError(f"game is {short_repr(game)}; the state holds 0 to {state.num_games - 1}")
    if isinstance(viewer, str):
        known = viewer in ("public", "spectator")
    else:
        known = is_integer(viewer) and 0 <= viewer < num_players
    if not known:
        raise OptionError(
            f"viewer is {short_repr(viewer)}; it takes a seat from 0 to {num_players - 1}, "
            "'public' or 'spectator'"
        )
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise OptionError(f"names is {short_repr(names)}; it takes a name for each player")
    if names and len(names) != num_players:
        raise OptionError(f"{len(names)} names for {num_players} players")
    one = state.take(slice(int(game), int(game) + 1))
    return one, viewer if isinstance(viewer, str) else int(viewer), tuple(names)
