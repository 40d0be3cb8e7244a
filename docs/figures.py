"""Writes how old the figures of the pages are, and checks them: `python docs/figures.py`.

A block of a page between `<!-- figures NAME -->` and `<!-- end figures -->` states figures. They
lie in docs/measured/PAGE.json, by the name of the block:

| key | content |
|---|---|
| `version`, `commit` | of the code that was measured; the commit is null if it is unknown |
| `measured` | a digest of each agent that was measured, such as "gonzaga/4p planner", or null |
| `tables` | the tables of the block: `columns`, the `rule` below them, and `rows` |
| `values` | the figures of its sentences, in their order |
| `by` | instead of these two: the command that wrote the block |
| `as` | instead of all others: "PAGE/NAME", whose version and digests hold here, too |

A digest covers the edition, the default rules, the files that an agent reads, and its choices in
some positions (`gonzaga_agents.bench.pins`). If one is not that of what ships, or if nothing that
ships was measured, the block ends with "(Of version X.)". After measuring again, write the new
figures into the page;

    python docs/figures.py --measured PAGE/NAME ...

keeps them with the present version, commit and digests. `--restore PAGE/NAME` does the reverse: it
writes the tables of the file into the page.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from gonzaga_agents.bench.pins import file_digests, plays_digest
from gonzaga_agents.common.checkout import find_commit

from benchmarks import publish
from docs import policies
from gonzaga_env.games import game_names, game_spec
from gonzaga_env.tabletop.writing import write_aside
from gonzaga_env.version import __version__

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "measured"
_BLOCK = re.compile(r"<!-- figures (\S+) -->\n\n(.*?)\n\n<!-- end figures -->", re.DOTALL)
_AGE = re.compile(r"\n\n\(Of version .*?\.\)$", re.DOTALL)
_TABLE = re.compile(r"^\|.*\n\|[-:| ]+\|\n(?:\|.*(?:\n|$))*", re.MULTILINE)
# Not sentences: code, the targets of links, comments, and names such as `search@64`.
_NO_TEXT = re.compile(r"```.*?```|^(?:    .*\n?)+|`[^`\n]+`|\]\([^)]*\)|<!--.*?-->", re.M | re.S)
_NUMBER = r"[-+\u2212]?\d(?:[\d.,]*\d)?(?: ?%)?"
_VALUE = re.compile(
    rf"(?<![\w.])(?:± ?)?{_NUMBER}(?: ± {_NUMBER})?(?: \({_NUMBER} to {_NUMBER}\))?"
)
_EVERY = 12  # of 120 steps, an agent is asked in four games; bench asks more often

Kept = dict[str, Any]


class FiguresError(ValueError):
    """A page and its file differ, or one of them lacks what the other has."""


def page_paths() -> list[Path]:
    """Returns the pages that may state figures."""
    pages = [ROOT / "README.md", ROOT / "benchmarks" / "README.md"]
    return [*pages, *sorted((ROOT / "docs").rglob("*.md"))]


def stem(page: Path) -> str:
    """Returns what the file of a page is called: "readme", "agents", "appendix-search"."""
    *folders, name = page.relative_to(ROOT).with_suffix("").parts
    if name == "README":
        return folders[-1] if folders else "readme"
    return "-".join([*folders[1:], name])


def read_kept(name: str) -> dict[str, Kept]:
    """Returns the kept figures of a page, by block; none if the page has no file."""
    path = FOLDER / f"{name}.json"
    found: dict[str, Kept] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return found


@cache
def digest_now(name: str) -> str:
    """Returns the digest of what ships, such as "gonzaga/4p planner"."""
    task, _, agent = name.partition(" ")
    game, _, players = task.partition("/")
    config: Any = game_spec(game).config(num_players=int(players.removesuffix("p")))
    about = [
        config.edition.digest,
        config.rules.as_dict(),
        sorted(file_digests(agent, config).values()),
        plays_digest(agent, config, every=_EVERY),
    ]
    return sha256(json.dumps(about).encode()).hexdigest()[:16]


def age(kept: Kept) -> str:
    """Returns "Of version X", with what has changed since; "" if what was measured still ships."""
    measured: Mapping[str, str | None] = kept.get("measured", {})
    changed = [name for name, old in measured.items() if old is None or old != digest_now(name)]
    if measured and not changed:
        return ""
    since = "" if len(changed) == len(measured) else f"; {_named(changed)} changed since"
    return f"Of version {kept['version']}{since}."


def _named(names: Sequence[str]) -> str:
    """Returns "`learned` (gonzaga/2p, gonzaga/4p) and `search` (gonzaga/4p)"."""
    tasks: dict[str, list[str]] = {}
    for name in names:
        task, _, agent = name.partition(" ")
        tasks.setdefault(agent, []).append(task)
    *most, last = (f"`{agent}` ({', '.join(own)})" for agent, own in tasks.items())
    return f"{', '.join(most)} and {last}" if most else last


def read_block(text: str) -> Kept:
    """Returns the tables and the sentences' figures of a block's text."""
    tables = []
    for match in _TABLE.finditer(text):
        head, rule, *rows = match[0].rstrip("\n").split("\n")
        tables.append(
            {"columns": _cells(head), "rule": rule, "rows": [_cells(row) for row in rows]}
        )
    sentences = " ".join(_NO_TEXT.sub(" ", _TABLE.sub("", text)).split())
    values = [match[0].strip() for match in _VALUE.finditer(sentences)]
    return {key: own for key, own in (("tables", tables), ("values", values)) if own}


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def with_tables(text: str, tables: Sequence[Kept]) -> str:
    """Returns a block's text with kept tables in place of its own."""
    rest = iter(tables)
    return _TABLE.sub(lambda match: _table_text(next(rest)) + "\n" * match[0].endswith("\n"), text)


