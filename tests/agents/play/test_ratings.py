"""Ratings: the model of choices, the Elo scale, intervals that cover; pairs, cycles and mixes."""

from collections.abc import Callable
from itertools import combinations, product

import numpy as np
import pytest
from gonzaga_agents.play.ratings import (
    POINTS,
    ChoiceModel,
    PairShares,
    Ranking,
    Rating,
    choices_of,
    cycles,
    pair_shares,
    rate,
    reachable,
    unbeaten_mix,
)

from gonzaga_env.intervals import Estimate
from tests.marks import nightly

Games = list[tuple[int, Ranking]]


def tournament(rng: np.random.Generator, strengths: list[float], players: int, deals: int) -> Games:
    """Draws a tournament from the model of Plackett and Luce, P games of each table and deal."""
    games: Games = []
    for deal in range(deals):
        for table in combinations(range(len(strengths)), players):
            for _ in range(players):
                times = rng.exponential(size=players) / np.array(strengths)[list(table)]
                places = times.argsort().argsort()
                games.append((deal, [(a, int(p)) for a, p in zip(table, places, strict=True)]))
    return games


@pytest.mark.parametrize("players", [2, *nightly(3)])
def test_intervals_cover_the_truth_as_often_as_they_say(players: int) -> None:
    strengths, rng, covered = [1.0, 2.0, 4.0], np.random.default_rng(players), []
    for _ in range(60):
        found = rate(3, tournament(rng, strengths, players, 25), replicates=60)
        for strength, rating in zip(strengths[1:], found.ratings[1:], strict=True):
            truth = 1000 + POINTS * np.log(strength)
            assert rating.low is not None
            assert rating.high is not None
            covered.append(rating.low <= truth <= rating.high)
    # 120 intervals: 95 % of them are 114; 60 replicates and few deals make them a bit narrow.
    assert 104 <= sum(covered) <= 119


def test_games_of_a_deal_count_as_one_sample() -> None:
    """Playing each game four times over, which adds no information, leaves the intervals alone.

    The rating moves a bit, since its bias is that of as many independent games.
    """
    rng = np.random.default_rng(3)
    games = tournament(rng, [1.0, 3.0], 2, 60)
    once, often = rate(2, games), rate(2, games * 4)
    assert often.ratings[1].rating == pytest.approx(once.ratings[1].rating, abs=3)
    widths = [r.ratings[1].high - r.ratings[1].low for r in (once, often)]  # type: ignore[operator]
    assert widths[0] == pytest.approx(widths[1], rel=0.05)


def test_the_scale_is_elos() -> None:
    """Ten victories to one are 400 points."""
    games = [(d, [(0, 1), (1, 0)]) for d in range(1000)] + [
        (d, [(0, 0), (1, 1)]) for d in range(100)
    ]
    found = rate(2, games, replicates=20)
    assert found.ratings[0].rating == 1000
    assert found.ratings[1].rating == pytest.approx(1400, abs=3)
    assert rate(2, games, anchor=1, replicates=20).ratings[0].rating == pytest.approx(600, abs=3)


def test_an_agent_that_always_wins_has_a_finite_rating_and_an_open_end() -> None:
    games: Games = [(d, [(0, 1), (1, 0)]) for d in range(100) for _ in range(2)]
    best = rate(2, games, replicates=50).ratings[1]
    assert 1300 < best.rating < 3000
    assert best.low is not None
    assert 1000 < best.low < best.rating
    assert best.high is None
    assert best.text == f"at least {best.low:.0f}"
    worst = rate(2, games, anchor=1, replicates=50).ratings[0]
    assert worst.low is None
    assert worst.high is not None
    assert worst.text == f"at most {worst.high:.0f}"


def test_the_bound_is_what_the_games_exclude() -> None:
    """Who loses with a chance of p or more wins all of n games with (1 - p)^n or less: 2.5 %."""
    games: Games = [(d, [(0, 1), (1, 0)]) for d in range(100)]
    low = rate(2, games).ratings[1].low
    excluded = 1 - 0.025 ** (1 / 100)
    assert low == pytest.approx(1000 + POINTS * np.log(1 / excluded - 1), abs=40)


@pytest.mark.parametrize(
    ("rating", "text", "interval"),
    [
        (Rating(1250.4, 1100.2, 1400.0), "1250", "1100 to 1400"),
        (Rating(1250.4, 1100.2, None), "at least 1100", "open"),
        (Rating(729.0, None, 943.4), "at most 943", "open"),
        (Rating(1000.0, None, None), "unknown", "open"),
    ],
)
def test_a_rating_that_no_game_bounds_shows_its_bound(
    rating: Rating, text: str, interval: str
) -> None:
    assert (rating.text, rating.interval) == (text, interval)


