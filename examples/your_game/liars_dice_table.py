"""Liar's dice at the table: an agent, a drawing, and what people read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from gonzaga_agents.agent import HeuristicAgent
from gonzaga_table.choices import TableSpec

from gonzaga_env.render.icons import crest
from gonzaga_env.render.pictures import Block, GamePictures, Spot
from gonzaga_env.render.shapes import Circle, Label, Layer, Paint, Scene, box, rectangle

from .liars_dice import DICE, SPEC

WILD = np.array([1, 2, 2, 2, 2, 2]) / 6  # chances that a die counts as each face


class GreedyAgent(HeuristicAgent):
    """Bids what leaves most dice to spare, and calls a liar when no bid is likely."""

    name, unit = "greedy", "dice to spare"

    def score(self, observations, masks, rng):
        """Returns row, action and score of all legal actions (see `HeuristicAgent.score`)."""
        expected = self.expected(observations)
        number, face = np.divmod(np.arange(masks.shape[1] - 1), 6)
        spare = expected[:, face] - (number + 1)
        scores = np.pad(spare, ((0, 0), (0, 1)), constant_values=-0.5)  # the call comes last
        rows, actions = masks.nonzero()
        return rows, actions, scores[rows, actions]

    def expected(self, observations):
        """Returns the expected number of dice that count as each face, [M, 6]."""
        features, wild = self._config.features, self._config.rules.ones_wild
        own = features.view(observations, "own").astype(float)
        own[:, 1:] += own[:, :1] * wild
        others = features.view(observations, "dice")[:, 1:].sum(axis=1, keepdims=True)
        return own + others * (WILD if wild else 1 / 6)


SIDE, GAP, ROW = 44.0, 10.0, 64.0
WIDTH = 90 + DICE * (SIDE + GAP)
PIPS = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}  # a to i, row by row


def die(face, left, top, theme):
    """Yields a die; None for one that is hidden."""
    fill = theme.muted if face is None else theme.panel
    yield box(left, top, left + SIDE, top + SIDE, Paint(fill, theme.ink, 2))
    for place in ("abcdefghi".index(letter) for letter in PIPS.get(face, "")):
        row, column = divmod(place, 3)
        at = left + SIDE * (0.22 + 0.28 * column), top + SIDE * (0.22 + 0.28 * row)
        yield Circle(at, SIDE * 0.09, Paint(theme.ink))


def cup(dice, left, top, theme):
    """Yields a player's dice in a row."""
    for number, face in enumerate(dice):
        yield from die(face, left + number * (SIDE + GAP), top, theme)


def dice_of(view, seat):
    """Returns the faces of a player's dice, None for those that the viewer does not know."""
    shown = view.shown["dice"][seat]
    left = view.players[seat].score
    return tuple(face for face in shown if face) if shown else (None,) * left


def bid_of(view):
    """Returns the last bid in words."""
    last = max(view.shown["bid"])
    return f"{(last + 5) // 6} x {(last - 1) % 6 + 1}" if last else "no bid yet"


def _cup_scene(dice, theme):
    shapes = tuple(cup(dice, GAP, GAP, theme))
    return Scene(2 * GAP + DICE * (SIDE + GAP), SIDE + 2 * GAP, "", (Layer(shapes),))


def _bid_scene(text, theme):
    label = Label(text, (WIDTH / 2, 38), 30, theme.ink, bold=True)
    return Scene(WIDTH, 56, "", (Layer((label,)),))


class DicePictures(GamePictures):
    """The pictures of the game."""

    shows_players = True

    def drawing(self, view, theme):
        """Draws all players' dice, and the bid."""
        shapes = [Label(bid_of(view), (WIDTH / 2, 34), 30, theme.ink, bold=True)]
        for player in view.players:
            top = 50 + ROW * player.seat
            if view.to_act == player.seat:
                frame = Paint(stroke=theme.frame, width=3)
                shapes.append(box(0, top - 6, WIDTH, top + SIDE + 6, frame))
            shapes += crest(player.seat, (34, top + SIDE / 2), 20, theme)
            shapes += cup(dice_of(view, player.seat), 80, top, theme)
        return Scene(WIDTH, 50 + ROW * len(view.players), SPEC.title, (Layer(tuple(shapes)),))

    def blocks(self, edition, view):
        """Yields what the browser shows: the bid, and each player's dice."""
        yield Block("bid", None, _bid_scene, (bid_of(view),), (bid_of(view),))
        for player in view.players:
            dice = dice_of(view, player.seat)
            words = " ".join("?" if face is None else str(face) for face in dice)
            yield Block("dice", player.seat, _cup_scene, (dice,), (words,))

    def spots(self, view):
        """Yields the bid as the place of the call."""
        yield Spot("bid", None, rectangle(0, 0, WIDTH, 56), ("liar",))

    def tallies(self, view, seat):
        """Returns the number of a player's dice."""
        return (("dice", view.players[seat].score),)


def reasons(config, observation, seat, turn, actions):
    """Returns what speaks for some actions: how many dice are expected."""
    expected = GreedyAgent(config).expected(observation[None])[0]
    said = [({"kind": "said", "text": f"{number:.1f} of them expected"},) for number in expected]
    call = config.actions.size - 1
    return [said[action % 6] if action != call else () for action in actions]


TABLE = TableSpec(
    line="Bid on hidden dice, and call the liar",
    rules="""\
All roll five dice in secret. In turn, each bids that at least so many of all dice show a face,
higher than the last bid: more dice, or as many of a higher face; or calls the last bidder a liar.

Then all dice are shown, and ones count as every face. Whoever was wrong, the bidder or the caller,
loses a die and starts the next round. The last player with dice wins.""",
    advice={"bid": "A third of the hidden dice show a face or a one: bid what your own dice add."},
    reasons=reasons,
)
GAME = replace(SPEC, agents={"greedy": GreedyAgent}, pictures=DicePictures(SPEC), table=TABLE)
