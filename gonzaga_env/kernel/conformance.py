"""The conformance suite of all games, which each game's tests run on its engines.

`check_game` runs all of it; `CHECKS` are its parts. Each takes a `GameSpec` and a `Config`, plays
random games and raises `ConformanceError`, which says what differs, and in which step.
"""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gonzaga_env.kernel.errors import ActionError, GameError, OptionError, RecordError, StateError
from gonzaga_env.kernel.records import Record
from gonzaga_env.kernel.single import AnyGame
from gonzaga_env.kernel.spec import Config, Engine, GameSpec
from gonzaga_env.kernel.state import StateArrays
from gonzaga_env.kernel.view import Move, View, Viewer

NUM_GAMES = 3
WrongCalls = dict[type[GameError], dict[str, Callable[[], object]]]
_MOST_STEPS = 20_000  # of a game


class ConformanceError(AssertionError):
    """A game does not do what `GameSpec` promises."""


def check_game(spec: GameSpec, config: Config, seed: int = 0) -> None:
    """Runs all checks.

    Raises:
        ConformanceError: the first thing that is wrong.
    """
    for check in CHECKS:
        check(spec, config, seed)


def _ensure(right: object, what: str) -> None:
    if not right:
        raise ConformanceError(what)


def _equal(one: ArrayLike, other: ArrayLike, what: str) -> None:
    """Raises ConformanceError unless two arrays have the same dtype, shape and content."""
    one, other = np.asarray(one), np.asarray(other)
    _ensure(one.dtype == other.dtype, f"{what}: {one.dtype} and {other.dtype}")
    _ensure(np.array_equal(one, other), f"{what} differ")


def _same_states(one: StateArrays, other: StateArrays, what: str) -> None:
    for name, array in one.arrays().items():
        _equal(array, getattr(other, name), f"{what}: {name} of the states")


def _engine(spec: GameSpec, config: Config, seed: int, **options: Any) -> Engine:
    return spec.engine.from_config(config, NUM_GAMES, seed=seed, **options)


def _played(spec: GameSpec, config: Config, seed: int) -> Iterator[Engine]:
    """Yields an engine without autoreset before every step of random games, and after the last."""
    engine = _engine(spec, config, seed, autoreset=False)
    rng = np.random.default_rng(seed)
    for _ in range(_MOST_STEPS):
        yield engine
        if (engine.seats < 0).all():
            return
        engine.step(engine.sample_legal(rng))
    raise ConformanceError(f"a game is not over after {_MOST_STEPS} steps")


def _positions(spec: GameSpec, config: Config, seed: int, count: int = 6) -> list[Engine]:
    """Returns engines at several times of random games: the start and the end too."""
    num_steps = sum(1 for _ in _played(spec, config, seed)) - 1
    kept = {round(i * num_steps / (count - 1)) for i in range(count)}
    return [
        spec.engine.from_state(config, engine.state, autoreset=False)
        for i, engine in enumerate(_played(spec, config, seed))
        if i in kept
    ]


def check_layouts(spec: GameSpec, config: Config, seed: int = 0) -> None:
    """The configuration is one of the game; actions and features fill their spaces."""
    _ensure(config.game == spec.name, f"the config is of {config.game!r}, the spec {spec.name!r}")
    _ensure(config.num_players in spec.players, "the spec lacks this number of players")
    texts = {action: _text(config, action) for action in range(config.actions.size)}
    wrong = [
        text for action, text in texts.items() if text and config.actions.parse(text) != action
    ]
    _ensure(not wrong, f"actions whose text is read as another one: {wrong[:3]}")
    for engine in _played(spec, config, seed):
        nameless = [int(a) for a in engine.legal_actions()[1] if not texts[int(a)]]
        _ensure(not nameless, f"legal actions without a text: {nameless[:3]}")
    start = 0
    for feature in config.features:
        _ensure(feature.slice.start == start, f"{feature.name} starts elsewhere than at {start}")
        _ensure(feature.scale > 0 and feature.meaning, f"{feature.name} lacks scale or meaning")
        start = feature.slice.stop
    _ensure(start == config.features.size, "features do not fill the observation")