def test_ends_are_open_where_no_chain_of_games_leads_to_the_anchor() -> None:
    """0 loses to 1, which trades victories with 2, which beats 3; 3 and 4 share a victory."""
    games: Games = []
    for deal in range(20):
        games += [(deal, [(0, 1), (1, 0)]), (deal, [(1, deal % 2), (2, 1 - deal % 2)])]
        games += [(deal, [(2, 0), (3, 1)]), (deal, [(3, 0), (4, 0)])]
    open_ends = [(r.low is None, r.high is None) for r in rate(5, games, 1, 20).ratings]
    assert open_ends == [
        (True, False),
        (False, False),
        (False, False),
        (True, False),
        (True, False),
    ]


def test_all_ties_are_equal_strengths() -> None:
    found = rate(2, [(d, [(0, 0), (1, 0)]) for d in range(30)], replicates=20)
    assert found.ratings[1].rating == pytest.approx(1000, abs=1)
    assert found.equal == ((0, 1),)


def test_equals_are_named_and_others_are_not() -> None:
    games = tournament(np.random.default_rng(5), [1.0, 1.0, 8.0], 2, 60)
    assert rate(3, games, replicates=100).equal == ((0, 1),)


def test_the_same_games_give_the_same_ratings() -> None:
    games = tournament(np.random.default_rng(6), [1.0, 2.0, 3.0, 4.0], 4, 10)
    assert rate(4, games, replicates=20) == rate(4, games, replicates=20)


def test_paths_lead_over_several_steps() -> None:
    steps = np.zeros((4, 4), dtype=np.bool_)
    steps[0, 1] = steps[1, 2] = steps[2, 1] = True
    expected = [[0, 1, 1, 0], [0, 1, 1, 0], [0, 1, 1, 0], [0, 0, 0, 0]]
    assert reachable(steps).astype(int).tolist() == expected


def test_a_ranking_is_a_sequence_of_choices() -> None:
    assert choices_of([(2, 1), (0, 0), (1, 2)]) == [((0, 1, 2), (0,)), ((1, 2), (2,))]
    assert choices_of([(0, 0), (1, 1), (1, 0), (2, 3)]) == [((0, 1, 1, 2), (0, 1)), ((1, 2), (1,))]
    assert choices_of([(0, 0), (1, 0)]) == [((0, 1), (0, 1))]


def probability(strengths: np.ndarray, ties: dict[int, float], ranking: Ranking) -> float:
    """Returns the probability of a ranking, from the formula and over sets of seats."""
    left, found = list(ranking), 1.0
    while len(left) > 1:
        best = min(place for _, place in left)
        subsets = [
            [seat for seat, chosen in zip(left, picks, strict=True) if chosen]
            for picks in product((False, True), repeat=len(left))
            if any(picks)
        ]

        def weight(seats: list[tuple[int, int]]) -> float:
            mean = np.prod([strengths[agent] for agent, _ in seats]) ** (1 / len(seats))
            return ties.get(len(seats), 0.0) * float(mean)

        found *= weight([seat for seat in left if seat[1] == best]) / sum(map(weight, subsets))
        left = [seat for seat in left if seat[1] != best]
    return found


def test_the_loss_is_that_of_the_formula() -> None:
    games: list[Ranking] = [
        [(0, 0), (1, 1), (2, 2)],
        [(1, 0), (1, 1), (2, 0)],
        [(2, 0), (0, 1), (1, 1)],
        [(0, 0), (0, 0), (2, 0)],
    ]
    model = ChoiceModel(3, list(enumerate(games)))
    strengths, ties = np.array([1.0, 2.0, 0.5]), {1: 1.0, 2: 0.3, 3: 0.1}
    parameters = np.log([*strengths, ties[2], ties[3]])
    base, others = np.zeros(model.counts.shape[1]), []
    for row in range(4):
        weights = model.counts[[row]].toarray()[0]
        others.append(model.loss(parameters, weights)[0] - model.loss(parameters, base)[0])
    expected = [-np.log(probability(strengths, ties, game)) for game in games]
    np.testing.assert_allclose(others, expected)


@pytest.mark.parametrize("loss", [ChoiceModel.loss, ChoiceModel.penalized_loss])
def test_gradients_are_derivatives(loss: Callable[..., tuple[float, np.ndarray]]) -> None:
    model, weights, at, steps = slopes()
    up, down = ([loss(model, at + s * step, weights)[0] for step in steps] for s in (1, -1))
    gradient = (np.array(up) - down) / 2e-5
    np.testing.assert_allclose(loss(model, at, weights)[1], gradient, atol=1e-6)


