"""A bot that plays random legal actions, in plain Python: it needs no package.

python evaluate.py "cmd:python examples/bots/random_bot.py" greedy --deals 10
"""

import json
import random
import sys


def write(message):
    """Sends a message: one line of JSON, at once."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main():
    """Answers the host until it says goodbye."""
    asked, rng = {}, random.Random(0)
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            write({"type": "hello", "protocol": 1, "name": "random bot"})
        elif kind == "decide":
            asked = message
            actions = [rng.choice(decision["legal"]) for decision in message["decisions"]]
            write({"id": message["id"], "actions": actions})
        elif kind == "illegal":  # never of a legal action, except when `bot check` tries it
            wrong = [asked["decisions"][error["index"]] for error in message["errors"]]
            write({"id": message["id"], "actions": [rng.choice(one["legal"]) for one in wrong]})
        elif kind == "goodbye":
            return


if __name__ == "__main__":
    main()
