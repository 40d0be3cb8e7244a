"""Are ratings biased? Rates synthetic tournaments of agents whose strength is known.

    python benchmarks/rating_bias.py [--repetitions 200] [--seed 0]

The results, with this command, are in docs/tournaments.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import combinations_with_replacement, permutations

import numpy as np
from gonzaga_agents.statistics.rankings import ANCHOR_RATING, POINTS
from gonzaga_agents.statistics.strengths import ChoiceModel
from numpy.typing import NDArray

#: True ratings; the first agent is the anchor.
FIELDS = {
    "two agents": (1000, 1400),
    "the anchor amid": (1000, 600, 1400),
    "one far below": (1000, 1400, -500),
    "six agents": (1000, 600, 800, 1200, 1300, 1400),
}
DEALS = (10, 40, 200)
WITHIN = 400  # of the anchor: the ratings that are checked


def bias(
    truth: Sequence[float], num_players: int, num_deals: int, repetitions: int, seed: int = 0
) -> NDArray[np.float64]:
    """Returns by how much the ratings of tournaments exceed the truth on average, [A].

    Every mix of agents plays all deals, once per player, and games are drawn from the model. What
    depends linearly on who came in ahead of whom is 0 on average and is taken out by regression, so
    that fewer repetitions do.
    """
    num_agents, games = len(truth), num_deals * num_players
    ratings, rng = np.array(truth, dtype=np.float64), np.random.default_rng(seed)
    mixes = combinations_with_replacement(range(num_agents), num_players)
    orders = [list(permutations(mix)) for mix in mixes if len(set(mix)) > 1]
    chances = [np.array([_chance(ratings, order) for order in mix]) for mix in orders]
    ranked = [order for mix in orders for order in mix]
    model = ChoiceModel(num_agents, [(i, _places(order)) for i, order in enumerate(ranked)])
    counts = np.hstack([rng.multinomial(games, mix, size=repetitions) for mix in chances])
    found = np.array([model.fit(row)[:num_agents] for row in counts.astype(np.float64)])
    errors = ANCHOR_RATING + POINTS * (found - found[:, [0]]) - ratings
    luck = (counts - games * np.concatenate(chances)) @ _ahead(num_agents, ranked)
    columns = np.column_stack([np.ones(repetitions), luck])
    return np.linalg.lstsq(columns, errors, rcond=None)[0][0]


def _chance(ratings: NDArray[np.float64], order: Sequence[int]) -> float:
    """Returns the probability of an order of seats, best first (Plackett and Luce)."""
    strengths = np.exp((ratings[list(order)] - ANCHOR_RATING) / POINTS)
    return float(np.prod(strengths / strengths[::-1].cumsum()[::-1]))


def _places(order: Sequence[int]) -> list[tuple[int, int]]:
    return [(agent, place) for place, agent in enumerate(order)]


def _ahead(num_agents: int, ranked: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """Returns how often agent i is ahead of a later agent j in each ranking, [M, pairs]."""
    ahead = np.zeros((len(ranked), num_agents, num_agents))
    for row, order in enumerate(ranked):
        for place, agent in enumerate(order):
            for behind in order[place + 1 :]:
                ahead[row, agent, behind] += 1
    first, second = np.triu_indices(num_agents, 1)
    return (ahead - ahead.transpose(0, 2, 1))[:, first, second]


def worst(truth: Sequence[float], biases: NDArray[np.float64]) -> float:
    """Returns the bias that is farthest from 0, of agents within `WITHIN` points of the anchor."""
    near = np.abs(np.array(truth) - truth[0]) <= WITHIN
    return float(max(biases[near], key=abs))


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--repetitions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    print("| true ratings | players |", " | ".join(f"{deals} deals" for deals in DEALS), "|")
    print("|---|---:|", "---:|" * len(DEALS), sep="")
    for name, truth in FIELDS.items():
        for players in (2, 3, 4):
            found = [
                worst(truth, bias(truth, players, deals, given.repetitions, given.seed))
                for deals in DEALS
            ]
            shown = f"{name}: {', '.join(map(str, truth))}"
            print(f"| {shown} | {players} |", " | ".join(f"{b:+.1f}" for b in found), "|")


if __name__ == "__main__":
    main()