def test_the_hessian_is_the_derivative_of_the_gradient() -> None:
    model, weights, at, steps = slopes()
    up, down = ([model.loss(at + s * step, weights)[1] for step in steps] for s in (1, -1))
    np.testing.assert_allclose(model.hessian(at, weights), (np.array(up) - down) / 2e-5, atol=1e-6)


def slopes() -> tuple[ChoiceModel, np.ndarray, np.ndarray, np.ndarray]:
    """Returns a model, weights, parameters and small steps."""
    rng = np.random.default_rng(0)
    model = ChoiceModel(3, [(d, draw(rng, np.array([1, 2, 3.0]), 0.4)) for d in range(9)])
    weights, at = (
        rng.random(model.counts.shape[1]),
        rng.normal(size=3 + 2)[: len(model.fit())],
    )
    steps = 1e-5 * np.eye(len(at))
    return model, weights, at, steps


def draw(rng: np.random.Generator, strengths: np.ndarray, tie: float) -> Ranking:
    """Draws a ranking of all agents from the model, with ties of two."""
    left, places = list(range(len(strengths))), {}
    while left:
        options = [(i,) for i in left] + [(i, j) for i in left for j in left if i < j]
        weights = [
            np.prod(strengths[list(o)]) ** (1 / len(o)) * (tie if len(o) > 1 else 1)
            for o in options
        ]
        chosen = options[rng.choice(len(options), p=np.array(weights) / sum(weights))]
        places |= dict.fromkeys(chosen, len(strengths) - len(left))
        left = [i for i in left if i not in chosen]
    return list(places.items())


@pytest.mark.parametrize("num_agents", [2, 3, 4])
def test_known_strengths_and_ties_are_found(num_agents: int) -> None:
    rng = np.random.default_rng(num_agents)
    strengths = np.array([1.0, 2.0, 4.0, 0.5])[:num_agents]
    games = [(d, draw(rng, strengths, 0.25)) for d in range(3000)]
    found = ChoiceModel(num_agents, games).fit()
    np.testing.assert_allclose(found[1:num_agents] - found[0], np.log(strengths[1:]), atol=0.15)
    assert np.exp(found[num_agents]) == pytest.approx(0.25, abs=0.05)


def test_two_players_are_davidsons_model() -> None:
    """Its likelihood equations (1970): points won and ties are those that are expected."""
    games = (
        [(0, [(0, 0), (1, 1)])] * 60 + [(1, [(0, 1), (1, 0)])] * 25 + [(2, [(0, 0), (1, 0)])] * 15
    )
    model = ChoiceModel(2, games)
    one, two, log_tie = model.fit_weighted(np.ones(3), np.zeros((2, 2)))
    a, b, tie = np.exp([one, two, (one + two) / 2 + log_tie])
    np.testing.assert_allclose(np.array([a, b, tie]) / (a + b + tie), [0.6, 0.25, 0.15], atol=1e-3)


def test_a_half_is_added_to_victories_and_defeats() -> None:
    """Jeffreys' prior of two agents: also in Firth (1993), and finite for who lost every game."""
    for won, lost in ((7, 3), (10, 0)):
        games = [[(0, 0), (1, 1)], [(0, 1), (1, 0)]]
        model = ChoiceModel(2, list(enumerate(games)))
        one, two = model.fit(np.array([won, lost], dtype=float))
        assert one - two == pytest.approx(np.log((won + 0.5) / (lost + 0.5)), abs=1e-4)


def test_two_copies_of_an_agent_say_nothing_about_it() -> None:
    model = ChoiceModel(2, [(0, [(0, 0), (0, 1)])] * 50)
    found = model.fit()
    assert found[0] == pytest.approx(found[1], abs=1e-6)


def test_weights_stand_for_repetitions() -> None:
    rng = np.random.default_rng(1)
    games = [draw(rng, np.array([1.0, 3.0, 2.0]), 0.1) for _ in range(40)]
    model = ChoiceModel(3, list(enumerate(games)))
    twice = ChoiceModel(3, [*enumerate(games), *enumerate(games[:20])])
    weights = np.repeat([2.0, 1.0], 20)
    once, repeated = (
        m.fit_weighted(w, np.ones((3, 3))) for m, w in ((model, weights), (twice, np.ones(40)))
    )
    np.testing.assert_allclose(once, repeated, atol=1e-4)


