"""Finds puzzles in a game: positions where a question can be asked and one choice is the best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gonzaga_env.games import game_spec
from gonzaga_env.tabletop.agent import Agent, Considered, agent_name
from gonzaga_env.tabletop.records import Record
from gonzaga_env.tabletop.rewards import win_shares

from ..registry import make_agent
from ..statistics.estimates import mean_interval
from ..units.work import Report, nothing
from .puzzle import SEARCHED, Puzzle, Values, explain, questions

MARGINS = {"points": 3, "plan": 3, "first": 3, "reply": 3, "final": 3}  # points
MARGIN_SEARCHED = 0.06  # share of the victory
MOST_VALUES = 500  # choices; people cannot survey a position with more
_CANDIDATES = 4
_DEALS = 8  # of what the seat does not know, on which values have to be the same
_END = ("scores", "final", "winners")  # the keys of a record about the end
_CONFIRMED = 2048  # playouts
_AT_ONCE = 512  # of them
#: Playouts of each choice, choices, and the least lead: what fails early costs little.
_STAGES = (
    (64, 2, 0.0),
    (256, _CANDIDATES, MARGIN_SEARCHED / 2),
    (_CONFIRMED, _CANDIDATES, MARGIN_SEARCHED),
)


class Judges(NamedTuple):
    """The agents of "best": one picks the choices to compare, one plays the games to the end."""

    searches: Any
    plays_on: Agent


@dataclass(frozen=True)
class CutGame:
    """A game that puzzles are cut from (see `units.play.Unit`)."""

    config: Any  # what is played
    seed: int  # of its deal, and of all choices
    agents: Sequence[Agent]  # who plays, [P]
    asked: Sequence[str]  # questions
    judges: Judges | None = None  # who decide the question that the rules don't answer
    from_round: int = 1  # before it nothing is asked
    num_games: ClassVar[int] = 1

    def play(self, _on_progress: Report = nothing) -> list[Puzzle]:
        """Returns the puzzles of the game."""
        exact, found, name = questions(self.config.game), [], self.config.game
        actions: list[int] = []
        greedy = make_agent("greedy", self.config)
        for game, actions in self._decisions(np.random.default_rng(self.seed)):
            for question in self.asked if game.round >= self.from_round else ():
                # Neither the game nor another puzzle depends on what is asked.
                rng = np.random.default_rng((self.seed, len(actions)))
                checked = (
                    _searched(game, self.judges, rng)
                    if question == SEARCHED
                    else _exact(game, question, exact[question](game), greedy, rng)
                )
                if checked is not None:
                    id = f"{name}-{question}-{self.seed}-{len(actions)}"  # noqa: A001
                    found.append((len(actions), Puzzle(id, question, seat=game.seat, **checked)))
        record = game_spec(name).record
        assert record is not None  # every game with puzzles is recorded
        whole = record(self.config, self.seed, list(map(agent_name, self.agents)), actions)
        return [replace(puzzle, record=beginning(whole, number)) for number, puzzle in found]

    def _decisions(self, rng: np.random.Generator) -> Iterator[tuple[Any, list[int]]]:
        """Plays the game and yields it before each decision, with the actions so far."""
        game = game_spec(self.config.game).game.from_config(self.config, self.seed)
        actions: list[int] = []
        while not game.finished:
            yield game, actions
            mask = game.mask().view(np.bool_)
            action = int(self.agents[game.seat].act(game.observation()[None], mask[None], rng)[0])
            game.play(action)
            actions.append(action)


def beginning(record: Record, num_moves: int) -> Record:
    """Returns a record's deal and first moves, without its end."""
    header = {key: value for key, value in record.items() if key not in _END}
    return header | {"moves": record["moves"][:num_moves]}


