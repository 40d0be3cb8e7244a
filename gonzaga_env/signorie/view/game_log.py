"""The lines of a game's log.

A line is made from two views of the same viewer, so it holds nothing that the views do not.
"""

from __future__ import annotations

from collections.abc import Iterator

from gonzaga_env.kernel.sentences import joined, say, told
from gonzaga_env.kernel.view import LogLine, final_lines, gains_words
from gonzaga_env.signorie.constants import CAREER_VP, INITIATIVE_VP, SEXES, SOURCES
from gonzaga_env.signorie.view.game_view import GameView, PlayerView
from gonzaga_env.signorie.view.words import action_words


def log_lines(before: GameView, after: GameView) -> tuple[LogLine, ...]:
    """Returns the lines of the one move between two views of the same viewer."""
    seat = before.to_act
    if seat is None or after.last is None:
        return ()
    old, new = before.players[seat], after.players[seat]
    words = joined("; ", (told(action_words(after.last[1], before)), *_outcome(old, new)))
    lines = [LogLine(seat, words, {"kind": "decision", "decision": before.decision})]
    if after.order != before.order or after.round > before.round or after.to_act is None:
        lines += _round(before, after)
    if after.to_act is None:
        lines.append(LogLine(None, say("The game is over"), {"kind": "over"}))
        lines += final_lines(after.players, SOURCES, CAREER_VP)  # S12
    return tuple(lines)


def _outcome(old: PlayerView, new: PlayerView) -> Iterator[str]:
    """Yields what a move brought its player: points, Florins, meeples and tiles."""
    for source, (name, was, now) in enumerate(zip(SOURCES, old.scores, new.scores, strict=True)):
        if now > was and source != INITIATIVE_VP and source < CAREER_VP:
            yield say("{n} VP ({source})", n=f"{now - was:+}", source=say(name))
    gains = [("Florin", new.florins - old.florins)]
    pairs = zip(SEXES, old.supply, new.supply, strict=True)
    gains += [(name, now - was) for name, was, now in pairs]
    for name, gain in gains:
        if gain:
            yield say("{n} " + name + "s" * (abs(gain) != 1), n=f"{gain:+}")
    for before, after in zip(old.rows, new.rows, strict=True):
        if after.vp > before.vp:
            yield say("a tile of {n} VP", n=after.vp - before.vp)


def _round(before: GameView, after: GameView) -> Iterator[LogLine]:
    """Yields what initiative scored (S11.1), and the round that begins."""
    pairs = zip(before.players, after.players, strict=True)
    gains = [new.scores[INITIATIVE_VP] - old.scores[INITIATIVE_VP] for old, new in pairs]
    if any(gains):
        scored = {"kind": "initiative", "points": gains}
        words = say("Initiative is scored: {gains}", gains=gains_words(after.players, gains))
        yield LogLine(None, words, scored)
    if after.round > before.round:
        last = after.round == len(after.bonus_tiles) + len(after.vp_tiles)
        begun = {"kind": "round", "round": after.round, "last": last}
        yield LogLine(None, say("Round {n} begins", n=after.round), begun)
