"""Converting actions to text and back, over the whole space."""

import pytest

from gonzaga_env.core.board.actions import NUM_PLANS, plan_action, plan_cards
from gonzaga_env.core.board.edition import Edition
from gonzaga_env.core.board.notation import ActionCodec
from gonzaga_env.tabletop.errors import ActionError


@pytest.fixture(scope="module")
def codec(europe: Edition) -> ActionCodec:
    return ActionCodec(europe)


def test_blocks_fill_the_space_in_order(codec: ActionCodec) -> None:
    h = codec.num_hexes
    blocks = [codec.plan, codec.fief, codec.ring, codec.rings]
    assert [block.stop - block.start for block in blocks] == [42, 6 * h, h, 3 * h]
    assert [block.start for block in blocks[1:]] == [block.stop for block in blocks[:-1]]
    assert (codec.donate, codec.size) == (blocks[-1].stop, blocks[-1].stop + 1)


def test_plans_and_their_cards_are_inverse() -> None:
    assert [plan_action(*plan_cards(plan)) for plan in range(NUM_PLANS)] == list(range(NUM_PLANS))


@pytest.mark.parametrize("fief", [None, 1, 12])
def test_every_action_has_a_text_that_parses_back(codec: ActionCodec, fief: int | None) -> None:
    grid, texts = codec.edition.grid, set()
    for action in range(codec.size):
        off_map = (
            codec.rings.start <= action < codec.rings.stop
            and grid.neighbors[
                (action - codec.rings.start) % codec.num_hexes,
                (action - codec.rings.start) // codec.num_hexes,
            ]
            == codec.num_hexes
        )
        if off_map:  # in the space, but without a text
            with pytest.raises(ActionError, match="off the map"):
                codec.to_text(action)
            continue
        text = codec.to_text(action, fief)
        assert codec.parse(text) == action
        texts.add(text)
    assert len(texts) > 0.95 * codec.size


def test_texts_of_the_design(codec: ActionCodec) -> None:
    row, col = codec.edition.grid.cells[7]
    assert codec.to_text(plan_action(1, 1)) == "Francia B"
    assert codec.to_text(plan_action(3, 2, True)) == "Italia C + privilege"
    assert codec.to_text(plan_action(6, 0)) == "inactive A"
    placement = codec.fief.start + 2 * codec.num_hexes + 7
    assert codec.to_text(placement, fief=5) == f"fief 5 r2 @ {row},{col}"
    assert codec.to_text(codec.ring.start + 7) == f"ring {row},{col}"
    assert codec.to_text(codec.donate) == "donate"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Francia",
        "Francia D",
        "Atlantis B",
        "Francia B + privileges",
        "fief 13 r0 @ 9,9",
        "fief 0 r0 @ 9,9",
        "fief 1 r6 @ 9,9",
        "fief 1 r0 @ 99,9",
        "ring 9,9 9,10",
        "rings 9,9",
        "rings 9,9 9,8",  # the western one comes first
        "rings 9,4 9,9",
        "Donate",
    ],
)
def test_other_texts_are_refused(codec: ActionCodec, text: str) -> None:
    with pytest.raises(ActionError, match=r"\S"):
        codec.parse(text)


@pytest.mark.parametrize("action", [-1, 10**6])
def test_indices_outside_are_refused(codec: ActionCodec, action: int) -> None:
    with pytest.raises(ActionError, match="not in the space"):
        codec.to_text(action)
