"""Games beside their oracle, for what the table says of plans and pieces."""

from collections.abc import Iterator

import numpy as np

from gonzaga_env.core import Game, Rules
from gonzaga_env.core.config import SeaLeague
from gonzaga_env.core.edition import EDITIONS
from tests.oracle import OracleEdition, OracleGame, Plan

EDITION = OracleEdition(EDITIONS / "europe")


def oracle_of(game: Game) -> OracleGame:
    """Returns the oracle of a game that begins."""
    state, printed = game.state, game.tables.edition
    return OracleGame(
        EDITION,
        scenario=printed.scenarios[state.scenario[0]].name,
        num_players=state.num_players,
        decks=(state.deck[0] + 1).tolist(),
        objectives=[list(printed.objectives[i]) for i in state.objective[0]],
        sea_league=game.rules.sea_league,
        first_check_round=game.rules.first_check_round,
    )


def games_beside_oracles(
    num_players: int, sea_league: SeaLeague, seed: int
) -> Iterator[tuple[Game, OracleGame]]:
    """Yields a game that is played at random, with its oracle, before every move."""
    game, rng = Game(num_players, seed=seed, rules=Rules(sea_league)), np.random.default_rng(seed)
    oracle = oracle_of(game)
    while not game.finished:
        yield game, oracle
        action = game.sample_legal(rng)
        fief = game.position.fief[game.seat] + 1
        oracle.play(game.actions.to_text(action, fief))
        game.play(action)


def with_plan(oracle: OracleGame, seat: int, region: str, card: str, privilege: bool) -> None:
    """Gives a seat a plan, as if it were revealed now and paid (R3.4)."""
    oracle.plans[seat] = Plan(region, card, privilege)
    oracle.rings[seat] -= privilege
