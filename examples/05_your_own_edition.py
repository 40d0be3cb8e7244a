"""Your own edition.

You copy the shipped map, change it, check it for faults, draw it, and measure whether games change.
If you own the printed game, you can enter it in the same files.
"""

# %%
import shutil
from pathlib import Path

import numpy as np
from gonzaga_agents import evaluate

import gonzaga_env
from gonzaga_env import GameConfig, load_edition
from gonzaga_env.core import EditionError, read_records

DEALS = 100  # of each match; every deal is played from both seats
OUT = Path("runs/own_edition")  # the folder for the edition, records and pictures
OUT.mkdir(parents=True, exist_ok=True)

# %% [markdown]
# ## Copy
#
# An edition is a folder with four text files. The map is a grid with one mark per hex: letters for
# regions and digits for seas. Odd rows are shifted half a hex east.

# %%
folder = OUT / "bridge"
shutil.copytree(load_edition("europe").source, folder, dirs_exist_ok=True)
print(*sorted(path.name for path in folder.iterdir()))
board = (folder / "board.toml").read_text("utf-8")
print(board[: board.index("[[city]]")])

# %% [markdown]
# ## Change and check
#
# Barriers keep fiefs from crossing mountains. What if there were none? `load_edition` checks an
# edition against the rules and lists all faults.


# %%
def save(board):
    """Writes the board and prints its faults, if any."""
    (folder / "board.toml").write_text(board, "utf-8")
    try:
        print(f"no faults: {load_edition(folder)}")
    except EditionError as error:
        print(error)


save(board[: board.index("[[barrier]]")])

# %% [markdown]
# So barriers are needed: without them one fief could cover four cities. Another idea is a land
# bridge between Rouen and London, in rows 7 and 8 of the map (counted from 0):

# %%
ROWS = {
    " 2 2 2 2 B B B 2 F G": " 2 2 2 2 B B B F F G",
    "2 2 2 2 2 2 2 2 F F G": "2 2 2 2 2 2 F F F F G",
}
bridge = board.replace('name = "Europe"', 'name = "Bridge"')
for old, new in ROWS.items():
    bridge = bridge.replace(old, new)
save(bridge)

# %% [markdown]
# Rouen is no longer next to the sea. We leave the hex north-west of it as sea:

# %%
save(bridge.replace("2 2 2 2 2 2 F F F F G", "2 2 2 2 2 2 2 F F F G"))

# %% [markdown]
# ## Draw
#
# The same on the command line: `gonzaga edition check FOLDER`, and
# `edition draw FOLDER --out map.svg`, which also draws an edition with faults.

# %%
gonzaga_env.draw(folder, OUT / "map.svg")

# %% [markdown]
# ## Play
#
# The folder works wherever `"europe"` does. All placements are computed once. Castles must be on
# land, so more land means more placements:

# %%
for edition in ("europe", folder):
    tables = GameConfig(num_players=2, edition=edition).tables
    possible = (tables.placements.fault == 0)[: 72 * tables.num_hexes]  # 12 fiefs, 6 rotations
    print(f"{tables.edition.name}: {possible.sum()} placements of fiefs on the empty map")

# %% [markdown]
# Does the bridge change games? Both editions have the same cards, so a seed gives the same deals,
# and we measure the difference deal by deal ([why](02_benchmarks.ipynb)).

# %%
BRIDGE = [[7, 7], [8, 7]]


def play(edition):
    """Plays planners; returns their points and how often the bridge is used, [deals] each."""
    records = OUT / "games.jsonl"
    evaluate(["planner", "planner"], deals=DEALS, seed=1, edition=edition, records=records)
    games = {}
    for record in read_records(records):
        used = any(hex_ in move.get("covers", ()) for move in record["moves"] for hex_ in BRIDGE)
        deal = record["seed"], record["episode"]
        games.setdefault(deal, []).append((np.mean(record["scores"]["total"]), used))
    return np.array([games[deal] for deal in sorted(games)]).mean(axis=1).T


before, after = play("europe"), play(folder)
for what, old, new in zip(("points", "games that use the two hexes"), before, after, strict=True):
    difference = new - old
    margin = 1.96 * difference.std(ddof=1) / len(difference) ** 0.5
    print(f"{what}: {old.mean():.2f}, with the bridge {new.mean():.2f}, ", end="")
    print(f"difference {difference.mean():+.2f} ± {margin:.2f}")

# %% [markdown]
# As land, the two hexes are covered in more games. Points hardly change: any difference is too
# small for this number of deals.
#
# Next: [search from a position](06_search.ipynb)
