"""Writes the tables of docs/games/*.md from the code: `python docs/games/tables.py`.

A table stands between `<!-- table KIND GAME -->` and `<!-- end table -->`; `TABLES` are the kinds.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any

from gonzaga_env.envs.aec import SeatedGame
from gonzaga_env.envs.learner.many import LearnerVectorEnv
from gonzaga_env.envs.registration import learner_id
from gonzaga_env.games import game_names, game_spec
from gonzaga_env.tabletop.spec import GameSpec

FOLDER = Path(__file__).resolve().parent
_TABLE = re.compile(r"<!-- table (.+?) -->\n.*?<!-- end table -->", re.DOTALL)
MODULES = {"gonzaga": "gonzaga_v0", "tuscany": "castles_of_tuscany_v0", "signorie": "signorie_v0"}

#: Blocks of actions whose names in the code are not what they mean to a reader.
BLOCKS: dict[str, dict[str, str]] = {
    "gonzaga": {
        "plan": "region card * 6 + action (A, B, C) * 2 + King's Privilege",
        "fief": "this round's fief: rotation * H + hex of its first cell",
        "ring": "a wedding with one ring: its hex",
        "rings": "a wedding with two rings: direction (E, SE, SW) * H + hex of the first",
        "donate": "give the fief away; always legal when placing",
    },
    "tuscany": {
        "layout": "join the three boards, from left to right; ' is a half turn",
        "bonus": "a bonus tile",
        "draw": "draw region cards",
        "take": "take a tile from the display, by colour, agriculture by its crops",
        "remove": "remove a piece from a full storage",
        "tile": "cover a cell with a tile; the starting castle's cell too",
        "hexagon": "cover a cell with a wooden hexagon",
        "crop": "which tile of agriculture",
        "pay": "two units: a card of the colour, a worker, two equal cards",
        "marble": "pay for one more action",
        "end": "end the turn or decline",
    },
    "signorie": {
        "die": "take a die: its color and value, and what it does",
        "skip_turn": "take no more dice in this round",
        "spend": "meeples for an assignment",
        "track": "enter a career or advance on it",
        "initiative": "advance the seat's disc on the initiative track",
        "stop": "take no more track points",
        "mission": "the male on this slot goes to a city",
        "marry": "a city and the dowry",
        "row": "where a face-down tile goes",
        "use": "use a helper of the column",
        "skip": "don't use it",
        "bonus": "the reward: the bonus of the round's tile",
        "florins": "the reward: Florins instead",
        "wed": "wed, as part of the reward",
        "no_wed": "don't wed",
        "pay": "pay 5 Florins for 5 points, as part of the reward",
        "keep": "don't pay",
        "free_helper": "the slot of a free helper",
    },
}

#: What the arguments of every environment mean; an environment that takes more adds it below.
ARGUMENTS = {
    "num_players": "P: 2, 3 or 4",
    "scenario": 'a scenario\'s name, such as "Colombo"; None draws one in every game',
    "edition": "a shipped edition's name, the path of your own, or a loaded edition",
    "rules": "the options of the rules, a mapping of some, or text (below)",
    "reward": '"outcome", "score" or "margin" ([meaning](index.md#what-all-games-share))',
    "render_mode": 'None, "ansi", "ansi_color", "human", "rgb_array" or "svg"',
    "mask": 'where the legal actions are: in the "observation" or in the "info"',
    "keys": "the names of observation and mask",
    "normalised": "True returns float32, each feature about 0 to 1",
    "mask_dtype": 'of the mask: "int8" or "bool"',
}

#: Those of the learners' environments.
LEARNERS = {
    "num_envs": "N; of `make_vec` only",
    "opponents": "an agent, its name, or several to draw from; None plays random legal actions",
    "seat": "the learner's seat; None rotates it in every game",
    "mask": 'the infos hold the mask as `action_mask`; "observation" puts it there',
    "autoreset_mode": 'when the next game is dealt: "SameStep", "NextStep" or "Disabled"; '
    "of `make_vec` only",
    "max_episode_steps": "the learner's turns until a game is truncated; None plays to the end",
}


def row(cells: Iterable[Any]) -> str:
    """Returns a row of a table."""
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def table(headings: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    """Returns a table."""
    return "\n".join([row(headings), row("--" for _ in headings), *map(row, rows)])


def number(value: int) -> str:
    """Returns a number as pages write it, such as 3,748."""
    return f"{value:,}"


def several(values: Iterable[int], word: str = "or") -> str:
    """Returns one number if all are equal, else such as "2, 3 or 4"."""
    listed = list(map(number, values))
    return listed[0] if len({*listed}) == 1 else f"{', '.join(listed[:-1])} {word} {listed[-1]}"


def configs(spec: GameSpec) -> list[Any]:
    """Returns the default game of each number of players."""
    return [spec.config(num_players=players) for players in spec.players]


def facts(name: str) -> str:
    """Returns what Farama's pages begin with."""
    spec, module = game_spec(name), MODULES[name]
    games = configs(spec)
    least, most = spec.players[0], spec.players[-1]
    size = games[-1].actions.size
    parallel = import_module(f"gonzaga_env.envs.{module}").parallel_env.__name__
    shape = f'`{{"observation": (D,), "action_mask": ({size},)}}`'
    return table(
        ["Import", f"`from gonzaga_env import {module}`"],
        [
            ["Agents", f"`player_0` to `player_{most - 1}`"],
            ["Number of agents", f"{most} ({least} to {most})"],
            ["Actions", "discrete, with a mask of the legal ones"],
            ["Action shape", f"`Discrete({size})`"],
            ["Action values", f"0 to {number(size - 1)}"],
            ["Observation shape", f"{shape}, D below"],
            ["Observation values", "uint8, 0 to 255"],
            ["Observation size D", _by_players(spec, (g.features.size for g in games))],
            ["State shape", _by_players(spec, (_state_size(spec, g) for g in games))],
            ["Parallel API", f"`{module}.{parallel}`"],
            ["Manual control", f"`gonzaga play`, or `gonzaga play terminal --game {name}`"],
            ["Rewards", "-1 to 1, zero-sum, at the end (by default)"],
        ],
    )