def _text(config: Config, action: int) -> str | None:
    try:
        return str(config.actions.to_text(action))
    except ActionError:
        return None


def check_decisions(spec: GameSpec, config: Config, seed: int = 0) -> None:
    """Seats, kinds, masks and legal actions agree with each other at every step."""
    p, size = config.num_players, config.actions.size
    for step, engine in enumerate(_played(spec, config, seed)):
        where, over = f"step {step}", engine.state.finished
        seats, kinds, mask = engine.seats, engine.kinds, engine.legal_action_mask()
        _equal(seats < 0, over, f"{where}: seats of finished games")
        _equal(kinds < 0, over, f"{where}: kinds of finished games")
        _ensure((seats < p).all() and (kinds < len(spec.kinds)).all(), f"{where}: seats, kinds")
        _ensure(mask.dtype == np.bool_ and mask.shape == (len(seats), size), f"{where}: the mask")
        _equal(mask.any(axis=1), ~over, f"{where}: empty masks")
        _equal(engine.num_legal(), mask.sum(axis=1), f"{where}: num_legal and mask")
        for listed, right in zip(engine.legal_actions(), mask.nonzero(), strict=True):
            _equal(listed, right, f"{where}: legal_actions and mask")
        drawn = engine.sample_legal(np.random.default_rng(step))
        _equal(engine.is_legal(drawn), ~over, f"{where}: is_legal of sample_legal")
        _equal(mask[np.arange(len(drawn)), drawn], ~over, f"{where}: sample_legal and mask")
        shape = len(seats), p, len(spec.sources)
        _ensure(engine.scores.shape == shape, f"{where}: scores have shape {engine.scores.shape}")
        _ensure(engine.totals.shape == shape[:2], f"{where}: totals have another shape")
        _ensure(engine.winners().any(axis=1).all(), f"{where}: nobody wins")
        _ensure((engine.rounds >= 1).all(), f"{where}: rounds count from 1")
        _equal(engine.observe()[over].any(axis=1), over[over] & False, f"{where}: observe()")
        pairs: list[tuple[Callable[..., object], NDArray[Any]]]
        pairs = [(engine.legal_action_mask, mask), (engine.observe, engine.observe())]
        for ask, wanted in pairs:
            given = np.ones_like(wanted)  # its old content must not show
            _ensure(ask(out=given) is given, f"{where}: {ask.__name__} ignores `out`")
            _equal(given, wanted, f"{where}: {ask.__name__} with and without `out`")
        described = [engine.describe(int(a), i) for i, a in enumerate(drawn) if not over[i]]
        _ensure(all(isinstance(text, str) and text for text in described), f"{where}: describe")


def check_both_engines(spec: GameSpec, config: Config, seed: int = 0) -> None:
    """One game in plain Python equals its row of a batch at every step, for each reward."""
    for reward in ("outcome", "score", "margin"):
        engine = _engine(spec, config, seed, autoreset=False, reward=reward)
        games = [spec.game.from_config(config, seed + i, reward=reward) for i in range(NUM_GAMES)]
        rng = np.random.default_rng(seed)
        for step in range(_MOST_STEPS):
            if reward == "outcome" or step % 7 == 0:
                _compare(engine, games, f"step {step}")
            if (engine.seats < 0).all():
                break
            actions = engine.sample_legal(rng)
            playing = np.flatnonzero(engine.seats >= 0)
            result = engine.step(actions)
            for i in playing.tolist():
                rewards = games[i].play(int(actions[i]))
                _equal(rewards, result.rewards[i], f"step {step}, {reward}")
        _compare(engine, games, f"the end, {reward}")


def _compare(engine: Engine, games: Sequence[AnyGame], where: str) -> None:
    masks, won = engine.legal_action_mask(), engine.winners()
    seen = [engine.observe(seat) for seat in range(engine.num_players)]
    for i, game in enumerate(games):
        _equal(game.seat, engine.seats[i], f"{where}: seat")
        _equal(game.kind, engine.kinds[i], f"{where}: kind")
        _equal(game.finished, engine.state.finished[i], f"{where}: finished")
        _equal(game.mask().view(np.bool_), masks[i], f"{where}: mask")
        _equal(game.num_legal(), masks[i].sum(), f"{where}: num_legal")
        _equal(game.winners(), won[i], f"{where}: winners")
        _same_states(game.state, engine.state.take(slice(i, i + 1)), where)
        for seat in range(engine.num_players):
            _equal(game.observation(seat), seen[seat][i], f"{where}: what seat {seat} observes")