def test_shares_count_victories_and_half_of_ties() -> None:
    games = [(0, [(0, 0), (1, 1)]), (0, [(0, 0), (1, 0)]), (1, [(0, 1), (1, 0)])]
    shares = pair_shares(3, games)
    assert shares[0][1] is not None
    assert shares[1][0] is not None
    assert shares[0][1].mean == pytest.approx((0.75 + 0) / 2)  # the mean over deals
    assert shares[1][0].mean == pytest.approx(1 - shares[0][1].mean)
    assert shares[0][0] is None
    assert shares[0][2] is None


def test_at_a_table_every_seat_meets_every_other_agents_seats() -> None:
    games = [(deal, [(0, 0), (1, 1), (1, 2), (2, 1)]) for deal in range(5)]
    shares = pair_shares(3, games)
    means = [[None if share is None else share.mean for share in row] for row in shares]
    assert means == [[None, 1, 1], [0, None, 0.25], [0, 0.75, None]]


def beaten(size: int, *victories: tuple[int, int], low: float = 0.6) -> PairShares:
    """Returns shares in which some agents beat others and the rest is even."""
    won, lost = Estimate(0.7, low, 0.8), Estimate(0.3, 0.2, 1 - low)
    shares: list[list[Estimate | None]] = [[Estimate(0.5, 0.4, 0.6)] * size for _ in range(size)]
    for i in range(size):
        shares[i][i] = None
    for i, j in victories:
        shares[i][j], shares[j][i] = won, lost
    return tuple(map(tuple, shares))


def test_cycles_are_found_and_orders_are_not() -> None:
    assert cycles(beaten(3, (0, 1), (1, 2), (2, 0))) == ((0, 1, 2),)
    assert cycles(beaten(3, (0, 1), (1, 2), (0, 2))) == ()
    assert cycles(beaten(4, (0, 1), (1, 2), (2, 3), (3, 0))) == ((0, 1, 2, 3),)


def test_all_triples_of_a_group_are_listed() -> None:
    victories = [(0, 1), (1, 2), (2, 3), (3, 0), (1, 3)]
    assert cycles(beaten(4, *victories)) == ((0, 1, 3),)
    assert cycles(beaten(4, *victories, (2, 0))) == ((0, 1, 2), (0, 1, 3))
    two = [(0, 2), (2, 4), (4, 0), (1, 3), (3, 5), (5, 1)]
    assert cycles(beaten(6, *two)) == ((0, 2, 4), (1, 3, 5))


def test_a_victory_within_its_interval_makes_no_cycle() -> None:
    assert cycles(beaten(3, (0, 1), (1, 2), (2, 0), low=0.45)) == ()


ROCK_PAPER_SCISSORS = [[0.5, 0.2, 0.8], [0.8, 0.5, 0.2], [0.2, 0.8, 0.5]]


def table(shares: object) -> PairShares:
    return tuple(
        tuple(None if i == j else Estimate(share, share, share) for j, share in enumerate(row))
        for i, row in enumerate(np.asarray(shares).tolist())
    )


def test_rock_paper_scissors_is_mixed_evenly_from_results() -> None:
    rankings = [
        (deal, [(winner, 0), (loser, 1)])
        for deal in range(6)
        for winner, loser in ((0, 1), (1, 2), (2, 0))
    ]
    mix = unbeaten_mix(pair_shares(3, rankings))
    assert mix is not None
    assert mix.weights == pytest.approx([1 / 3] * 3)
    assert mix.shares == pytest.approx([0.5] * 3)


def test_copies_share_a_weight_and_change_nothing_else() -> None:
    order = [0, 0, 1, 2]  # rock twice
    shares = np.array(ROCK_PAPER_SCISSORS)[np.ix_(order, order)]
    mix = unbeaten_mix(table(shares))
    assert mix is not None
    assert mix.weights == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 3], abs=1e-4)


def test_the_best_plays_alone_and_losers_get_their_share() -> None:
    mix = unbeaten_mix(table([[0.5, 0.6, 0.9], [0.4, 0.5, 0.8], [0.1, 0.2, 0.5]]))
    assert mix is not None
    assert mix.weights == pytest.approx([1, 0, 0])
    assert mix.shares == pytest.approx([0.5, 0.4, 0.1])


def test_no_agent_beats_the_mix_of_any_table() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        gains = rng.uniform(-0.5, 0.5, (7, 7))
        mix = unbeaten_mix(table(0.5 + (gains - gains.T) / 2))
        assert mix is not None
        assert sum(mix.weights) == pytest.approx(1)
        assert min(mix.weights) >= 0
        assert max(mix.shares) <= 0.5 + 1e-6


def test_agents_that_never_met_have_no_mix() -> None:
    assert unbeaten_mix(pair_shares(3, [(0, [(0, 0), (1, 1)])])) is None