def _by_players(spec: GameSpec, values: Iterable[int]) -> str:
    """Returns such as "605, 710 and 815 with 2, 3 and 4 players"."""
    return f"{several(values, 'and')} with {several(spec.players, 'and')} players"


def _state_size(spec: GameSpec, config: Any) -> int:
    return SeatedGame(spec, config).state_space.shape[0]


def features(name: str) -> str:
    """Returns the features of an observation; P stands for the number of players."""
    spec = game_spec(name)
    two, *others = [list(config.features) for config in configs(spec)]
    rows = []
    for feature, *same in zip(two, *others, strict=True):
        shapes = [feature.shape, *(other.shape for other in same)]
        axes = ", ".join(_axis(spec, axis) for axis in zip(*shapes, strict=True))
        shape = f"`({axes}{',' if len(feature.shape) == 1 else ''})`"
        rows.append(
            [
                f"`{feature.name}`",
                shape,
                _axis(spec, [f.scale for f in (feature, *same)]),
                feature.meaning,
            ]
        )
    return table(["feature", "shape", "scale", "meaning"], rows)


def _axis(spec: GameSpec, sizes: Sequence[int]) -> str:
    """Returns the length of an axis: a number, or how it depends on P."""
    first, players = sizes[0], spec.players
    if len({*sizes}) == 1:
        return number(first)
    for plus in (0, -1, 1):
        if all(size == player + plus for size, player in zip(sizes, players, strict=True)):
            return f"P{plus:+d}" if plus else "P"
    return several(sizes)


def actions(name: str) -> str:
    """Returns the blocks of the action space, in their order."""
    codec, rows = game_spec(name).config().actions, []
    for block, meaning in BLOCKS[name].items():
        place = getattr(codec, block, slice(0, codec.fief.start) if block == "plan" else None)
        start, stop = (place.start, place.stop) if isinstance(place, slice) else (place, place + 1)
        where = number(start) if stop == start + 1 else f"{number(start)} to {number(stop - 1)}"
        rows.append([where, number(stop - start), f"`{_example(codec, start, stop)}`", meaning])
    return table(["actions", "number", "an example", "meaning"], rows)