def check_independence(spec: GameSpec, config: Config, seed: int = 0) -> None:
    """A game with restarts is the same alone and among others that are stepped at other times."""
    together = _engine(spec, config, seed, autoreset=True)
    alone = [spec.engine.from_config(config, 1, seed=seed + i) for i in range(NUM_GAMES)]
    rngs = [np.random.default_rng([seed, i]) for i in range(NUM_GAMES)]
    order, step = np.random.default_rng(seed), 0
    while (together.state.episode < 1).any():
        rows = np.flatnonzero(order.random(NUM_GAMES) < 0.7)
        actions = [int(alone[i].sample_legal(rngs[i])[0]) for i in rows]
        result = together.step(np.array(actions, np.int64), rows)
        for k, i in enumerate(rows.tolist()):
            single = alone[i].step([actions[k]])
            _equal(single.rewards[0], result.rewards[k], f"step {step}: rewards of game {i}")
            _equal(single.finished[0], result.finished[k], f"step {step}: end of game {i}")
        for i in range(NUM_GAMES):
            row, where = np.array([i]), f"step {step}, game {i} alone and among others"
            _same_states(alone[i].state, together.state.take(row), where)
            _equal(alone[i].legal_action_mask()[0], together.legal_action_mask(row)[0], where)
            _equal(alone[i].observe()[0], together.observe(rows=row)[0], where)
        step += 1
        _ensure(step < _MOST_STEPS, "the games do not end")


def _put_back(engine: Engine) -> Engine:
    """Returns a copy whose games were taken out and put in one by one, in other order."""
    state, order = engine.state.copy(), np.arange(engine.num_games)[::-1]
    games = state.take(order)
    state.put(order, games)
    twin = engine.copy()
    twin.state = type(state).concatenate([state.take(slice(0, 1)), state.take(slice(1, None))])
    return twin


def check_copies(spec: GameSpec, config: Config, seed: int = 0) -> None:
    """Copies, pickles, bytes, and states taken and put, continue alike and independently."""
    ways: dict[str, Callable[[Any], Any]] = {
        "copy()": lambda it: it.copy(),
        "copy.copy": copy.copy,
        "copy.deepcopy": copy.deepcopy,
        "pickle": lambda it: pickle.loads(pickle.dumps(it)),
        "bytes": lambda it: spec.engine.from_state(
            config, type(it.state).from_bytes(it.state.to_bytes()), autoreset=False
        ),
        "take and put": _put_back,
    }
    for engine in _positions(spec, config, seed):
        before = engine.state.to_bytes()
        for name, way in ways.items():
            twin, original = way(engine), way(engine)
            _ensure(twin.state == engine.state, f"{name}: the state differs")
            for step in range(5):
                rng = np.random.default_rng(step)
                actions = twin.sample_legal(rng)
                _equal(twin.observe(), original.observe(), f"{name}, step {step}: observations")
                rewards = twin.step(actions).rewards
                same = engine.state.to_bytes() == before
                _ensure(same, f"{name}: a step of the copy changed the original")
                _equal(rewards, original.step(actions).rewards, f"{name}: rewards")
                _ensure(twin.state == original.state, f"{name}, step {step}: the states differ")
        game = spec.game.from_config(config)
        game.state = engine.state.take(slice(0, 1))
        for name in ("copy()", "copy.deepcopy", "pickle"):
            twin, before = ways[name](game), game.state.to_bytes()
            twin.play(twin.sample_legal(np.random.default_rng(seed)))
            _ensure(game.state.to_bytes() == before, f"{name} of one game: a move changed it")


