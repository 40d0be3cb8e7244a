"""Makes the data sets that ship with a release: python tools/release_data.py --out dist/data.

Each becomes two archives, of games and of Parquet files. The same version makes the same games;
archives of Parquet depend on the version of pyarrow too. The command continues where it was
interrupted.
"""

from __future__ import annotations

import argparse
import sys
import zipfile
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from gonzaga_agents.common.extras import install_hint
from gonzaga_agents.dataset import Recipe, recipe_of, write_games, write_parquet
from gonzaga_agents.units import open_executor
from gonzaga_agents.units.entrants import identify

from gonzaga_env.command_line import run_command
from gonzaga_env.games import game_spec
from gonzaga_env.tabletop.writing import open_aside, write_aside


@dataclass(frozen=True)
class Release:
    """A data set that ships."""

    name: str
    game: str
    players: int
    agents: tuple[str, ...]
    games: int

    def recipe(self) -> Recipe:
        """Returns what decides its games."""
        config = game_spec(self.game).config(num_players=self.players)
        return recipe_of(config, [identify(agent) for agent in self.agents], self.games, None, 0)


RELEASES = (
    Release("gonzaga-planner-4", "gonzaga", 4, ("planner",), 960),
    Release("gonzaga-mixed-3", "gonzaga", 3, ("planner", "greedy", "random"), 720),
    Release("tuscany-random-4", "tuscany", 4, ("random",), 240),
)
_DATE = (1980, 1, 1, 0, 0, 0)  # of all members, so that archives do not depend on the clock


def main() -> int:
    """Makes the data sets and prints a line for each archive."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("dist/data"))
    parser.add_argument("--workers", type=int)
    options = parser.parse_args()
    with open_executor("local", options.workers) as executor:
        for release in RELEASES:
            games, parquet = (
                options.out / "work" / f"{release.name}{suffix}" for suffix in ("", "-parquet")
            )
            write_parquet(write_games(release.recipe(), games, executor), parquet)
            for folder in (games, parquet):
                _pack(folder, options.out / f"{folder.name}.zip")
    return 0


def _pack(folder: Path, archive: Path) -> None:
    """Writes a folder as an archive and prints its size and digest."""
    with (
        open_aside(archive) as file,
        zipfile.ZipFile(file, "w") as packed,
    ):  # what is in it is compressed already
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            if path.name != ".lock":
                name = f"{folder.name}/{path.relative_to(folder).as_posix()}"
                packed.writestr(zipfile.ZipInfo(name, _DATE), path.read_bytes())
    digest = sha256(archive.read_bytes()).hexdigest()
    write_aside(archive.with_suffix(".zip.sha256"), f"{digest}  {archive.name}\n")
    print(f"{archive}  {archive.stat().st_size:,} bytes  sha256 {digest}")


if __name__ == "__main__":
    sys.exit(run_command("release_data", main, install_hint))