def _example(codec: Any, start: int, stop: int) -> str:
    """Returns a text from the middle of a block: its first ones are often the plainest."""
    text: str = codec.to_text((start + stop) // 2)
    return text


def arguments(name: str) -> str:
    """Returns the arguments of `env` with their defaults."""
    module = import_module(f"gonzaga_env.envs.{MODULES[name]}")
    taken = inspect.signature(module.raw_env).parameters
    rows = [[f"`{n}`", f"`{_default(p.default)}`", ARGUMENTS[n]] for n, p in taken.items()]
    return table(["argument", "default", "meaning"], rows)


def learners() -> str:
    """Returns the arguments of the learners' environments that `env` lacks, or that differ."""
    many = inspect.signature(LearnerVectorEnv.__init__).parameters
    rows = []
    for n, meaning in LEARNERS.items():
        value = many[n].default
        shown = getattr(value, "value", value)
        rows.append([f"`{n}`", f"`{_default(shown)}`", meaning])
    return table(["argument", "default", "meaning"], rows)


def _default(value: Any) -> str:
    if hasattr(value, "as_dict"):
        return f"{type(value).__name__}()"
    return repr(value).replace("'", '"')


def options(name: str) -> str:
    """Returns the options of the rules, with what the class says of each."""
    kind = type(game_spec(name).config().rules)
    said = dict(_attributes(inspect.getdoc(kind) or ""))
    rows = [[f"`{f.name}`", f"`{_default(f.default)}`", said[f.name]] for f in fields(kind)]
    return table(["option", "default", "meaning"], rows) if rows else "There are no options."


def _attributes(doc: str) -> Iterator[tuple[str, str]]:
    """Yields name and meaning of each attribute that a docstring lists."""
    _, _, listed = doc.partition("Attributes:\n")
    listed = listed.partition("\n\n")[0]
    for name, meaning in re.findall(r"^    (\w+): (.*(?:\n        .*)*)", listed, re.MULTILINE):
        yield name, " ".join(meaning.split())


def sources(name: str) -> str:
    """Returns the sources of points, in the order of the info `scores`."""
    spec = game_spec(name)
    counted = spec.sources[spec.counted]
    rows = [
        [index, f"`{source}`", "yes" if source in counted else "no"]
        for index, source in enumerate(spec.sources)
    ]
    if len(counted) == len(rows):
        return table(["index", "source"], (cells[:2] for cells in rows))
    return table(["index", "source", "counts in `score`"], rows)


def decisions(name: str) -> str:
    """Returns the kinds of decisions."""
    spec = game_spec(name)
    sealed = [kind for kind in spec.kinds if kind in spec.sealed]
    listed = ", ".join(f"`{kind}`" for kind in spec.kinds)
    together = f"; all agents answer {' and '.join(map(repr, sealed))} in one parallel step"
    return f"Kinds of decisions: {listed}{together if sealed else ''}."


def infos(name: str) -> str:
    """Returns the keys of an agent's infos, with their types."""
    module = import_module(f"gonzaga_env.envs.{MODULES[name]}")
    game = module.raw_env()
    game.reset(seed=0)
    meanings = {
        "score": "points that decide the game",
        "scores": 'points by source (below), as `env.metadata["sources"]` names them',
        "won": "share of the victory; 0 before the end",
        "round": "the running round, from 1",
        "last_round": "whether this round is the last",
        "open_sites": "sites in flourishing regions that nobody covers",
        "rings": "own rings left",
    }
    rows = [
        [f"`{key}`", f"{value.dtype}{list(value.shape) if value.shape else ''}", meanings[key]]
        for key, value in game.infos["player_0"].items()
    ]
    return table(["info", "type", "meaning"], rows)


def ways(name: str) -> str:
    """Returns the other ways into a game."""
    module, identity = MODULES[name], learner_id(name)
    package = "core" if name == "gonzaga" else name
    game = "" if name == "gonzaga" else f', game="{name}"'
    return table(
        ["for", "call", "what it is"],
        [
            [
                "one learner",
                f'`gymnasium.make("{identity}", opponents="greedy")`',
                "one game; the opponents move inside `step`",
            ],
            [
                "N learners",
                f'`gymnasium.make_vec("{identity}", num_envs=N)`',
                "N games on one engine",
            ],
            [
                "Stable-Baselines3",
                f"`make_sb3_vec(N, num_players=4{game})`",
                "a `VecEnv`; from `gonzaga_env.envs.sb3`",
            ],
            [
                "PettingZoo",
                f"`{module}.env()`, `raw_env()`, `parallel_env()`",
                "AEC with and without wrappers, and parallel",
            ],
            [
                "search, data, speed",
                f"`gonzaga_env.{package}.Engine(num_games=N)`",
                "N games on arrays, without an API around them",
            ],
            ["one game", f"`gonzaga_env.{package}.Game()`", "one game in plain Python"],
        ],
    )


def versions(name: str) -> str:
    """Returns the versions of the layouts now."""
    now = game_spec(name).versions
    return (
        f"Now: environment `{MODULES[name]}`, actions version {now['actions']}, observations "
        f'version {now["observations"]} (`env.metadata["versions"]`).'
    )


def games() -> str:
    """Returns a column for each game."""
    specs = list(map(game_spec, game_names()))
    sizes = {spec.name: configs(spec) for spec in specs}
    rows: dict[str, Callable[[GameSpec], Any]] = {
        "PettingZoo": lambda spec: f"`{MODULES[spec.name]}`",
        "Gymnasium": lambda spec: f"`{learner_id(spec.name)}`",
        "players": lambda spec: f"{spec.players[0]} to {spec.players[-1]}",
        "actions": lambda spec: several(c.actions.size for c in sizes[spec.name]),
        "bytes observed": lambda spec: several(c.features.size for c in sizes[spec.name]),
        "kinds of decisions": lambda spec: len(spec.kinds),
    }
    headings = ["", *(f"[{spec.title}]({spec.name}.md)" for spec in specs)]
    return table(headings, ([title, *map(of, specs)] for title, of in rows.items()))


TABLES: dict[str, Callable[..., str]] = {
    maker.__name__: maker
    for maker in (
        facts,
        features,
        actions,
        arguments,
        learners,
        options,
        sources,
        decisions,
        infos,
        ways,
        versions,
        games,
    )
}
#: The kinds that all games share: index.md has them, without a game's name.
SHARED = {"games", "learners"}


def page(text: str) -> str:
    """Returns a page with the tables as the code has them now."""

    def current(match: re.Match[str]) -> str:
        kind, *names = match[1].split()
        made = TABLES[kind](*names)
        return f"<!-- table {match[1]} -->\n\n{made}\n\n<!-- end table -->"

    return _TABLE.sub(current, text)


if __name__ == "__main__":
    for path in sorted(FOLDER.glob("*.md")):
        path.write_text(page(path.read_text("utf-8")), "utf-8")
