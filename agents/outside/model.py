"""A language model as a bot: it reads rules and positions as text, and names an action.

"model:NAME" starts this module as a process, whose one argument holds the options as JSON. Any
server that speaks OpenAI's chat completions does. Its key is read from OPENAI_API_KEY, and is in no
file and no message. Every prompt with its answer is kept, so an interrupted run asks nothing twice.
A model's answer is read as the name of an action, and never run.
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
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, TextIO, cast

from gonzaga_env.kernel.arguments import is_integer
from gonzaga_env.kernel.bounded import RECORD_LINE, Json, parse_json
from gonzaga_env.kernel.errors import GameError, OptionError
from gonzaga_env.kernel.messages import printable, short
from gonzaga_env.kernel.writing import add_bytes, check_no_link, open_to_add
from gonzaga_env.text.views import TASK

from ..locks import read_log
from .spec import ModelOptions

Message = dict[str, str]
_LONGEST = 20_000  # characters of an answer that are read, from its end
_WORKERS = 8  # calls at the same time
_RETRIES, _SECONDS = 3, 120.0  # of a call
_MOST_TOKENS = 10**9  # of a call


def tokens_of(usage: Mapping[str, Json], messages: Iterable[Message], answer: str) -> int:
    """Returns what a call cost in tokens, as its server counts; four characters are one else.

    A server may leave the numbers out, or say nonsense, which must not make calls free.
    """
    texts = {
        "prompt_tokens": "".join(message["content"] for message in messages),
        "completion_tokens": answer,
    }
    return sum(
        min(usage[name], _MOST_TOKENS)
        if is_integer(usage.get(name)) and usage[name] > 0
        else len(text) // 4 + 1
        for name, text in texts.items()
    )


class Model:
    """A model whose answers are kept; their calls and tokens, read and written, are `spent`."""

    def __init__(self, options: ModelOptions) -> None:
        import openai

        self.options, self.spent = options, {"calls": 0, "tokens": 0}
        self._client = openai.OpenAI(
            api_key=os.environ.get("OPENAI_API_KEY") or "none",  # local servers take no key
            base_url=options.base_url or None,
            max_retries=_RETRIES,
            timeout=_SECONDS,
        )
        self._failed = openai.OpenAIError
        self._lock, self._known = threading.Lock(), dict[str, str]()
        name = re.sub(r"[^A-Za-z0-9._-]+", "_", options.name).strip(".")[:100] or "model"
        self.path = Path(options.folder) / f"{name}.jsonl"
        check_no_link(self.path.parent, Path(ModelOptions.folder))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lines, _ = read_log(self.path, OptionError)
        for line in lines:
            with suppress(KeyError, TypeError, ValueError):  # of another version, or cut short
                kept = parse_json(line)
                self._known[str(kept["digest"])] = str(kept["answer"])
                tokens = kept["tokens"]
                self._spend(tokens if is_integer(tokens) and tokens > 0 else _MOST_TOKENS)

    def _spend(self, tokens: int) -> None:
        self.spent["calls"] += 1
        self.spent["tokens"] += tokens

    def ask(self, messages: list[Message]) -> str:
        """Returns the answer to a prompt: the kept one, or that of the server.

        Raises OptionError beyond the budget, or where the server fails; the message does not hold
        the key.
        """
        asked: dict[str, Json] = {
            "server": str(self._client.base_url),
            "model": self.options.name,
            "settings": self.options.settings,
            "messages": messages,
        }
        digest = sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
        with self._lock:
            if (known := self._known.get(digest)) is not None:
                return known
            for name, spent in self.spent.items():
                if (most := getattr(self.options, name)) and spent >= most:
                    raise OptionError(f"{spent:,} {name} are used up; {name}={most} allows no more")
            self.spent["calls"] += 1  # counted while it is asked, so that threads stay within
        began = time.monotonic()
        try:
            answer, tokens = self._call(messages)
        finally:
            with self._lock:
                self.spent["calls"] -= 1
        seconds = round(time.monotonic() - began, 3)
        kept = asked | {"answer": answer, "tokens": tokens, "seconds": seconds, "digest": digest}
        with self._lock, open_to_add(self.path) as file:
            add_bytes(file, json.dumps(kept).encode() + b"\n")
            self._known[digest] = answer
            self._spend(tokens)
        return answer

    def _call(self, messages: list[Message]) -> tuple[str, int]:
        try:
            found = self._client.chat.completions.create(
                model=self.options.name,
                messages=cast("Any", messages),  # of openai's own types
                **self.options.settings,
            )
            content = str(found.choices[0].message.content or "")[-_LONGEST:]
            answer = content.encode(errors="replace").decode()  # no half characters
            counts = ("prompt_tokens", "completion_tokens")
            usage = {name: getattr(found.usage, name, None) for name in counts}
        except self._failed as error:
            raise OptionError(f"the model's server fails: {_without_key(error)}") from None
        except Exception as error:  # what it sent is of any form
            raise OptionError(
                f"the model's server answers no completion: {_without_key(error)}"
            ) from None
        return answer, tokens_of(usage, messages, answer)


def _without_key(error: Exception) -> str:
    """Returns an error in one line that does not hold the key."""
    key = os.environ.get("OPENAI_API_KEY")
    text = printable(f"{type(error).__name__}: {error}")
    return short(text.replace(key, "...") if key else text)


class Player:
    """Answers a host's messages with what a model says."""

    def __init__(self, model: Model) -> None:
        self._model, self._options, self._rules = model, model.options, ""
        self._talks: list[list[Message]] = []  # of the decisions that were asked last

    def reply(self, message: dict[str, Json]) -> dict[str, Json] | None:
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
                    refusal = f"That is refused: {error['reason']}\nName a legal action."
                    self._talks[error["index"]].append({"role": "user", "content": refusal})
                return self._answers(message["id"], wrong)
        return None

    def _asked(self, decision: Mapping[str, Json]) -> list[Message]:
        position = str(decision.get("text") or "")
        if "texts" in decision:
            position += "\nLegal actions:\n" + "\n".join(decision["texts"])
        return [
            {"role": "system", "content": f"{TASK}\n\n{self._rules}"},
            {"role": "user", "content": position},
        ]

    def _answers(self, number: int, which: Iterable[int]) -> dict[str, Json]:
        talks = [self._talks[i] for i in which]
        with ThreadPoolExecutor(_WORKERS) as threads:
            answers = list(threads.map(self._model.ask, talks))
        for talk, answer in zip(talks, answers, strict=True):
            talk.append({"role": "assistant", "content": answer})
        return {"id": number, "actions": answers}


def serve(player: Player, given: BinaryIO, answers: TextIO) -> None:
    """Answers a host until it says goodbye or ends; where the model fails, the host is told."""
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


def main(options: str) -> int:
    """Plays on standard input and output, by options as JSON; returns the exit code, 0."""
    model = Model(ModelOptions(**json.loads(options)))
    serve(Player(model), sys.stdin.buffer, sys.stdout)
    return 0


if __name__ == "__main__":
    from gonzaga_env.command_line import run_command

    sys.exit(run_command("model", lambda: main(sys.argv[1])))
