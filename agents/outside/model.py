"""A language model as a bot: it is sent rules and positions as text, and names an action.

    python -m gonzaga_agents.outside.model play NAME      what "model:NAME" starts
    python -m gonzaga_agents.outside.model write NAME     lets it write a bot instead

Any server that speaks OpenAI's chat completions does. Its key is read from OPENAI_API_KEY, and is
in no file and no message. Every prompt with its answer is kept, so an interrupted run asks nothing
twice. What a model says is data: it is read as the name of an action, and never run.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Literal, TextIO

import tyro

from gonzaga_env.games import DEFAULT_GAME
from gonzaga_env.tabletop.bounded import parse_json, printable, short
from gonzaga_env.tabletop.bounded.limits import RECORD_LINE
from gonzaga_env.tabletop.errors import GameError, OptionError
from gonzaga_env.tabletop.writing import add_bytes, check_writable, open_to_add, write_aside
from gonzaga_env.text import rules_text
from gonzaga_env.text.views import TASK

from ..common.command_line import WholeNumber, parse, run_verb, shown
from ..units.log import read_log

Track = Literal["list", "rules"]
Message = dict[str, str]
_WRITING = """\
Write a bot in Python 3.11, with the standard library only, that plays the game below as well as you
can, within a second a decision. It reads and writes JSON lines on its standard input and output,
and flushes each. It reads {"type": "hello", ...} and writes {"type": "hello", "protocol": 1,
"name": "...", "want": ["texts", "view"]}. Then it reads {"type": "ready"}. It answers
{"type": "decide", "id": ..., "decisions": [{"seat": ..., "legal": [...], "texts": [...], "view":
{...}}, ...]} by {"id": ..., "actions": [...]}, with an element of "legal" or of "texts" for each
decision, and {"type": "illegal", "id": ..., "errors": [{"index": ..., "reason": "..."}, ...]} by
the same for these decisions alone. {"type": "goodbye"} ends it. Answer with one block of code."""
_HELP = """\
python -m gonzaga_agents.outside.model play NAME     plays: evaluate.py "model:NAME" starts it
python -m gonzaga_agents.outside.model write NAME    lets the model write a bot in Python

Each of them takes --help; docs/models.md explains them."""
_LONGEST = 20_000  # characters of an answer that are read, from its end
_CODE = re.compile(r"```(?:python|py)?\n(.*?)```", re.DOTALL)


class OutOfBudgetError(GameError):
    """The next call would go beyond what a run may cost."""


@dataclass(frozen=True)
class ModelOptions:
    """Which model is asked, and what it may cost."""

    name: Annotated[str, tyro.conf.Positional, shown("NAME")]
    """The model, as its server calls it."""
    base_url: Annotated[str | None, shown("URL")] = None
    """The server, such as http://127.0.0.1:8000/v1; by default OPENAI_BASE_URL, else OpenAI's."""
    folder: Path = Path("runs/models")
    """Where prompts and answers are kept, a file a model."""
    temperature: Annotated[float | None, shown("FLOAT")] = None
    """How much answers vary; by default the server's."""
    max_tokens: Annotated[WholeNumber | None, shown("INT")] = None
    """Tokens of an answer at most; by default the server's."""
    calls: Annotated[WholeNumber | None, shown("INT")] = None
    """Calls at most, of all runs that keep their answers in this folder; by default no limit."""
    tokens: Annotated[WholeNumber | None, shown("INT")] = None
    """Tokens at most, read and written; by default no limit."""
    dollars: Annotated[float | None, shown("FLOAT")] = None
    """Dollars at most; it takes --price."""
    price: Annotated[tuple[float, float] | None, shown("IN OUT")] = None
    """Dollars for a million tokens that the model reads, and that it writes."""
    retries: WholeNumber = 6
    """Times that a call is repeated, after growing pauses, where the server fails."""
    timeout: float = 120.0
    """Seconds that a call may take."""


@dataclass(frozen=True)
class PlayArguments(ModelOptions):
    """Plays a language model as a bot, on standard input and output."""

    track: Track = "list"
    """list shows the legal choices; rules does not: the model has to know what is legal."""
    workers: WholeNumber = 8
    """Calls at the same time."""


@dataclass(frozen=True)
class WriteArguments(ModelOptions):
    """Lets a language model write a bot in Python. The file is not run here; read it first, then
    play it as "cmd:python FILE", with the limits of bots.

    Examples:
        python -m gonzaga_agents.outside.model write NAME --out runs/bot.py
    """

    out: Annotated[Path | None, shown("FILE")] = None
    """The file for the bot."""
    game: Annotated[str, shown("NAME")] = DEFAULT_GAME
    """The game that it is written for."""