def check_hidden(spec: GameSpec, config: Config, seed: int = 0) -> None:
    """Games that differ in all that a seat cannot know look the same to it."""
    rng = np.random.default_rng(seed)
    for engine in _positions(spec, config, seed, 12):
        before = engine.state.to_bytes()
        for seat in range(config.num_players):
            twin = spec.engine.from_state(config, engine.resample(seat, rng), autoreset=False)
            _ensure(engine.state.to_bytes() == before, "resample changed the games")
            going_on = ~engine.state.finished
            changed = twin.state.seed != engine.state.seed
            _equal(changed, going_on, "the seeds of resampled games that are not over")
            _equal(twin.observe(seat), engine.observe(seat), f"hidden: what seat {seat} observes")
            _equal(twin.seats, engine.seats, "hidden: seats")
            _equal(twin.kinds, engine.kinds, "hidden: kinds")
            own = np.flatnonzero(engine.seats == seat)
            masks = twin.legal_action_mask(own), engine.legal_action_mask(own)
            _equal(masks[0], masks[1], f"hidden: the mask of seat {seat}")
            for game in range(NUM_GAMES):
                for viewer in (seat, "public"):
                    views = [_plain(it.view(game, viewer)) for it in (twin, engine)]
                    _ensure(views[0] == views[1], f"hidden: the view of {viewer}")
            over = engine.state.finished
            _ensure(twin.state.take(over) == engine.state.take(over), "finished games were drawn")
        samples = engine.resample(engine.seats.clip(0), rng, 2)
        _ensure(samples.num_games == 2 * NUM_GAMES, "resample: two samples of each game")
        again = spec.engine.from_state(config, samples, autoreset=False)
        for _ in range(5):  # the drawn state can be played
            again.step(again.sample_legal(rng))


def check_sealed(spec: GameSpec, config: Config, seed: int = 0) -> None:
    """A sealed decision shows nobody else what was decided, and changes nothing for those after."""
    game, rng = spec.game.from_config(config, seed), np.random.default_rng(seed)
    unknown = [kind for kind in spec.sealed if kind not in spec.kinds]
    _ensure(not unknown, f"sealed: kinds that the game does not have: {unknown}")
    while spec.sealed and not game.finished:
        turns = list(spec.turns(game))
        legal = np.flatnonzero(game.mask())
        if len(turns) > 1:  # somebody decides after this seat
            tried = rng.permutation(legal)[:2]
            _same_to_others(game, [int(action) for action in tried], turns[1])
        game.play(int(rng.choice(legal)))


def _same_to_others(game: AnyGame, actions: Sequence[int], after: AnyGame) -> None:
    """Raises ConformanceError where a sealed action shows to others, or in the turn after it."""
    seat = game.seat
    for action in actions:
        twin = game.copy()
        twin.play(action)
        what = f"sealed: {game.actions.to_text(action)!r} of seat {seat}"
        _equal(twin.seat, after.seat, f"{what}: the seat after")
        _equal(twin.mask(), after.mask(), f"{what}: the mask of the seat after")
        others = [other for other in range(game.config.num_players) if other != seat]
        for other in others:
            seen = twin.observation(other), after.observation(other)
            _equal(*seen, f"{what}: what seat {other} observes")
        viewers: list[Viewer] = [*others, "public"]
        for viewer in viewers:
            views = [_plain(it.view(viewer)) for it in (twin, after)]
            _ensure(views[0] == views[1], f"{what}: the view of {viewer} differs")


def _plain(view: Any) -> str:
    """Returns a view as JSON; views hold plain values only."""
    return json.dumps(dataclasses.asdict(view))


def check_views(spec: GameSpec, config: Config, seed: int = 0) -> None:
    """Both engines show every viewer the same, and refuse other viewers and names."""
    names = [f"player {seat}" for seat in range(config.num_players)]
    viewers: tuple[Viewer, ...] = (*range(config.num_players), "public", "spectator")
    for engine in _positions(spec, config, seed):
        one = spec.engine.from_state(config, engine.state.take(slice(0, 1)), autoreset=False)
        game: Any = spec.game.from_config(config)  # wrong calls are made, too
        game.state = one.state
        for viewer in viewers:
            views = [it.view(viewer=viewer, names=names) for it in (one, game)]
            _ensure(_plain(views[0]) == _plain(views[1]), f"the view of {viewer}")
            _check_view(views[0], viewer, names, spec, one)
        for wrong in (-1, config.num_players, "nobody"):
            _refused(OptionError, partial(game.view, wrong), f"game.view({wrong!r})", game)
        if not game.finished:
            seat, sealed = game.seat, spec.kinds[game.kind] in spec.sealed
            game.play(game.sample_legal(np.random.default_rng(seed)))
            last = game.view().last
            known = isinstance(last, Move) and last.seat == seat
            _ensure(known or sealed, f"the last move is seat {seat}'s, and the view has {last!r}")


