"""Texts of a picture of a game."""

import dataclasses

import pytest

from gonzaga_env.core import Engine
from gonzaga_env.core.view import PlanCards, ScoredMove
from gonzaga_env.render.gonzaga.table import locked_text, plan_text, sites_text, stage_text
from gonzaga_env.render.shapes import paragraph, text_width
from tests.conftest import played


def test_plans_are_told_as_far_as_they_are_known() -> None:
    engine = played(Engine(1, 3, seed=1), 1)
    own, public = engine.view(viewer=0), engine.view(viewer="public")
    plan = own.players[0].plan
    assert plan_text(own.players[0], own) == f"{plan.words}, sealed"
    assert plan_text(public.players[0], public) == "sealed"
    assert plan_text(public.players[1], public) == "not yet"
    placing = played(engine, 2).view(viewer="public")
    assert plan_text(placing.players[0], placing) == plan.words


@pytest.mark.parametrize(
    ("cards", "text", "locked"),
    [
        (PlanCards("Francia", "B", False), "Francia B", "Francia, B"),
        (
            PlanCards("inactive", "C", True),
            "inactive region C + King's Privilege",
            "inactive region, C, King's Privilege",
        ),
    ],
)
def test_cards_are_told_in_words(cards, text, locked) -> None:
    player = Engine(1, 2).view().players[0]
    assert cards.words == text
    assert locked_text(player) == "none"
    assert locked_text(dataclasses.replace(player, locked=cards)) == locked


def test_moves_are_told_with_sites_leagues_and_points() -> None:
    placed = ScoredMove(1, "ring 3,4", ((3, 4),), ("Roma",), ("Mare Balticum",), 13)
    assert placed.words == "ring 3,4: Roma, sea league of Mare Balticum, +13"
    assert ScoredMove(0, "donate", (), (), (), 3).words == "donate, +3"


def test_the_stage_is_told() -> None:
    view = dataclasses.replace(Engine(1, 2).view(names=["Ann", "Bob"]), round=9, open_sites=5)
    assert stage_text(view) == "Round 9: planning"
    assert sites_text(view) == "5 flourishing sites open; at 3, one round is left"
    last = dataclasses.replace(view, last_round=True)
    assert stage_text(last) == "Round 9, the last: planning"
    assert sites_text(last) == "5 flourishing sites open"
    assert (
        stage_text(dataclasses.replace(last, decision="over", to_act=None)) == "Over after 9 rounds"
    )


def test_long_texts_are_broken_into_lines_that_fit() -> None:
    text = "Nürnberg, Zaragoza, Königsberg and Saint-Malo, sea league of Oceanus Atlanticus, +22"
    lines = list(paragraph(text, (10, 20), 18, "#000000", 300, 9))
    assert " ".join(line.text for line in lines) == text
    assert all(text_width(line.text, 18) <= 300 for line in lines)
    assert [line.at[1] for line in lines] == sorted({line.at[1] for line in lines})
    short = list(paragraph(text, (10, 20), 18, "#000000", 300, 2))
    assert len(short) == 2
    assert short[1].text.endswith(" …")
    assert list(paragraph("", (0, 0), 18, "#000000", 300)) != []
