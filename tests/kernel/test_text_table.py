"""Tables as lines of text."""

from __future__ import annotations

import pytest

from gonzaga_env.kernel.text_table import folded, markdown_table, shortened, text_table

_ROWS = [("agent", "games"), ("greedy", "12"), ("\x1b[31mred", "1,234")]


def test_numbers_are_set_to_the_right_and_control_characters_replaced() -> None:
    assert list(text_table(_ROWS)) == [
        "agent     games",
        "--------  -----",
        "greedy       12",
        "\ufffd[31mred  1,234",
    ]


def test_markdown_has_a_rule_that_sets_numbers_to_the_right() -> None:
    assert list(markdown_table(_ROWS[:2])) == [
        "| agent | games |",
        "| --- | ---: |",
        "| greedy | 12 |",
    ]


def test_a_long_cell_takes_several_lines() -> None:
    rows = [("agent", "games"), ("checkpoint:0000200704", "12")]
    assert list(text_table(rows, fold=12))[2:] == ["checkpoint:     12", "0000200704"]


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("greedy", ["greedy"]),
        ("checkpoint:0000200704", ["checkpoint:", "0000200704"]),
        (
            "runs/first_long_name/checkpoints/0000150528.zip",
            ["runs/first_long_", "name/", "checkpoints/", "0000150528.zip"],
        ),
        ("a" * 30, ["aaaaaaa…aaaaaaaa"]),
        ("", [""]),
    ],
)
def test_long_names_are_folded_between_words(name: str, lines: list[str]) -> None:
    assert folded(name, 16) == lines


def test_long_texts_lose_their_middle() -> None:
    assert shortened("a" * 20 + "b" * 20, 10) == "aaaa…bbbbb"