@dataclass
class Spent:
    """What calls have cost so far."""

    calls: int = 0
    read: int = 0  # tokens of prompts
    written: int = 0  # tokens of answers

    def add(self, usage: Mapping[str, Any]) -> None:
        """Adds a call."""
        self.calls += 1
        self.read += int(usage.get("prompt_tokens") or 0)
        self.written += int(usage.get("completion_tokens") or 0)

    def dollars(self, price: tuple[float, float]) -> float:
        """Returns dollars, at a price for a million tokens that are read, and written."""
        return (self.read * price[0] + self.written * price[1]) / 1e6

    def text(self, price: tuple[float, float] | None) -> str:
        """Returns a line."""
        said = f"{self.calls:,} calls, {self.read:,} tokens read, {self.written:,} written"
        return said if price is None else f"{said}, {self.dollars(price):.4f} dollars"


@dataclass
class Model:
    """A model whose answers are kept.

    Attributes:
        spent: what the answers that are kept have cost.
    """

    options: ModelOptions
    spent: Spent = field(default_factory=Spent)

    def __post_init__(self) -> None:
        options = self.options
        if options.dollars is not None and options.price is None:
            raise OptionError("--dollars takes --price IN OUT, in dollars for a million tokens")
        import openai

        self._client = openai.OpenAI(
            api_key=os.environ.get("OPENAI_API_KEY") or "none",  # local servers take no key
            base_url=options.base_url,
            max_retries=options.retries,
            timeout=options.timeout,
        )
        self._failed = openai.OpenAIError
        self._lock, self._known = threading.Lock(), dict[str, str]()
        name = re.sub(r"[^A-Za-z0-9._-]+", "_", options.name).strip(".") or "model"
        self.path = options.folder / f"{name}.jsonl"
        options.folder.mkdir(parents=True, exist_ok=True)
        lines, _ = read_log(self.path, OptionError)
        for line in lines:
            with suppress(KeyError, TypeError, ValueError):  # of another version, or cut short
                kept = parse_json(line)
                self._known[str(kept["digest"])] = str(kept["answer"])
                self.spent.add(kept["usage"])

    def ask(self, messages: list[Message]) -> str:
        """Returns the answer to a prompt: the kept one, or that of the server.

        Raises:
            OutOfBudgetError: the call would go beyond the budget.
            OptionError: the server fails, again and again; the message does not hold the key.
        """
        asked = {"model": self.options.name, "messages": messages}
        digest = sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
        with self._lock:
            if (known := self._known.get(digest)) is not None:
                return known
            self._check_budget()
            self.spent.calls += 1  # counted while it is asked, so that threads stay within
        began = time.monotonic()
        try:
            answer, usage = self._call(messages)
        finally:
            with self._lock:
                self.spent.calls -= 1
        kept = {
            "digest": digest,
            **asked,
            "answer": answer,
            "usage": usage,
            "seconds": round(time.monotonic() - began, 3),
        }
        line = json.dumps(kept, ensure_ascii=False).encode() + b"\n"
        with self._lock, open_to_add(self.path) as file:
            add_bytes(file, line)
            self._known[digest] = answer
            self.spent.add(usage)
        return answer

    def _check_budget(self) -> None:
        options, spent = self.options, self.spent
        tokens = spent.read + spent.written
        if options.calls is not None and spent.calls >= options.calls:
            raise OutOfBudgetError(f"{spent.calls:,} calls are made; --calls takes more")
        if options.tokens is not None and tokens >= options.tokens:
            raise OutOfBudgetError(f"{tokens:,} tokens are used up; --tokens takes more")
        if options.dollars is not None and options.price is not None:
            cost = spent.dollars(options.price)
            if cost >= options.dollars:
                raise OutOfBudgetError(f"{cost:.4f} dollars are spent; --dollars takes more")

    def _call(self, messages: list[Message]) -> tuple[str, dict[str, int]]:
        options: dict[str, Any] = {
            name: value
            for name in ("temperature", "max_tokens")
            if (value := getattr(self.options, name)) is not None
        }
        try:
            found = self._client.chat.completions.create(
                model=self.options.name, messages=messages, **options
            )
            answer = found.choices[0].message.content or ""
            used = found.usage
        except self._failed as error:
            raise OptionError(f"the model's server fails: {_without_key(error)}") from None
        except (AttributeError, IndexError, TypeError) as error:
            raise OptionError(f"the model's server answers no completion: {error}") from None
        counts = ("prompt_tokens", "completion_tokens")
        usage = {name: int(getattr(used, name, 0) or 0) for name in counts}
        return str(answer)[-_LONGEST:], usage


