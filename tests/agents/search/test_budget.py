"""Specs of searches: budgets and checkpoints."""

import pytest
from gonzaga_agents.search.agent import (
    DEFAULT_BUDGET,
    Budget,
    SearchSpec,
    parse_search,
)

from gonzaga_env.kernel.agent import AgentError


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("search", SearchSpec(DEFAULT_BUDGET, None)),
        ("search@64", SearchSpec(Budget(64), None)),
        ("search@2.5ms", SearchSpec(Budget(milliseconds=2.5), None)),
        ("search:learned", SearchSpec(DEFAULT_BUDGET, "learned")),
        ("search@200ms:learned", SearchSpec(Budget(milliseconds=200), "learned")),
        ("search:runs/first", SearchSpec(DEFAULT_BUDGET, "runs/first")),
        ("search@64:a:b.zip", SearchSpec(Budget(64), "a:b.zip")),
        ("greedy", None),
        ("searching.py:Class", None),
        ("research", None),
    ],
)
def test_specs(spec: str, expected: SearchSpec | None) -> None:
    assert parse_search(spec) == expected


@pytest.mark.parametrize(
    "spec",
    [
        *("search@", "search@0", "search@-3", "search@1.5", "search@0ms", "search@fast", "search:"),
        *("search@1000001", "search@3600001ms", "search@" + "9" * 5000, f"search@{'9' * 5000}ms"),
    ],
)
def test_budgets_that_cannot_be_are_refused(spec: str) -> None:
    with pytest.raises(AgentError, match=r"search@64|above 0") as found:
        parse_search(spec)
    assert len(str(found.value)) < 300


def test_a_budget_is_of_one_kind() -> None:
    with pytest.raises(AgentError, match="either playouts or milliseconds"):
        Budget()
    with pytest.raises(AgentError, match="either playouts or milliseconds"):
        Budget(3, 4.0)


def test_a_budget_reads_as_in_a_spec() -> None:
    for text in ("64", "10ms", "2.5ms"):
        spec = parse_search(f"search@{text}")
        assert spec is not None
        assert str(spec.budget) == text
