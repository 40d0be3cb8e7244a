"""The command `gonzaga train`: trains a policy, saves it and shows how strong it is.

Its options are read without torch, whose import takes seconds.
"""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from gonzaga_env.command_line import WholeNumber, option_help, parse
from gonzaga_env.games import game_entry, game_spec
from gonzaga_env.kernel.agent import Agent
from gonzaga_env.kernel.bounded import Json
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.messages import printable, short_repr
from gonzaga_env.kernel.result import Reward
from gonzaga_env.kernel.spec import Config
from gonzaga_env.kernel.writing import check_no_link, check_writable, remove_leftovers
from gonzaga_env.progress import progress

from ..executors import num_cores
from ..heuristics.linear import LinearAgent, write_linear
from ..locks import LOCK, check_unlocked, lock_folder
from ..network.description import (
    CHECKPOINT,
    EVENTS,
    NO_PRIOR,
    NUMBERED,
    PLANNER,
    POLICY,
    SAMPLES,
    input_reader,
    numbered_checkpoints,
)
from ..processes import WorkerError, exit_code, first_signal_raises
from ..registry import absolute_spec, agent_names, check_name, find_checkpoint, make_agent
from ..search.agent import parse_search
from ..training.setup import (
    LOCAL,
    MAPS_AT_ONCE,
    PAST,
    PRESETS,
    UNPLANNED_WIDTH,
    Executor,
    PresetName,
    Setup,
    split_names,
)
from .game_options import GameOptions

if TYPE_CHECKING:
    from ..training.curve import Curve
    from ..training.linear import Learner
    from ..training.run import Run

NAME = "gonzaga train"
_FINAL_DEALS = 50
_BASELINES = "greedy", "planner"  # that evaluations are against, where the game has them
_LINEAR_POINTS = 4  # of the curve of --learner linear, after that of the untrained agent
_POINT_DEALS = 25  # of each
_RANGES = {
    "seed": (0, 2**62),
    "timesteps": (1, 2**62),
    "eval_deals": (0, 10**6),
    "num_games": (1, 2**16),  # a rollout of so many takes some 40 GB
    "collectors": (1, 2**12),
}
_LINEAR = (
    *("game", "edition", "scenario", "rules", "players", "learner", "preset"),
    *("timesteps", "num_games", "seed", "eval_deals", "out"),
)
"""The options that --learner linear takes."""
# What a run takes over from the policy that it exploits, where no other value is given.
_OF_EXPLOITED = "game", "players", "scenario", "edition", "rules", "reward", "prior"


@dataclass(frozen=True)
class TrainOptions(GameOptions):
    """Trains a policy in self-play and against other agents; Ctrl-C saves and stops.

    Examples:
        gonzaga train --out runs/first
        gonzaga train --out runs/first --resume --timesteps 2e6
        gonzaga train --learner linear --game signorie --out runs/signorie
    """

    out: Path = Path("runs/ppo")
    """Folder for checkpoints, the curve of strength and TensorBoard's logs."""
    resume: bool = False
    """Continue from the folder's checkpoint, with its arguments where none are given."""
    learner: Literal["ppo", "linear"] = "ppo"
    """What learns: ppo, a network; or linear, the weights of plain facts, from nothing, without
    torch. It takes --preset, --timesteps, --num-games, --seed and --eval-deals."""
    preset: PresetName = "quick"
    """How long and how large: quick (some minutes on two cores; a minute of one for linear) or
    standard (an hour; three minutes). The options marked "preset" follow it."""
    prior: Literal["planner", "none"] = "planner"
    """What the network knows before it learns: planner (the planner's candidates, in Gonzaga and
    The Castles of Tuscany), or none (observations and masks)."""
    timesteps: WholeNumber | None = None
    """The learner's turns in all, those before a --resume included (preset)."""
    players: int = 4
    """Players."""
    opponents: Annotated[str | None, option_help("NAMES")] = None
    """Opponents in games that are not self-play, separated by commas: agents, and past (its past
    selves); by default greedy,planner,past, and past unless the prior is planner."""
    self_play: float = 0.7
    """Share of the games in which the learner has all seats."""
    num_games: WholeNumber | None = None
    """Games in the batch (preset)."""
    reward: Reward = "margin"
    """What is learned: outcome (to win), score (own points) or margin (points ahead)."""
    seed: int = 0
    """Decides everything: the same seed gives the same policy, on one machine."""
    executor: Executor = "local"
    """Where games are played: on this machine, or on the Ray cluster of RAY_ADDRESS."""
    collectors: WholeNumber = 1
    """Sets of games, each of --num-games and played in a process or a Ray actor of its own."""
    start: Annotated[str | None, option_help("PATH")] = None
    """A checkpoint or a run's folder to start from."""
    learning_rate: float = 1e-3
    """The optimizer's step at the start; it falls to a tenth."""
    entropy: Annotated[tuple[float, ...], option_help("WEIGHT [LAST]")] = ()
    """The weight of the policy's entropy, or two: at the start and at the end; by default the
    prior's."""
    average: bool = False
    """Play and save the mean of the weights, in which later ones count more."""
    exploit: Annotated[str | None, option_help("PATH")] = None
    """A checkpoint or a run's folder: learn to beat frozen copies of it on all other seats. The run
    starts from its weights and plays the game that it was trained for."""
    eval_deals: WholeNumber | None = None
    """Deals against each opponent at each checkpoint, each played once per player; 0 for no
    evaluation (preset)."""