def _without_key(error: Exception) -> str:
    """Returns an error in one line that does not hold the key."""
    key = os.environ.get("OPENAI_API_KEY")
    text = short(printable(f"{type(error).__name__}: {error}"))
    return text.replace(key, "...") if key else text


class Player:
    """Answers a host's messages with what a model says."""

    def __init__(self, model: Model, options: PlayArguments) -> None:
        """Takes a model, and how it is asked."""
        self._model, self._options, self._rules = model, options, ""
        self._talks: list[list[Message]] = []  # of the decisions that were asked last

    def reply(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """Returns the reply to a message; None if it takes none."""
        match message.get("type"):
            case "hello":
                wanted = ["rules", "text", *(["texts"] if self._options.track == "list" else [])]
                return {
                    "type": "hello",
                    "protocol": 1,
                    "name": f"{self._options.name} ({self._options.track})",
                    "want": wanted,
                }
            case "ready":
                self._rules = message["rules"]
            case "decide":
                self._talks = [self._asked(decision) for decision in message["decisions"]]
                return self._answers(message["id"], range(len(self._talks)))
            case "illegal":
                wrong = [error["index"] for error in message["errors"]]
                for error in message["errors"]:
                    told = f"That is refused: {error['reason']}\nName a legal action."
                    self._talks[error["index"]].append({"role": "user", "content": told})
                return self._answers(message["id"], wrong)
        return None

    def _asked(self, decision: Mapping[str, Any]) -> list[Message]:
        position = str(decision.get("text") or "")
        if "texts" in decision:
            position += "\nLegal actions:\n" + "\n".join(decision["texts"])
        return [
            {"role": "system", "content": f"{TASK}\n\n{self._rules}"},
            {"role": "user", "content": position},
        ]

    def _answers(self, number: int, which: Iterable[int]) -> dict[str, Any]:
        talks = [self._talks[i] for i in which]
        with ThreadPoolExecutor(self._options.workers) as threads:
            said = list(threads.map(self._model.ask, talks))
        for talk, answer in zip(talks, said, strict=True):
            talk.append({"role": "assistant", "content": answer})
        return {"id": number, "actions": said}


def serve(player: Player, given: BinaryIO, answers: TextIO) -> None:
    """Answers a host until it says goodbye or ends; it is told where the model cannot go on."""
    for line in iter(lambda: given.readline(RECORD_LINE * 64), b""):
        message = json.loads(line)
        if message.get("type") == "goodbye":
            return
        try:
            reply = player.reply(message)
        except GameError as error:
            reply = {"type": "stop", "id": message.get("id"), "reason": str(error)}
        if reply is not None:
            print(json.dumps(reply), file=answers, flush=True)


def write_bot(model: Model, game: str) -> str:
    """Returns the program that a model writes: a bot in Python.

    Raises:
        OptionError: its answer holds no program.
    """
    said = model.ask([{"role": "user", "content": f"{_WRITING}\n\n{rules_text(game)}"}])
    found = _CODE.findall(said)
    if not found:
        raise OptionError(
            f"{model.options.name} wrote no block of code; {model.path} has its answer"
        )
    return max(found, key=len)


def main() -> int:
    """Runs the subcommand that the command line names.

    Returns:
        The exit code.

    Raises:
        GameError: an argument has a value that it does not take.
    """
    return run_verb("model", {"play": _play, "write": _write}, _HELP, {})


def _play() -> None:
    arguments = parse(PlayArguments, verb="play")
    if arguments.workers < 1:
        raise OptionError(f"workers is {arguments.workers}; it takes 1 or more")
    model = Model(arguments)
    serve(Player(model, arguments), sys.stdin.buffer, sys.stdout)
    print(f"{arguments.name}: {model.spent.text(arguments.price)}", file=sys.stderr)


def _write() -> None:
    arguments = parse(WriteArguments, verb="write")
    if arguments.out is None:
        raise OptionError("--out FILE is missing")
    check_writable(arguments.out)
    model = Model(arguments)
    write_aside(arguments.out, write_bot(model, arguments.game))
    print(f"wrote {arguments.out}: {model.spent.text(arguments.price)}")


if __name__ == "__main__":
    from ..cli import run_command

    sys.exit(run_command("model", "gonzaga_agents.outside.model", "models"))
