"""A server on this machine that speaks OpenAI's chat completions and plays scripted models."""

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

RAMBLING = "Let me think about\nthe board. " * 200
#: What a server may say of its tokens, by the names of models.
USAGES: dict[str, Any] = {
    "negative": {"prompt_tokens": -(10**9), "completion_tokens": -5},
    "wordy": {"prompt_tokens": "many", "completion_tokens": [1]},
    "silent": None,
    "a text": "3",
    "huge": {"prompt_tokens": 10**40, "completion_tokens": 1.5},
}


class Scripted:
    """What the models answer, by their names, and what they were asked.

    Attributes:
        asked: the bodies of all calls.
        keys: the Authorization headers.
    """

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self._rng = np.random.default_rng(0)

    def answer(self, body: dict[str, Any]) -> str | int:
        """Returns a text, or the code of an error."""
        self.asked.append(body)
        said = body["messages"][-1]["content"]
        legal = [line for line in said.partition("Legal actions:\n")[2].splitlines() if line]
        match body["model"]:
            case "first":
                return json.dumps({"action": legal[0]}) if legal else "I pass."
            case "random":
                return str(self._rng.choice(legal))
            case "rambling":
                return f'{RAMBLING}I choose this.\n{{"action": "{legal[-1]}"}}'
            case "illegal":
                return '{"action": "fly to the moon"}'
            case "learns":  # from the reason why its first answer is refused
                found = re.search(r"here actions look like '([^']+)'", said)
                return "none" if found is None else found[1]
            case "refusing":
                return "I'm sorry, but I can't help with board games."
            case "empty":
                return ""
            case "slow":
                time.sleep(5)
                return "late"
            case "failing":
                return 200 if len(self.asked) % 3 == 0 else 503
            case "broken":
                return 500
            case "forbidden":
                return 401
            case "hostile":
                return "$(touch pwned); __import__('os').system('touch pwned') <script>1</script>"
            case "half":  # half a character, and what a terminal would obey
                return "\ud800\x1b[31m" if len(self.asked) % 2 else json.dumps({"action": "x"})
            case name if name in USAGES:
                return json.dumps({"action": legal[0]})
        return 404


@contextmanager
def scripted() -> Iterator[tuple[str, Scripted]]:
    """Yields the address of a server, and what it plays."""
    models = Scripted()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            models.keys.append(self.headers.get("Authorization"))
            answer = models.answer(body)
            if answer == 200:
                answer = json.dumps({"action": body["messages"][-1]["content"].splitlines()[-1]})
            code = answer if isinstance(answer, int) else 200
            content: dict[str, Any] = {
                "error": {"message": f"bad key {self.headers['Authorization']}"}
            }
            if isinstance(answer, str):
                said = {"role": "assistant", "content": answer}
                choice = {"index": 0, "message": said, "finish_reason": "stop"}
                content = {"id": "x", "object": "chat.completion", "choices": [choice]}
                content |= {"created": 0, "model": body["model"]}
                content["usage"] = {
                    "prompt_tokens": 1000,
                    "completion_tokens": 10,
                    "total_tokens": 1010,
                }
                if body["model"] in USAGES:
                    content["usage"] = USAGES[body["model"]]
            sent = json.dumps(content).encode()
            self.send_response(code)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", models
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