def _check_view(
    view: object, viewer: Viewer, names: list[str], spec: GameSpec, one: Engine
) -> None:
    """Raises ConformanceError unless a view of one game holds what views of all games hold."""
    if not isinstance(view, View):
        raise ConformanceError(f"a view is a {type(view).__name__}; it takes a kernel.view.View")
    over = bool(one.state.finished[0])
    wanted = {
        "game": spec.name,
        "edition": one.config.edition.name,
        "digest": one.config.edition.digest,
        "viewer": viewer,
        "round": one.rounds[0],
        "to_act": None if over else one.seats[0],
        "decision": "over" if over else spec.kinds[one.kinds[0]],
        "last": None,  # a state does not hold it
    }
    for name, value in wanted.items():
        _ensure(getattr(view, name) == value, f"views: {name} is {getattr(view, name)!r}")
    shown = [(p.seat, p.name, p.score, [*p.scores], p.won) for p in view.players]
    totals, scores, won = one.totals[0], one.scores[0], one.winners()[0] & over
    players = zip(range(len(names)), names, totals, scores.tolist(), won, strict=True)
    _ensure(shown == [*players], f"views: the players are {shown}")


def _seen(config: Config, spec: GameSpec, states: Sequence[StateArrays]) -> Iterator[ArrayLike]:
    """Yields what seats observe in states of one game each, and what they may do."""
    together = type(states[0]).concatenate(states)
    engine = spec.engine.from_state(config, together, autoreset=False)
    yield engine.legal_action_mask()
    for seat in range(config.num_players):
        yield engine.observe(seat)


def check_records(spec: GameSpec, config: Config, seed: int = 0) -> None:
    """A record gives the same game back, position by position, and no entry of it can be forged."""
    game, rng = spec.game.from_config(config, seed), np.random.default_rng(seed)
    states, actions = [], []
    while not game.finished:
        states.append(game.state)
        actions.append(game.sample_legal(rng))
        game.play(actions[-1])
    record = spec.records.record(config, seed, ["random"] * config.num_players, actions)
    text = json.dumps(record)
    again = list(spec.records.positions(json.loads(text), config.edition))
    _ensure(len(again) == len(record["moves"]), "there is one position before each move")
    final = spec.records.replay(json.loads(text), config.edition).state
    seen = (_seen(config, spec, all_of) for all_of in ([*again, final], [*states, game.state]))
    for one, other in zip(*seen, strict=True):
        _equal(one, other, "what seats see of a replayed game")
    forged: dict[str, Callable[[Record], object]] = {
        "no moves": lambda it: it.pop("moves"),
        "a move too few": lambda it: it["moves"].pop(),
        "a move too many": lambda it: it["moves"].append(it["moves"][0]),
        "no legal action": lambda it: it["moves"][0].update(legal=0),
        "an unknown action": lambda it: it["moves"][0].update(action="no such action"),
        "format 0": lambda it: it.update(format=0),
        "another edition_hash": lambda it: it.update(edition_hash="0"),
        "no winners": lambda it: it.update(winners=[]),
        "no scores": lambda it: it.pop("scores"),
        "one agent": lambda it: it.update(agents=["one"]),
    }
    for what, change in forged.items():
        other = json.loads(text)
        change(other)
        replay = partial(spec.records.replay, other, config.edition)
        _refused(RecordError, replay, f"replay(a record with {what})")


