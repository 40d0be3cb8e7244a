"""What is played: every mix once, samples in balance, and chunks."""

from collections import Counter
from itertools import combinations

import pytest
from gonzaga_agents.play.games import Entrant
from gonzaga_agents.play.tournament_games import CHUNK_DEALS, chunks_of, mixes

from gonzaga_env.core import GameConfig
from gonzaga_env.kernel.errors import OptionError


def named(names: str) -> list[Entrant]:
    return [Entrant(name) for name in names]


def texts(found: list[tuple[Entrant, ...]]) -> list[str]:
    return ["".join(entrant.spec for entrant in mix) for mix in found]


def test_every_mix_plays_once() -> None:
    assert texts(mixes(named("abc"), 2)) == ["ab", "ac", "bc"]
    assert texts(mixes(named("ab"), 4)) == ["aaab", "aabb", "abbb"]
    assert texts(mixes(named("abc"), 3)) == ["aab", "aac", "abb", "abc", "acc", "bbc", "bcc"]


def test_the_order_of_the_agents_plays_no_part() -> None:
    assert mixes(named("cab"), 3) == mixes(named("abc"), 3)
    assert mixes(named("fdbace"), 4, 9) == mixes(named("abcdef"), 4, 9)


def test_a_new_agent_leaves_the_mixes_of_the_others() -> None:
    assert set(mixes(named("abc"), 4)) < set(mixes(named("abcd"), 4))


@pytest.mark.parametrize(("players", "size"), [(3, 10), (3, 20), (4, 5), (4, 12), (4, 15)])
def test_samples_are_balanced(players: int, size: int) -> None:
    sample = mixes(named("abcdef"), players, size)
    assert len(set(sample)) == size
    assert all(len(set(mix)) == players for mix in sample), "enough mixes of different agents"
    met = Counter(pair for mix in sample for pair in combinations(mix, 2))
    assert len(met) == 15
    assert max(met.values()) - min(met.values()) <= 2
    seats = Counter(entrant for mix in sample for entrant in mix)
    assert max(seats.values()) - min(seats.values()) <= 1


def test_a_large_sample_repeats_agents_and_a_larger_one_is_everything() -> None:
    assert len(mixes(named("abcde"), 4, 20)) == 20
    assert mixes(named("abcde"), 4, 1000) == mixes(named("abcde"), 4)


def test_a_sample_that_leaves_somebody_out_is_refused() -> None:
    assert {e.spec for mix in mixes(named("abcdef"), 4, 2) for e in mix} == set("abcdef")
    with pytest.raises(OptionError, match="tables is 1, which leaves no seat for"):
        mixes(named("abcdef"), 4, 1)


def test_pairs_all_play() -> None:
    assert len(mixes(named("abcdef"), 2, 3)) == 15


def test_chunks_hold_every_deal_of_every_table_once() -> None:
    tables, config = mixes(named("abc"), 2), GameConfig(2)
    chunks = chunks_of(config, tables, 2 * CHUNK_DEALS[2] + 7, seed=0)
    ids = [id_ for chunk in chunks for id_ in chunk.ids()]
    assert len(set(ids)) == len(ids) == 3 * 2 * 107
    assert [chunk.entrants for chunk in chunks[:3]] == tables, "all tables begin"
    assert [chunk.num_deals for chunk in chunks] == [50] * 6 + [7] * 3
    assert all(64 <= CHUNK_DEALS.get(p, 25) * p <= 256 for p in (2, 3, 4))
