"""Tables as lines of text."""

from __future__ import annotations

from gonzaga_env.kernel.text_table import markdown_table, text_table

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
