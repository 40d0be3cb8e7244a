"""What an agent could learn from a random generator by looking at everything reachable from it."""

from typing import Any

import numpy as np


class Spy:
    """Plays the first legal action, and keeps what it is given."""

    def __init__(self) -> None:
        self.rngs: list[np.random.Generator] = []
        self.arrays: list[np.ndarray] = []

    @property
    def rng(self) -> np.random.Generator:
        return self.rngs[-1]

    def act(self, observations: Any, masks: Any, rng: np.random.Generator) -> Any:
        self.rngs.append(rng)
        self.arrays += [observations, masks]
        return masks.argmax(axis=1)


def numbers_within(thing: Any) -> set[int]:
    """Returns all integers in the attributes, items and pickled parts of a thing."""
    found: set[int] = set()
    waiting, seen = [thing], []
    while waiting and len(seen) < 20_000:
        value = waiting.pop()
        if isinstance(value, bool | float | str | type(None)) or any(value is s for s in seen):
            continue
        seen.append(value)
        if isinstance(value, int | np.integer):
            found.add(int(value))
        elif isinstance(value, bytes):
            found.add(int.from_bytes(value, "little"))
        elif isinstance(value, np.ndarray):
            found.update(map(int, value.ravel()))
            found.add(int.from_bytes(value.tobytes(), "little"))
            waiting.append(value.base)
        elif isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list | tuple | set):
            waiting += value
        else:
            waiting += _parts(value)
    return found


def _parts(value: Any) -> list[Any]:
    """Returns the attributes of an object that are data, and what it pickles to."""
    # `cffi` and `ctypes` show addresses of the same state; the first takes a package.
    names = [n for n in dir(value) if not n.startswith("__") and n not in ("cffi", "ctypes")]
    parts = [getattr(value, name, None) for name in names]
    data = [part for part in parts if not callable(part)]
    if isinstance(value, np.random.Generator | np.random.BitGenerator | np.random.SeedSequence):
        data += [part for part in value.__reduce__()[1:] if not callable(part)]
    return data


def derived(numbers: set[int]) -> set[int]:
    """Returns what numpy makes of numbers: words of seeds and of their first children."""
    words: set[int] = set()
    for number in numbers:
        if number >= 0:
            root = np.random.SeedSequence(number)
            for sequence in (root, *root.spawn(3)):
                words.update(map(int, sequence.generate_state(8, np.uint64)))
    return words
