"""What pages get from the server of games that are shown as blocks of drawings."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from gonzaga_table.choices import turn_of
from gonzaga_table.parts import table_parts
from gonzaga_table.viewer_log import ViewerLog
from gonzaga_table.web.picture import blocks_json, frame_texts, look, turn_json
from gonzaga_table.web.values import as_json

from gonzaga_env.games import game_spec
from gonzaga_env.render.games import game_pictures
from gonzaga_env.render.palette import LIGHT
from gonzaga_env.render.svg import elements

#: What players are called: no sentence holds these words beside them.
NAMES = ("Ada", "Bo 1", "Bo 2", "Player 4")


def answers(game: str, num_players: int, seed: int, **options: Any) -> Iterator[str]:
    """Yields as JSON what pages get of a game that is played at random: look, positions, turns."""
    spec = game_spec(game)
    config = spec.config(num_players=num_players, **options)
    played, rng = spec.game.from_config(config, seed), np.random.default_rng(seed)
    names = NAMES[:num_players]
    logs = [ViewerLog(played, viewer, names) for viewer in (0, "public")]
    moves: list[tuple[int, int]] = []
    yield as_json(look(config.edition, LIGHT))
    yield as_json({"advice": table_parts(game).advice})
    while True:
        for log in logs:
            frame = log.frame(moves, len(moves))
            told = frame_texts(frame.view, game)
            yield as_json({"lines": frame.lines, "stage": told["stage"], "note": told["note"]})
            yield blocks_json(config.edition, None, frame.view, LIGHT)
            scene = game_pictures(game).board(config.edition, frame.view, LIGHT)
            yield as_json({"board": elements(scene.layers)})
        turn = turn_of(played)
        if turn is None:
            return
        yield turn_json(turn, config.edition, played.view(played.seat, names=names))
        action = int(rng.choice(np.flatnonzero(played.mask())))
        moves.append((played.seat, action))
        played.play(action)
        for log in logs:
            log.extend(moves)


def block_names(game: str) -> set[str]:
    """Returns what the blocks of a game are called."""
    spec = game_spec(game)
    config = spec.config(num_players=2)
    view = spec.game.from_config(config, 0).view(0)
    return {block["name"] for block in json.loads(blocks_json(config.edition, None, view, LIGHT))}