def main(words: Sequence[str]) -> int:
    """Parses the command line and trains, a resumed run with its checkpoint's options.

    Returns:
        The exit code (see `train`).

    Raises:
        OptionError: the checkpoint names agents that are not built in, or sizes beyond those of the
            presets, which have to be given.
    """
    options = parse(TrainOptions, words, NAME)
    if options.resume and options.learner == "ppo":
        from ..training.resume import checkpoint_to_resume, stored_options

        check_unlocked(options.out, "training")
        _, warning = checkpoint_to_resume(options.out)
        if warning is not None:
            print(printable(f"{NAME}: warning: {warning}"), file=sys.stderr)
        stored, refused = stored_options(options.out, TrainOptions(out=options.out))
        given = parse(TrainOptions, words, NAME, replace(stored, average=False))
        options = replace(given, average=given.average or stored.average)
        for name, value in refused.items():
            if getattr(options, name) is None:
                raise OptionError(
                    f"the run's {name} is {short_repr(value)}, which a file may not decide: "
                    f"give --{name.replace('_', '-')} again"
                )
    return train(options)


def train(options: TrainOptions, num_processes: int | None = None) -> int:
    """Trains, saves and evaluates.

    Args:
        options: of the run.
        num_processes: see `setup_of`.

    Returns:
        The exit code: 0, or, after saving, 130 for Ctrl-C and 143 for SIGTERM.

    Raises:
        GameError: an option has a value that it does not take, or an opponent failed.
    """
    check_no_link(options.out, TrainOptions.out)
    if options.learner == "linear":
        return _train_linear(options)
    import torch

    from ..training.curve import EXPLOIT, FILE, PICTURE
    from ..training.run import Run

    start = time.monotonic()
    if "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(1)  # matrices are so small that two threads are slower than one
    _check(options)
    setup, out = setup_of(options, num_processes), options.out
    run = None if options.resume else Run(setup, out, resume=False)
    if run is not None:
        out.mkdir(parents=True, exist_ok=True)  # fails now rather than after training
    with lock_folder(out, "training"):
        _check_folder(options)  # again: another training may just have ended
        for name in (CHECKPOINT, FILE, PICTURE, EXPLOIT):
            remove_leftovers(out, name)
        remove_leftovers(out / NUMBERED, "[0-9]*.zip")
        remove_leftovers(out / SAMPLES, "[0-9]*.jsonl")
        run = Run(setup, out, resume=True) if run is None else run
        interrupt = _learn(run)
        path, turns = out / CHECKPOINT, f"{run.turns:,} turns"
        if interrupt is not None:
            command = command_text("train", "--resume", "--out", out)
            print(f"{NAME}: interrupted; {turns} are saved in {path}", file=sys.stderr)
            print(f"{NAME}: to continue: {command}", file=sys.stderr)
            return exit_code(interrupt)
        print(f"trained {turns} in {time.monotonic() - start:.0f} s: {path}")
        if setup.eval_deals:
            _evaluate(run, options)
    return 0


