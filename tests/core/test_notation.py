"""Converting actions to text and back, over the whole space."""

import pytest

from gonzaga_env.core.board.actions import NUM_PLANS, ActionCodec, plan_action, plan_cards
from gonzaga_env.core.edition import Edition
from gonzaga_env.kernel.errors import ActionError


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
