"""A game at a terminal: people take turns at the keyboard, agents play the other seats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from textwrap import fill
from typing import Any

import numpy as np

from gonzaga_env.kernel.agent import Agent
from gonzaga_env.kernel.errors import GameError
from gonzaga_env.kernel.view import LogLine, View, player_name
from gonzaga_env.render.draw import draw_text

from ..choices import Choice, Turn
from ..gonzaga import dialogue
from ..hints import Hint, HintChoice, as_hint, ask
from ..session import GameSession, SessionError
from ..specs import table_spec
from . import deciding

_DIALOGUES = {"gonzaga": dialogue}  # how games ask that have more to choose than a list shows

_CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # the screen, and what was scrolled off it
_WIDTH = 100  # of a line of words


class TerminalGame:
    """Plays a table to its end.

    Sealed decisions stay sealed: where several people share the keyboard, the screen is cleared
    before the next one sees their own cards.
    """

    def __init__(
        self,
        table: GameSession,
        agents: Mapping[int, Agent],
        adviser: tuple[str, Agent],
        rng: np.random.Generator,
        read: Callable[[str], str] = input,
        write: Callable[[str], object] = print,
        color: bool = False,
    ) -> None:
        self._spec = table_spec(table.config.game)
        self._dialogue: Any = _DIALOGUES.get(table.config.game, deciding)
        self._table, self._agents, self._adviser, self._rng = table, agents, adviser, rng
        self._read, self._write, self._color = read, write, color
        self._humans = [i for i, seat in enumerate(table.seats) if seat.kind == "human"]
        self._seen_moves = dict.fromkeys(self._humans, 0)  # moves that each has read about
        self._looking = self._humans[0] if len(self._humans) == 1 else None

    def run(self) -> None:
        while (seat := self._table.to_act) is not None:
            if seat in self._agents:
                self._table.step_agent(self._agents[seat], self._rng)
            else:
                self._take_turn(seat)
        self._show_end()

    def _take_turn(self, seat: int) -> None:
        self._hand_over(seat)
        turn = self._table.turn(seat)
        assert turn is not None  # the seat is to act
        self._show(seat)
        while True:
            choice = self._choose(seat, turn)
            if self._confirmed(choice):
                break
            self._write("Taken back.")
        self._table.play(seat, self._table.num_moves, choice.action)
        self._seen_moves[seat] = self._table.num_moves

    def _hand_over(self, seat: int) -> None:
        if self._looking == seat:
            return
        self._write(_CLEAR if self._color else "\n" * 50)
        self._ask(f"{self._table.names[seat]} is next. Press Enter when nobody else looks: ")
        self._looking = seat

    def _show(self, seat: int) -> None:
        table, view = self._table, self._table.view(seat)
        self._write(self._picture(view))
        self._write(f"You are {self._table.names[seat]}.")
        frames = table.frames(seat, self._seen_moves[seat] + 1)
        lines = [line for frame in frames for line in frame.lines]
        if lines:
            self._write("\nSince your last move:\n" + _story(lines, view))
        self._seen_moves[seat] = table.num_moves

    def _picture(self, view: View) -> str:
        edition = self._table.config.edition
        return draw_text(edition, view, color=self._color, coordinates=True)

    def _choose(self, seat: int, turn: Turn) -> Choice:
        numbered = self._dialogue.listed(turn)
        self._write(self._dialogue.choice_list(turn, numbered))
        while True:
            text = self._ask(f"{self._table.names[seat]}, {self._dialogue.question(turn)}: ")
            if self._answered(seat, turn, text, numbered):
                continue
            try:
                return self._dialogue.read(text, turn, numbered)
            except SessionError as error:
                self._write(str(error))

    def _answered(self, seat: int, turn: Turn, text: str, numbered: Sequence[Choice]) -> bool:
        """Runs a command; returns whether the text was a command."""
        match text.strip().lower():
            case "help" | "?" | "":
                advice = self._spec.advice.get(getattr(turn, "kind", ""), "")
                self._write("\n\n".join(filter(None, (self._spec.help, fill(advice, _WIDTH)))))
            case "rules":
                self._write(self._spec.rules)
            case "hint":
                self._hint(turn)
            case "show":
                self._show(seat)
            case "undo":
                self._write("There is nothing to take back: what was confirmed stays.")
            case "list" if numbered:
                self._write(self._dialogue.lines_of(numbered))
            case command:
                answer = self._dialogue.command(command, turn)
                if answer is None:
                    return False
                self._write(answer)
        return True

    def _hint(self, turn: Turn) -> None:
        name, agent = self._adviser
        try:
            found = ask(agent, *self._table.question(), self._rng)
        except GameError as error:
            self._write(f"{name}: {error}")
        else:
            hint = as_hint(name, found, turn)
        self._write(f"{hint.agent} considers ({hint.unit}):")
        for choice in hint.choices[:5]:
            self._write(f"  {_value(hint, choice):>7}  {choice.words}")

    def _confirmed(self, choice: Choice) -> bool:
        while True:
            text = self._ask(f"{choice.words}: Enter plays it, undo takes it back: ").strip()
            if text.lower() in ("", "y", "yes"):
                return True
            if text.lower() in ("undo", "u", "n", "no"):
                return False

    def _ask(self, prompt: str) -> str:
        text = self._read(prompt)
        if text.strip().lower() in ("quit", "exit"):
            raise EOFError
        return text

    def _show_end(self) -> None:
        table = self._table
        self._write(self._picture(table.view("public")))
        # The last move is shown even to its player: the final scoring follows from it.
        since = min(*self._seen_moves.values(), table.num_moves - 1) + 1
        frames = table.frames("public", since)
        lines = [line for frame in frames for line in frame.lines]
        self._write(_story(lines, frames[-1].view if frames else table.view("public")))


def _story(lines: Iterable[LogLine], view: View) -> str:
    names: dict[int | None, str] = {one.seat: f"{player_name(one)} " for one in view.players}
    names[None] = ""
    return "\n".join(f"  {names[line.seat]}{line.text}" for line in lines)


def _value(hint: Hint, choice: HintChoice) -> str:
    if choice.value is None:
        return ""
    return f"{choice.value:.2f}" if hint.measure == "points" else f"{choice.value:.0%}"
