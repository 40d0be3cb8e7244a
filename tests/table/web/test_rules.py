"""The pages of rules: numbers, links and pictures, and the worked examples played by the engine."""

import re
from pathlib import Path
from typing import Any

import pytest
from gonzaga_table.web.rules import pictures
from gonzaga_table.web.rules.page import TEXTS, picture, rules_page

from gonzaga_env.games import game_names
from gonzaga_env.kernel.errors import IllegalActionError

RULES = Path(__file__).parents[3] / "gonzaga_env/data/rules"
PAGES = [(path.stem, path.parent.name) for path in sorted(TEXTS.glob("*/*.html"))]


def test_all_games_have_a_page() -> None:
    for code in {language for _, language in PAGES}:
        assert {name for name, language in PAGES if language == code} == {*game_names()}


@pytest.mark.parametrize(("game", "language"), PAGES)
def test_each_rule_is_stated_once_and_each_link_leads_to_one(game, language) -> None:
    page = rules_page(game, language)
    rules = re.findall(r"^- ([RTS]\d+\.\d+) ", (RULES / f"{game}.md").read_text(), re.MULTILINE)
    rules = [rule for rule in rules if not rule.startswith("R9")]  # how editions are checked
    stated = re.findall(r'id="([RTS]\d+\.\d+)"', page)
    assert sorted(stated) == sorted(rules)
    anchors = re.findall(r'id="([^"]+)"', page)
    assert len(anchors) == len({*anchors})
    assert {*re.findall(r'href="#([^"]+)"', page)} <= {*anchors}
    assert "[" not in re.sub(r"<[^>]*>", "", page), "a number was not read"


@pytest.mark.parametrize(("game", "language"), PAGES)
def test_each_picture_is_drawn_and_described(server, game, language) -> None:
    for alt, width, path in re.findall(
        r'<img [^>]*alt="([^"]*)" width="(\d+)"[^>]* src="([^"]+)"', rules_page(game, language)
    ):
        answer = server.client.get(path)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
        assert answer.text.startswith("<?xml")
        assert int(width) > 0
        assert alt or "/tile-" in path or "/die-" in path or "/hexagon" in path  # named beside it


def test_addresses_are_exact(server) -> None:
    get = server.client.get
    assert get("/rules").text == get("/rules/gonzaga").text
    assert get("/rules/signorie?language=fr").text == get("/rules/signorie").text  # not translated
    assert "<title>Signorie: die Regeln</title>" in get("/rules/signorie?language=de").text
    for path in ("/rules/chess", "/rules/gonzaga/nothing.svg", "/rules/chess/league.svg"):
        assert get(path).status_code == 404
    for path in ("/rules?language=xx", "/rules/gonzaga/league.svg?theme=pink"):
        assert get(path).status_code == 400


def table_rows(example: str, language: str) -> list[dict[str, Any]]:
    """Returns seat, plan and fief card of the rows of an example, in the order of the page."""
    page = rules_page("gonzaga", language)
    table = re.search(rf'data-example="{example}".*?</table>', page, re.DOTALL)
    rows = re.findall(
        r'data-seat="(\d)">.*?data-plan="([^"]+)">.*?</td><td>(\d+)</td>', table[0], re.DOTALL
    )
    return [{"seat": int(seat), "plan": plan, "card": int(card)} for seat, plan, card in rows]


def planned(rows: list[dict[str, Any]]) -> Any:
    """Returns a game of four with these fief cards and plans, as soon as they are open."""
    by_seat = sorted(rows, key=lambda row: row["seat"])
    game = pictures.dealt("Vespucci", [[row["card"] // 10] for row in by_seat])
    for row in by_seat:
        game.play(game.actions.parse(row["plan"]))
    return game


@pytest.mark.parametrize("language", sorted({code for game, code in PAGES if game == "gonzaga"}))
@pytest.mark.parametrize("example", ["order", "privileges"])
def test_r3_5_the_engine_orders_the_plans_as_the_page(example, language) -> None:
    rows = table_rows(example, language)
    view = planned(rows).view("public")
    assert len(rows) == 4
    assert list(view.order) == [row["seat"] for row in rows]
    assert [view.players[row["seat"]].card for row in rows] == [row["card"] for row in rows]


def test_r3_5_equal_privileges_go_by_the_fief_card() -> None:
    rows = table_rows("privileges", "en")
    alike = [{**row, "plan": row["plan"].replace("C +", "B +")} for row in rows]
    assert [row["seat"] for row in alike][:2] == [2, 0]
    assert planned(alike).view("public").order[:2] == (0, 2)


@pytest.mark.parametrize("name", pictures.POSITIONS)
def test_the_pictures_show_positions_that_were_played(name) -> None:
    position = pictures.POSITIONS[name]
    view = position.play().view("public")
    assert sum(len(moves.cells) for moves in view.fiefs) + len(view.rings) or position.refused
    assert picture("gonzaga", name, "light") != picture("gonzaga", name, "dark")


def test_r4_5_the_fief_across_the_barrier_is_refused() -> None:
    game = pictures.POSITIONS["barrier-refused"].play()
    with pytest.raises(IllegalActionError, match=r"R4\.5"):
        game.play(game.actions.parse("fief 5 r0 @ 11,8"))


def test_r6_2_the_third_harbor_makes_the_league() -> None:
    view = pictures.POSITIONS["league"].play().view("public")
    assert view.players[0].leagues == ("Oceanus Britannicus",)
    league, points = pictures.POSITIONS["league"], []
    for number in range(1, len(league.moves) + 1):
        game = pictures.Position(league.hexes, league.fiefs, league.moves[:number]).play()
        points.append(game.view("public").players[0].score)
    assert points[-1] - points[-3] == 13  # Rouen, and the league


def test_r8_1_the_group_has_four_pieces() -> None:
    assert pictures.POSITIONS["group"].play().view("public").players[0].largest_group == 4


def test_r5_4_the_ring_shares_a_hex() -> None:
    view = pictures.POSITIONS["two-rings"].play().view("public")
    held = {ring.cell for ring in view.rings} & {*view.fiefs[0].cells}
    assert (view.fiefs[0].seat, view.rings[0].seat, held) == (1, 0, {(9, 7)})


@pytest.mark.parametrize(
    "path",
    [
        *("/rules/%2e%2e", "/rules/gonzaga/%2e%2e.svg", "/rules/..%2fapp", "/rules/gonzaga/.svg"),
        *("/rules/" + "a" * 1_900, "/rules/%00", "/rules/gonzaga/%f0%9f%98%80.svg"),
    ],
)
def test_strange_addresses_are_refused_shortly(server, path) -> None:
    answer = server.client.get(path)
    assert answer.status_code == 404
    assert len(answer.content) < 500
