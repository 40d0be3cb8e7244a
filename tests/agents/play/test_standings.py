"""Tables, pages and figures of given standings."""

import io
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from gonzaga_agents.play.ratings import Mix, Rating
from gonzaga_agents.play.standings import (
    AgentStanding,
    Comparison,
    Provenance,
    Session,
    Standings,
    as_json,
    as_markdown,
    comparison_lines,
    game_line,
    notes,
    table_lines,
)
from gonzaga_agents.play.tournament import header_of
from gonzaga_agents.play.tournament_figure import draw
from gonzaga_agents.statistics import SequentialTest
from matplotlib.image import imread

from gonzaga_env.core import GameConfig, Rules
from gonzaga_env.intervals import Estimate

WON, EVEN, LOST = Estimate(0.8, 0.7, 0.9), Estimate(0.5, 0.4, 0.6), Estimate(0.2, 0.1, 0.3)
PLAYED = Provenance(
    header_of(GameConfig(2), 0),
    (Session("2026-11-20"), Session("2026-11-21")),
    {"runs/first": 120},
)


def agent(name: str, rating: float, low: float | None, high: float | None) -> AgentStanding:
    return AgentStanding(name, None, 1200, Rating(rating, low, high), EVEN, Estimate(90.5, 88, 93))


STANDINGS = Standings(
    num_players=2,
    tables=3,
    deals=400,
    games=2400,
    shared=0.0125,
    anchor="greedy",
    agents=(
        agent("runs/first|a", 1250.4, 1100.2, None),
        agent("greedy", 1000, 1000, 1000),
        agent("[red]mine", -20, None, 30.6),
    ),
    pairs=((None, WON, LOST), (LOST, None, EVEN), (WON, EVEN, None)),
    equal=(("greedy", "[red]mine"),),
    cycles=(("runs/first|a", "greedy", "[red]mine"),),
    mix=Mix((0.25, 0.748, 0.002), (0.5, 0.5, 0.412)),
)


def test_the_terminal_shows_ratings_pairs_and_notes() -> None:
    text = "\n".join(table_lines(STANDINGS))
    for words in (
        "2 players",
        "at least 1100",
        "anchor",
        "at most 31",
        "1,200",
        "80+",
        "20-",
        "[red]mine",
        "Can't be told apart (95%): greedy and [red]mine.",
    ):
        assert words in text
    joined = " ".join(text.split())
    assert "A cycle: runs/first|a beats greedy beats [red]mine beats runs/first|a." in joined
    mix = "The mix that no agent beats: runs/first|a 25% and greedy 75%. "
    assert f"{mix}Won against it: [red]mine 41.2%." in joined
    assert "No game bounds the rating of runs/first|a and [red]mine on one side" in joined
    assert "1250" not in text, "a rating that no game bounds is a guess"
    assert max(map(len, text.splitlines())) <= 80


def test_ten_agents_fit_80_columns() -> None:
    names = [f"runs/a_long_name_of_a_run/checkpoints/{i:010}.zip" for i in range(10)]
    table = replace(
        STANDINGS,
        agents=tuple(agent(name, 1000, 900, 1100) for name in names),
        pairs=tuple(tuple(None if i == j else EVEN for j in range(10)) for i in range(10)),
        mix=None,
    )
    text = "\n".join(table_lines(table))
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    rows = [line for line in text.splitlines() if line.count("50 ") > 1]
    assert [line.count("50") for line in rows] == [9] * 10


def test_notes_are_only_of_what_there_is() -> None:
    plain = replace(STANDINGS, agents=STANDINGS.agents[1:2], equal=(), cycles=(), mix=None)
    plain = replace(plain, num_players=4)
    assert len(notes(plain)) == 2
    assert "4 seat rotations" in notes(plain)[0]
    assert "A fair win share is 25.0%" in notes(plain)[0]


def test_the_page_holds_tables_provenance_and_command() -> None:
    page = as_markdown(PLAYED, [STANDINGS], "python evaluate.py x", "a.png")
    for words in (
        "| 1 | `runs/first\\|a` | at least 1100 | open | 50.0% | 90.5 | 1,200 |",
        "| 1 | `runs/first\\|a` |  | **80.0** | **20.0** |",
        "| 2 | `greedy` | **20.0** |  | 50.0 |",
        "2,400 games of Gonzaga (europe, a reconstruction), drawn scenarios. "
        "Played 2026-11-20 and 2026-11-21 with gonzaga_env",
        "    python evaluate.py x\n",
        "![Ratings](a.png)",
        "runs/first has changed since 120 games were played, which do not count.",
        "greedy and \\[red\\]mine",
    ):
        assert words in page
    tables = re.findall(r"(?:^\|.*\n)+", page, re.MULTILINE)
    assert len(tables) == 2
    for table in tables:
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(widths) == 1, "as many cells in every row"
    assert "](a.png)" not in as_markdown(PLAYED, [STANDINGS], "x")


def test_names_of_others_are_shown_as_they_are() -> None:
    played = replace(PLAYED, header=PLAYED.header | {"edition": "`<b>"})
    agents = replace(STANDINGS.agents[0], name="a`b"), *STANDINGS.agents[1:]
    page = as_markdown(played, [replace(STANDINGS, agents=agents)], "x")
    assert "Gonzaga (\\`\\<b\\>" in page
    assert "| ``a`b`` |" in page


def test_json_is_plain_data() -> None:
    data = as_json(PLAYED, [STANDINGS])
    assert json.loads(json.dumps(data)) == json.loads(json.dumps(data))
    assert data["standings"][0]["agents"][0]["rating"] == {
        "rating": 1250.4,
        "low": 1100.2,
        "high": None,
        "text": "at least 1100",
    }
    assert data["header"]["seed"] == 0


def test_scenario_and_unusual_rules_are_named() -> None:
    config = GameConfig(3, "Colombo", rules=Rules("first_only"))
    line = game_line(Provenance(header_of(config, 0), (), {}))
    assert line == "Gonzaga (europe, a reconstruction), scenario Colombo, sea_league first_only."


@pytest.mark.parametrize(
    ("decision", "words"),
    [
        (
            SequentialTest(0.25, True, 30, 0.5, 0.27, 0.7),
            "above the fair 25.0% after 30 deals (120",
        ),
        (SequentialTest(0.25, True, 30, 0.1, 0.0, 0.2), "below the fair 25.0% after 30 deals"),
        (
            SequentialTest(0.25, False, 30, 0.26, 0.1, 0.4),
            "not decided: 25.0% would be fair after 30",
        ),
    ],
)
def test_comparisons_say_what_was_decided(decision: SequentialTest, words: str) -> None:
    seats = (("a", 1), ("b", 1), ("c", 2))
    first, second = comparison_lines(Comparison(4, seats, 120, 100, decision))
    assert first.startswith("a against b and 2 x c: ")
    assert words in first
    assert "at most 5%" in second
    assert f"{decision.low:.1%} to {decision.high:.1%}" in second


def test_the_figure_is_a_picture_with_a_row_for_each_number_of_players() -> None:
    named = [replace(agent, name=r"$\frac{$") for agent in STANDINGS.agents]
    table = replace(STANDINGS, agents=named, anchor=r"$\frac{$")  # no formula is drawn
    one, two = (imread(io.BytesIO(draw([table] * rows))) for rows in (1, 2))
    assert one.shape[1] == two.shape[1]
    assert two.shape[0] == pytest.approx(2 * one.shape[0], abs=2)
    assert np.ptp(one[..., :3]) > 0.5, "something is drawn"