def check_resets(spec: GameSpec, config: Config, seed: int = 0) -> None:
    """Deals follow from seed and episode; restarts deal the next episode and keep the end."""
    engine = _engine(spec, config, seed, autoreset=True)
    rng, ended = np.random.default_rng(seed), 0
    for _ in range(_MOST_STEPS):
        episodes = engine.state.episode.copy()
        result = engine.step(engine.sample_legal(rng))
        ended += result.finished.sum()
        _ensure((engine.seats >= 0).all(), "autoreset leaves a game that is over")
        _equal(engine.state.episode - episodes, result.finished.astype(np.uint32), "episodes")
        _ensure(result.final.finished.all(), "`final` holds a game that is not over")
        _equal(result.final.num_games, result.finished.sum(), "number of games in `final`")
        if ended > NUM_GAMES:
            break
    kept = engine.state.take(np.array([0, 2]))
    engine.reset([seed + 9], rows=np.array([1]))
    _ensure(engine.state.take(np.array([0, 2])) == kept, "a reset of some games changes others")
    fresh = spec.engine.from_config(config, 1, seed=seed + 9)
    _ensure(engine.state.take(np.array([1])) == fresh.state, "a seed does not decide the deal")
    game = spec.game.from_config(config, seed + 9)
    for it in (fresh, game):
        it.reset()
    _ensure(fresh.state.episode[0] == 1, "reset() does not deal the next episode")
    _same_states(game.state, fresh.state, "the next episode of one game")


def check_empty_batches(spec: GameSpec, config: Config, seed: int = 0) -> None:
    """Calls for no games change nothing, and engines of no games answer with empty arrays."""
    none = np.empty(0, np.int64)
    rng = np.random.default_rng(seed)
    engine = _engine(spec, config, seed, autoreset=True)
    ended = engine.step(engine.sample_legal(rng)).final
    _ensure(ended.num_games == 0, "`final` holds games where none is over")
    for it in (*_positions(spec, config, seed, 3), spec.engine.from_state(config, ended)):
        before = it.state.to_bytes()
        for rows in list[Any]((none, [])):
            for seen in (it.observe(rows=rows), it.observe(0, rows=rows)):
                _ensure(seen.shape == (0, config.features.size), "what is observed of no games")
            mask, legal = it.legal_action_mask(rows), it.legal_actions(rows)
            _ensure(mask.shape == (0, config.actions.size), "the mask of no games")
            _ensure(not (len(legal[0]) or len(legal[1])), "legal actions of no games")
            _ensure(it.num_legal(rows).shape == (0,), "num_legal of no games")
            _ensure(it.sample_legal(rng, rows).shape == (0,), "sample_legal of no games")
            result = it.step(rows, rows)
            _ensure(result.rewards.shape == (0, config.num_players), "rewards of no games")
            _ensure(result.final.num_games == 0, "`final` of a step of no games")
            it.reset(rows=rows)
            it.reset([], rows=rows)
        _ensure(it.state.to_bytes() == before, "calls for no games changed some")
    it.reset()
    it.step(it.sample_legal(rng))
    _ensure(it.copy().winners().shape == (0, config.num_players), "winners of no games")
    _ensure(it.totals.shape == (0, config.num_players), "totals of no games")
    _ensure(it.resample(none, rng).num_games == 0, "samples of no games")


def check_refusals(spec: GameSpec, config: Config, seed: int = 0) -> None:
    """Wrong calls are typed errors of one line that change nothing."""
    for engine in _positions(spec, config, seed, 3)[:2]:
        for kind, calls in _wrong_calls(engine, config, np.random.default_rng(seed)).items():
            for what, call in calls.items():
                _refused(kind, call, f"engine.{what}", engine)
        game: Any = spec.game.from_config(config)
        game.state = engine.state.take(slice(0, 1))
        illegal = (~game.mask().astype(bool)).nonzero()[0].tolist()[:1]
        for action in (config.actions.size, -1, None, 0.5, *illegal):
            _refused(ActionError, partial(game.play, action), f"game.play({action!r})", game)
        several = partial(setattr, game, "state", engine.state)
        _refused(StateError, several, f"game.state = a state of {NUM_GAMES} games", game)
    make = partial(spec.engine.from_config, config)
    for options in ({"reward": "money"}, {"num_games": 0}, {"num_games": 10**9}, {"seed": "x"}):
        _refused(OptionError, partial(make, **options), f"Engine.from_config(config, **{options})")