def _evaluate(run: Run, options: TrainOptions) -> None:
    """Plays the final evaluation and prints it."""
    from ..training.curve import show_exploit

    config, learner = run.setup.config, run.learner()
    num_deals = max(run.setup.eval_deals, _FINAL_DEALS)
    if options.exploit is not None:
        frozen = make_agent(_checkpoint("exploit", options.exploit), config)
        show_exploit(options.out, config, learner, frozen, num_deals=num_deals)
        return
    _show_final(options, config, learner, num_deals)


def _show_final(options: TrainOptions, config: Config, learner: Agent, num_deals: int) -> None:
    """Plays against the baselines, and prints the results and the command that plays more."""
    from ..training.curve import show_final

    is_set = bool(game_spec(options.game_name).config.edition_set(options.edition))
    label = getattr(config.edition, "label", "") if is_set else options.edition
    edition = () if label is None else ("--edition", label)
    game = ("--game", config.game) if game_entry(config.game) else ()
    rules = ("--rules", *options.rules) if options.rules else ()
    other = "greedy" if "greedy" in agent_names(config.game) else "random"
    more = command_text("evaluate", options.out, other, *game, *edition, *rules)
    show_final(config, learner, num_deals=num_deals, more=more)


def _train_linear(options: TrainOptions) -> int:
    """Learns weights of facts, saves and evaluates them; returns the exit code (see `train`)."""
    from ..training.curve import Curve
    from ..training.linear import NUM_GAMES, TIMESTEPS, Learner

    _check_ranges(options)
    others = [field.name for field in fields(options) if field.name not in _LINEAR]
    _refuse(options, others, "with --learner linear, which takes none")
    if game_spec(options.game_name).config.edition_set(options.edition):
        raise OptionError(
            f"edition is {options.edition}, a set of maps; --learner linear takes one"
        )
    out, timesteps = options.out, options.timesteps or TIMESTEPS[options.preset]
    _check_new(out)
    config, start = options.config((), options.players), time.monotonic()
    games = options.num_games or NUM_GAMES
    learner = Learner(config, timesteps=timesteps, num_games=games, seed=options.seed)
    out.mkdir(parents=True, exist_ok=True)
    interrupt, seconds, next_point = None, 0.0, 0.0
    num_deals = _FINAL_DEALS if options.eval_deals is None else options.eval_deals
    curve = Curve(out, config.num_players, 0)

    def save() -> Path:
        kept = _kept(options) | {"edition": _lasting(options.edition, options.game_name)}
        arguments = {name: value for name, value in kept.items() if name in _LINEAR}
        about = {"timesteps": learner.turns, "arguments": arguments}
        return write_linear(out, config, learner.policy, learner.critic, about)

    with lock_folder(out, "training"), first_signal_raises():
        _check_new(out)  # again: another training may just have ended
        try:
            with progress("learning") as move:
                while True:
                    if num_deals and (learner.turns >= next_point or learner.is_done):
                        next_point += timesteps / _LINEAR_POINTS
                        _add_point(curve, learner, round(seconds, 1), min(num_deals, _POINT_DEALS))
                    if learner.is_done:
                        break
                    before = time.monotonic()
                    learner.update()
                    seconds += time.monotonic() - before
                    move(min(learner.turns, timesteps), timesteps)
            path = save()
        except KeyboardInterrupt as signal:
            if not learner.turns:  # nothing is learned yet
                raise
            interrupt, path = signal, save()
    if interrupt is not None:
        print(f"{NAME}: interrupted; {learner.turns:,} turns are saved in {path}", file=sys.stderr)
        return exit_code(interrupt)
    print(f"trained {learner.turns:,} turns in {time.monotonic() - start:.0f} s: {path}")
    if num_deals:
        _show_final(options, config, LinearAgent(config, learner.policy), num_deals)
    return 0


def _check_new(out: Path) -> None:
    """Checks that a folder has nothing but what a killed training leaves before its weights."""
    from ..training.curve import FILE, PICTURE

    left = {LOCK, FILE, PICTURE}
    if out.exists() and (not out.is_dir() or {path.name for path in out.iterdir()} - left):
        raise OptionError(f"{out} is not an empty folder; take another --out")


