"""A bot that keeps the protocol up to a moment, and then does what no bot should."""

import json
import os
import sys
import time


def write(message):
    sys.stdout.write(message if isinstance(message, str) else json.dumps(message) + "\n")
    sys.stdout.flush()


def fail(how, message, number):
    """Fails, and says whether it goes on."""
    answer = {"id": message["id"], "actions": [0] * number}
    match how:
        case "die":
            os._exit(3)
        case "close":
            os.close(1)
            time.sleep(60)
        case "hang":
            time.sleep(60)
        case "deaf":
            while True:
                write("\n")
        case "child":  # a child holds the pipes
            if os.fork():
                os._exit(0)
            time.sleep(60)
        case "flood":
            while True:
                write("x" * 100_000)
        case "lines":
            while True:
                write({"id": -1})
        case "memory":
            bytearray(3 << 30)
        case "nonsense":
            write("[1, 2\n")
        case "half":
            write("\xff{\n".encode("latin-1").decode("latin-1"))
        case "object":
            write("[]\n")
        case "few":
            write(answer | {"actions": [0] * (number + 1)})
        case "deep":
            write("[" * 5000 + "]" * 5000 + "\n")
        case "index":
            write(answer | {"actions": [10**9] * number})
        case "kind":
            write(answer | {"actions": [None] * number})
        case "text":
            write(answer | {"actions": ["the best one"] * number})
        case "late":  # of an earlier question; a right answer follows
            write({"id": message["id"] - 1, "actions": []})
            return True
    return False


def main(how, after):
    count = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            write({"type": "hello", "protocol": 1, "name": how, "later": {}})
        elif message["type"] in ("decide", "illegal"):
            count += 1
            number = len(message.get("decisions") or message["errors"])
            if count > after and not fail(how, message, number):
                continue
            actions = [each["legal"][0] for each in message["decisions"]]
            write({"id": message["id"], "actions": actions, "more": None})
        elif message["type"] == "goodbye":
            return


main(sys.argv[1], int(sys.argv[2]))