def _wrong_calls(e: Any, config: Config, rng: np.random.Generator) -> WrongCalls:
    """Returns calls of an engine that are wrong, by the error that is due and by their text."""
    ragged = [[1], [2, 3]]
    legal, masks = e.sample_legal(rng), e.legal_action_mask()
    outside = np.full(NUM_GAMES, config.actions.size)
    read = type(e.state).from_bytes
    calls: WrongCalls = {
        ActionError: {
            "step(one action too few)": lambda: e.step(legal[:-1]),
            "step(fractions)": lambda: e.step(legal.astype(float)),
            "step(actions above the space)": lambda: e.step(outside),
            "step(negative actions)": lambda: e.step(-1 - outside),
            "step([[1], [2, 3]])": lambda: e.step(ragged),
            "actions.parse('no such action')": lambda: e.actions.parse("no such action"),
            "actions.parse(None)": lambda: e.actions.parse(None),
        },
        OptionError: {
            "step([0], a row too high)": lambda: e.step([0], np.array([NUM_GAMES])),
            "step([0, 0], one row twice)": lambda: e.step([0, 0], np.array([0, 0])),
            "observe(rows=[[1], [2, 3]])": lambda: e.observe(rows=ragged),
            "observe(a seat too high)": lambda: e.observe(config.num_players),
            "observe(-1)": lambda: e.observe(-1),
            "observe(out of another shape)": lambda: e.observe(out=np.zeros((1, 1), np.uint8)),
            "legal_action_mask(out=[[0]])": lambda: e.legal_action_mask(out=[[0]]),
            "sample_legal(7)": lambda: e.sample_legal(7),
            "resample(-1, rng)": lambda: e.resample(-1, rng),
            "resample(0, None)": lambda: e.resample(0, None),
            "resample(0, rng, 0)": lambda: e.resample(0, rng, 0),
            "reset([[1], [2, 3]])": lambda: e.reset(ragged),
            "reset(fractions)": lambda: e.reset([1.5] * NUM_GAMES),
            "reset(too few seeds)": lambda: e.reset([1]),
            "reset(deal=7)": lambda: e.reset(deal=7),
            "view(a game too high)": lambda: e.view(NUM_GAMES),
            "view(names='abc')": lambda: e.view(names="abc"),
        },
        StateError: {
            "state = None": lambda: setattr(e, "state", None),
            "state.take(a row too high)": lambda: e.state.take(np.array([NUM_GAMES])),
            "state.put(two rows, three games)": lambda: e.state.put(np.array([0, 1]), e.state),
            "state.from_bytes(one byte too few)": lambda: read(e.state.to_bytes()[:-1]),
            "state.from_bytes(one byte too many)": lambda: read(b"x" + e.state.to_bytes()),
        },
    }
    restricted = (~masks).any(axis=1)  # in some games every action is legal
    if restricted.any():
        row = restricted.argmax()
        illegal = np.where(np.arange(NUM_GAMES) == row, masks[row].argmin(), legal)
        calls[ActionError]["step(an illegal action)"] = lambda: e.step(illegal)
    return calls


def _refused(
    kind: type[GameError],
    call: Callable[[], object],
    what: str,
    engine: Engine | AnyGame | None = None,
) -> None:
    """Raises ConformanceError unless a call raises this error, in one line, and changes nothing."""
    before = None if engine is None else engine.state.to_bytes()
    try:
        call()
    except kind as error:
        fine = "\n" not in str(error) and len(str(error)) < 400
        _ensure(fine, f"{what}: the error is not one line: {error}")
    except Exception as error:
        raise ConformanceError(f"{what}: {error!r} where {kind.__name__} is due") from error
    else:
        raise ConformanceError(f"{what} is wrong and raises no {kind.__name__}")
    after = None if engine is None else engine.state.to_bytes()
    _ensure(before == after, f"{what} raised {kind.__name__} and changed the games")


Check = Callable[[GameSpec, Config, int], None]
CHECKS: tuple[Check, ...] = (
    check_layouts,
    check_decisions,
    check_both_engines,
    check_independence,
    check_copies,
    check_hidden,
    check_sealed,
    check_views,
    check_records,
    check_resets,
    check_empty_batches,
    check_refusals,
)