def _add_point(curve: Curve, learner: Learner, seconds: float, num_deals: int) -> None:
    """Evaluates the weights of facts against the baselines, and prints and keeps the result."""
    from ..training.curve import Point, interval, play_opponents

    config = learner.config
    names = [name for name in _BASELINES if name in agent_names(config.game)]
    found = play_opponents(config, LinearAgent(config, learner.policy), names, num_deals)
    against = {name: interval(own.win_share) for name, (own, _) in zip(names, found, strict=True)}
    curve.add(Point(learner.turns, seconds, against))
    shares = ", ".join(f"{name} {share[0]:.1%}" for name, share in against.items())
    state = f"{learner.turns:,} turns, {seconds:.0f} s" if learner.turns else "untrained"
    games = num_deals * config.num_players
    print(f"{state}: wins of {games} games against {shares}", file=sys.stderr, flush=True)


def command_text(verb: str, *words: str | Path) -> str:
    """Returns a command that can be run as printed."""
    return shlex.join(["gonzaga", verb, *map(str, words)])


def _learn(run: Run) -> KeyboardInterrupt | None:
    """Trains and saves, to the end or to an interrupt, which is returned.

    Raises:
        WorkerError: games could not be played on; what was learned is saved.
        OSError: a checkpoint cannot be written; the one before it stays.
    """
    with first_signal_raises():
        try:
            run.learn()
            run.save()
        except KeyboardInterrupt as interrupt:
            run.save()
            return interrupt
        except WorkerError as error:
            saved = f"{run.turns:,} turns are saved in {run.save()}"
            raise WorkerError(f"{error}; {saved}") from error
    return None


def _lasting(edition: str | None, game: str) -> str | None:
    """Returns an edition as it is found from any folder; what ships is found by its name."""
    if edition is None or not (path := Path(edition)).exists():
        return edition
    source = getattr(game_spec(game).config.load_edition(edition), "source", Path())
    return str(path.absolute()) if source.absolute() == path.absolute() else edition


def setup_of(options: TrainOptions, num_processes: int | None = None) -> Setup:
    """Returns the setup of the run that options describe.

    Args:
        options: of the run.
        num_processes: 1, or 2 to play games while the policy learns, which is the same policy; None
            takes 2 if there are two cores. Scripts without `if __name__ == "__main__":` take 1.
    """
    kept = _kept(options)
    kept["edition"] = _lasting(options.edition, options.game_name)
    for name in ("start", "exploit"):  # a resumed run may start in another folder
        if kept[name]:
            kept[name] = absolute_spec(kept[name], options.game_name)
    if options.opponents is not None:
        names = split_names(options.opponents)
        kept["opponents"] = ",".join(absolute_spec(name, options.game_name) for name in names)
    options = _exploiting(options)
    sizes = asdict(PRESETS[options.preset])
    if options.prior == NO_PRIOR:
        sizes["width"] = UNPLANNED_WIDTH
    given = {name: getattr(options, name, None) for name in sizes}
    start = None if options.resume else options.start
    maps = tuple(game_spec(options.game_name).config.edition_set(options.edition))
    first = replace(options, edition=maps[0]) if maps else options
    baselines = [name for name in _BASELINES if name in agent_names(options.game_name)]
    if options.exploit is not None:
        opponents: tuple[str, ...] = (str(_checkpoint("exploit", options.exploit)),)
    elif options.opponents is not None:
        opponents = split_names(options.opponents)
    else:
        opponents = (*baselines, PAST) if options.prior == PLANNER else (PAST,)
    return Setup(
        **(sizes | {name: value for name, value in given.items() if value is not None}),
        config=first.config((), options.players),
        maps=maps,
        prior=options.prior,
        reward=options.reward,
        learning_rate=options.learning_rate,
        entropy=options.entropy,
        average=options.average,
        self_play=0.0 if options.exploit else options.self_play,
        opponents=opponents,
        eval_against=opponents if options.exploit else tuple(baselines) or ("random",),
        start=None if start is None else _checkpoint("start", start),
        seed=options.seed,
        executor=options.executor,
        collectors=options.collectors,
        num_processes=min(num_cores(), 2) if num_processes is None else num_processes,
        arguments=kept,
    )


def _kept(options: TrainOptions) -> dict[str, Json]:
    """Returns the options that a run's files keep, as JSON has them."""
    kept = {name: value for name, value in asdict(options).items() if name not in LOCAL}
    return kept | {
        "game": options.game_name,
        "rules": [*options.rules],
        "entropy": [*options.entropy],  # as JSON has them
    }