def _table_text(table: Kept) -> str:
    head, *rows = [f"| {' | '.join(row)} |" for row in (table["columns"], *table["rows"])]
    return "\n".join([head, table["rule"], *rows])


def made_blocks() -> dict[str, Callable[[], str]]:
    """Returns the blocks that other files of this project make, by "PAGE/NAME"."""
    reports = {"speed": publish.RESULTS, "peers": publish.PEERS}
    board = publish.LEADERBOARD
    found = {
        "readme/ratings": lambda: publish.ratings(board.read_text("utf-8")),
        "leaderboard/ages": _ages,
    }
    for name, path in reports.items():
        found[f"benchmarks/{name}"] = lambda path=path: publish.report_text(path)
    for game in game_names():
        found[f"policies/{game}"] = lambda game=game: policies.listing_of(game)
    return found


def _ages() -> str:
    """Returns of which versions the ratings of the leaderboard are."""
    kept = read_kept("leaderboard")
    found = {
        game: age(kept[game]) or f"Of version {kept[game]['version']}; all of it still ships."
        for game in game_names()
        if game in kept
    }
    return "\n".join(f"- {game_spec(game).title}: {text}" for game, text in found.items())


def written(page: Path, restore: Sequence[str] = ()) -> str:
    """Returns a page with the ages of its figures and with what other files make.

    Args:
        page: its path.
        restore: the blocks whose kept tables replace those of the page, by "PAGE/NAME".

    Raises:
        FiguresError: a block and its file state different figures, or one of them is missing.
    """
    own = stem(page)
    kept, made, seen = read_kept(own), made_blocks(), set()

    def block(match: re.Match[str]) -> str:
        name, text = match[1], _AGE.sub("", match[2])
        path = f"{own}/{name}"
        seen.add(name)
        if path in made:
            text = made[path]()
        if name in kept:
            found = kept[name]
            if path in restore:
                text = with_tables(text, found.get("tables", ()))
            if path not in made:
                _check(path, text, found)
            text += "\n\n(" * bool(note := age(_resolved(found))) + f"{note})" * bool(note)
        elif path not in made:
            raise FiguresError(f"{path}: docs/measured/{own}.json has no such block")
        return f"<!-- figures {name} -->\n\n{text}\n\n<!-- end figures -->"

    text = _BLOCK.sub(block, page.read_text("utf-8"))
    if unused := set(kept) - seen - {*(game_names() if own == "leaderboard" else ())}:
        raise FiguresError(f"docs/measured/{own}.json: the page has no block {sorted(unused)[0]!r}")
    return text