def _exact(
    game: Any, question: str, values: Values | None, greedy: Agent, rng: np.random.Generator
) -> dict[str, Any] | None:
    """Returns the members of a puzzle whose question is worth asking, else None."""
    if values is None or not 4 <= len(values) <= MOST_VALUES:
        return None
    best, second = sorted(values.values(), reverse=True)[:2]
    if best - second < MARGINS[question]:
        return None
    answer = max(values, key=values.__getitem__)
    known = [game.resampled(game.seat, rng) for _ in range(_DEALS)]
    if any(questions(game.config.game)[question](other) != values for other in known):
        return None  # the answer depends on hidden information
    mask = np.isin(np.arange(len(game.mask())), list(values))
    tempting = int(greedy.act(game.observation()[None], mask[None], rng)[0])
    is_trap = values[tempting] < best
    if question in ("reply", "final") and not is_trap:
        return None
    level = 1 + is_trap + (len(values) > 60)
    return {
        "level": level,
        "values": _by_text(game, values),
        "explanation": explain(game, question, answer),
        "evidence": {"tempting": game.actions.to_text(tempting)},
    }


def _searched(game: Any, judges: Judges | None, rng: np.random.Generator) -> dict[str, Any] | None:
    """Returns what `_exact` does where playouts say what choices are worth.

    The agent that searches and the playouts have to name the same choice.
    """
    mask = game.mask().view(np.bool_)
    if judges is None or not 4 <= mask.sum() <= MOST_VALUES:
        return None
    considered: Considered = judges.searches.consider(game.observation(), mask, rng)
    actions = considered.actions[:_CANDIDATES].tolist()
    if len(actions) < _CANDIDATES or considered.values[0] - considered.values[1] < MARGIN_SEARCHED:
        return None
    for num_playouts, num_choices, wanted in _STAGES:
        shares = play_on(game, actions[:num_choices], judges.plays_on, num_playouts, rng)
        margin, low = lead(shares)
        if shares.mean(axis=1).argmax() != 0 or low < wanted:
            return None
    values = dict(zip(actions, shares.mean(axis=1).round(4).tolist(), strict=True))
    evidence = {
        "searched": agent_name(judges.searches),
        "playouts": _CONFIRMED,
        "agent": agent_name(judges.plays_on),
        "margin": round(margin, 4),
        "error": round(margin - low, 4),
    }
    return {"level": 3, "values": _by_text(game, values), "evidence": evidence}


def play_on(
    game: Any, actions: Sequence[int], agent: Agent, num_playouts: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Returns the shares of the victory of the seat to act, [choices, playouts].

    Column k of all choices has the same deal of what the seat does not know, so differences between
    choices have less variance than the shares.

    Args:
        game: the position.
        actions: the choices that are compared.
        agent: plays all seats afterwards.
        num_playouts: for each choice.
        rng: the source of all randomness.
    """
    parts = []
    for start in range(0, num_playouts, _AT_ONCE):
        deals = game.resample(game.seat, rng, min(_AT_ONCE, num_playouts - start))
        parts.append(np.stack([_shares(game, deals, action, agent, rng) for action in actions]))
    return np.concatenate(parts, axis=1)


def _shares(
    game: Any, deals: Any, action: int, agent: Agent, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Returns the shares of the seat to act after an action on each deal, [K]."""
    spec, seat = game_spec(game.config.game), game.seat
    engine = spec.engine.from_state(game.config, deals.copy(), autoreset=False, check=False)
    engine.step(np.full(engine.num_games, action))
    while len(running := (engine.seats >= 0).nonzero()[0]):
        seen, masks = engine.observe(rows=running), engine.legal_action_mask(running)
        engine.step(agent.act(seen, masks, rng), running)
    return win_shares(engine.winners())[:, seat].astype(np.float64)


def lead(shares: NDArray[np.float64]) -> tuple[float, float]:
    """Returns how far the best choice leads over the next one, and the interval's lower end.

    Args:
        shares: as `play_on` returns them.
    """
    best, second = np.argsort(-shares.mean(axis=1))[:2]
    found = mean_interval(shares[best] - shares[second])
    assert found.low is not None  # of several playouts
    return found.mean, found.low


def _by_text(game: Any, values: Values) -> dict[str, float]:
    return {game.actions.to_text(action): value for action, value in values.items()}