def _exploiting(options: TrainOptions) -> TrainOptions:
    """Returns the options with what `exploit` implies.

    Raises:
        OptionError: `exploit` is not a checkpoint, or an option contradicts it.
        CheckpointError: the checkpoint is broken.
    """
    if options.exploit is None:
        return options
    from ..training.resume import read_options

    implied = "opponents", "self_play", "start"
    _refuse(options, implied, "with exploit, which sets it; leave one of them out")
    path = _checkpoint("exploit", options.exploit)
    trained = read_options(path, TrainOptions)
    same = {
        name: trained[name]
        for name in _OF_EXPLOITED
        if name in trained and getattr(options, name) == getattr(TrainOptions, name)
    }
    return replace(options, start=str(path), **same)


def _checkpoint(name: str, spec: str) -> Path:
    """Returns the checkpoint that an option names.

    Raises:
        OptionError: it names none.
    """
    path = None if parse_search(spec) is not None else find_checkpoint(spec)
    if path is None:
        raise OptionError(f"{name} is {spec!r}; it takes a checkpoint or the folder of a run")
    return path.absolute()  # which no name of a program can be


def _check(options: TrainOptions) -> None:
    """Raises OptionError for a value out of range, or a folder that would be overwritten."""
    input_reader(options.game_name, options.prior)  # raises OptionError where there is none
    _check_ranges(options)
    if not 0 <= options.self_play <= 1:
        raise OptionError(f"self_play is {options.self_play}; it takes 0 to 1")
    if not 0 < options.learning_rate <= 1:
        raise OptionError(f"learning_rate is {options.learning_rate}; it takes more than 0 to 1")
    if len(options.entropy) > 2 or not all(0 <= weight <= 100 for weight in options.entropy):
        raise OptionError(f"entropy is {options.entropy}; it takes one or two weights of 0 to 100")
    if game_spec(options.game_name).config.edition_set(options.edition):
        reason = f"with {options.edition}, a set of maps, which are learned in self-play here"
        _refuse(options, ("executor", "scenario"), reason)
        if (given := options.num_games or MAPS_AT_ONCE) % MAPS_AT_ONCE:
            raise OptionError(f"num_games is {given}; {MAPS_AT_ONCE} maps share them equally")
    check_name(options.out)
    check_unlocked(options.out, "training")
    _check_folder(options)


def _check_ranges(options: TrainOptions) -> None:
    """Raises OptionError for a number out of range."""
    for name, (lowest, highest) in _RANGES.items():
        value = getattr(options, name)
        if value is not None and value < lowest:
            raise OptionError(f"{name} is {value}; it takes {lowest} or more")
        if value is not None and value > highest:
            raise OptionError(f"{name} is {value}; it takes {highest} or less")


def _refuse(options: TrainOptions, names: Sequence[str], reason: str) -> None:
    """Raises OptionError for the first of some options that is given."""
    for name in names:
        if getattr(options, name) != getattr(TrainOptions, name):
            raise OptionError(f"{name} is given {reason}")


def _check_folder(options: TrainOptions) -> None:
    """Raises GameError for a folder that can't be resumed, written to, or would be overwritten."""
    from ..training.curve import EXPLOIT, FILE, PICTURE
    from ..training.resume import can_start, checkpoint_to_resume

    out = options.out
    if out.exists() and not out.is_dir():
        raise OptionError(f"{out} is a file; --out takes a folder")
    files = [*(out / name for name in (CHECKPOINT, FILE, PICTURE, EXPLOIT))]
    try:
        for path in (*files, *numbered_checkpoints(out)) if out.is_dir() else ():
            check_writable(path)  # else it would be noticed only when a checkpoint is due
    except OSError as error:
        raise OptionError(
            f"{error.filename}: {error.strerror}; a run writes a file there"
        ) from None
    for folder in (out / name for name in (NUMBERED, SAMPLES, EVENTS, POLICY)):
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            raise OptionError(f"{folder} already has other uses; a run needs its own folder")
    if options.resume:
        checkpoint_to_resume(out)
    elif out.exists() and not can_start(out):
        is_begun = (out / CHECKPOINT).exists() or numbered_checkpoints(out)
        resuming = ", or continue with --resume" if is_begun else ""
        raise OptionError(f"{out} is not empty; take another --out{resuming}")