def _resolved(kept: Kept) -> Kept:
    """Returns a block's entry, or the one that it repeats."""
    if "as" not in kept:
        return kept
    page, _, name = kept["as"].partition("/")
    return read_kept(page)[name]


def _check(path: str, text: str, kept: Kept) -> None:
    """Raises FiguresError if a block states other figures than its file."""
    if "by" in kept or "as" in kept:
        return
    stated = read_block(text)
    for key in ("tables", "values"):
        for ours, theirs in zip(_flat(stated, key), _flat(kept, key), strict=False):
            if ours != theirs:
                raise FiguresError(f"{path}: the page says {ours!r}, the file {theirs!r}; {_WAYS}")
        if len(_flat(stated, key)) != len(_flat(kept, key)):
            raise FiguresError(f"{path}: page and file do not have as many {key}; {_WAYS}")


_WAYS = "--measured keeps what the page says, --restore writes what the file says"


def _flat(kept: Kept, key: str) -> list[str]:
    """Returns the values, or the cells of the tables, one after another."""
    if key == "values":
        return list(kept.get("values", ()))
    tables = kept.get("tables", ())
    return [cell for table in tables for row in (table["columns"], *table["rows"]) for cell in row]


def keep(path: str) -> None:
    """Keeps what a block says now, with the present version, commit and digests.

    Raises:
        FiguresError: there is no such block.
    """
    own, _, name = path.partition("/")
    pages = {stem(page): page for page in page_paths()}
    text = pages[own].read_text("utf-8") if own in pages else ""
    blocks = {match[1]: _AGE.sub("", match[2]) for match in _BLOCK.finditer(text)}
    kept = read_kept(own)
    if name not in blocks and "by" not in kept.get(name, {}):
        raise FiguresError(f"{path}: no page has such a block")
    before = kept.get(name, {})
    found: Kept = {"version": __version__, "commit": find_commit()}
    found["measured"] = {each: digest_now(each) for each in before.get("measured", ())}
    stated = {"by": before["by"]} if "by" in before else read_block(blocks[name])
    write_aside(FOLDER / f"{own}.json", kept_text({**kept, name: found | stated}))


def kept_text(kept: Mapping[str, Kept]) -> str:
    """Returns the text of a file: JSON with a line for each row of a table."""
    text = json.dumps(kept, indent=1, ensure_ascii=False)
    flat = re.compile(r"\[\n((?: *\"(?:[^\"\\]|\\.)*\",?\n)+) *\]")
    return (
        flat.sub(lambda match: f"[{' '.join(map(str.strip, match[1].splitlines()))}]", text) + "\n"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the pages; exit code 2 if figures and files differ, and nothing is written then."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--measured", nargs="+", default=[], metavar="PAGE/NAME")
    parser.add_argument("--restore", nargs="+", default=[], metavar="PAGE/NAME")
    options = parser.parse_args(arguments)
    texts, faults = {}, []
    for path in options.measured:
        try:
            keep(path)
        except FiguresError as error:
            faults.append(str(error))
    for page in page_paths():
        try:
            texts[page] = written(page, options.restore)
        except FiguresError as error:
            faults.append(str(error))
    if faults:
        print(*(f"figures: {fault}" for fault in faults), sep="\n", file=sys.stderr)
        return 2
    for page, text in texts.items():
        if text != page.read_text("utf-8"):
            write_aside(page, text)
            print(f"wrote {page.relative_to(ROOT)}")
    publish.write_beside()
    return 0


if __name__ == "__main__":
    sys.exit(main())
