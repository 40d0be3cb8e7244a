"""What the command `train` does: trains a policy, saves it and shows how strong it is."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import torch
from rich.console import Console

from gonzaga_env.command_line import parse
from gonzaga_env.core.editions.generating import named_set
from gonzaga_env.games import DEFAULT_GAME
from gonzaga_env.kernel.bounded import short_repr
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.writing import check_writable, remove_leftovers

from ..locks import check_unlocked, lock_folder
from ..network.checkpoint import read_description
from ..network.description import (
    CHECKPOINT,
    EVENTS,
    GEOMETRY,
    NUMBERED,
    PLANNER,
    SAMPLES,
    input_reader,
    numbered_checkpoints,
)
from ..play.jobs import num_cores
from ..processes import WorkerError, exit_code, first_signal_raises
from ..registry import (
    absolute_spec,
    agent_names,
    check_name,
    find_checkpoint,
    is_builtin,
    make_agent,
)
from ..search.agent import parse_search
from .collector import MAPS_AT_ONCE
from .curve import EXPLOIT, FILE, PICTURE, show_exploit, show_final
from .league import PAST
from .options import (
    AGENTS,
    MOST_STORED,
    NAME,
    OF_MACHINE,
    OF_PRIOR,
    PRESETS,
    RANGES,
    Setup,
    TrainOptions,
)
from .resume import arguments_in, can_start, checkpoint_to_resume
from .run import Run

_FINAL_DEALS = 50
_FILES = CHECKPOINT, FILE, PICTURE, EXPLOIT  # which a run writes into its folder
# What a run takes over from the policy that it exploits, where no other value is given.
_OF_EXPLOITED = (*("game", "players", "scenario", "edition", "rules", "reward", "prior", "width"),)


def run_command(arguments: TrainOptions, words: Sequence[str]) -> int:
    """Trains, a resumed run with its checkpoint's arguments where none are given (see `train`).

    Raises:
        OptionError: the checkpoint names agents that are not built in, or sizes beyond those of the
            presets, which have to be given.
    """
    if arguments.resume:
        check_unlocked(arguments.out, "training")
        _, warning = checkpoint_to_resume(arguments.out)
        if warning is not None:
            print(f"{NAME}: warning: {warning}", file=sys.stderr)
        stored, foreign = stored_arguments(arguments.out)
        arguments = parse(TrainOptions, words, NAME, stored)
        for name, value in foreign.items():
            if getattr(arguments, name) is None:
                raise OptionError(
                    f"the run's {name} is {short_repr(value)}, which a file may not decide: "
                    f"give --{name.replace('_', '-')} again"
                )
    return train(arguments)


def stored_arguments(out: Path) -> tuple[TrainOptions, dict[str, Any]]:
    """Returns the arguments of the run in a folder, with `resume` off.

    Code of a checkpoint's choice must not run, nor may it take all memory: arguments that name
    agents are left out unless they are built in, and sizes that are larger than any preset's.

    Returns:
        The arguments, and those that are left out.

    Raises:
        CheckpointError: the folder has no checkpoint that can be read, or its arguments are wrong.
    """
    path, _ = checkpoint_to_resume(out)
    stored = arguments_in(path, TrainOptions)
    foreign: dict[str, Any] = {
        name: value
        for name in AGENTS
        if (value := stored.get(name)) is not None
        and not all(spec == PAST or is_builtin(spec) for spec in _names(value))
    }
    for name, most in MOST_STORED.items():
        if (stored.get(name) or 0) > most:
            foreign[name] = stored[name]
    return TrainOptions(**(stored | dict.fromkeys(foreign, None)), out=out), foreign


def train(arguments: TrainOptions, num_processes: int | None = None) -> int:
    """Trains, saves and evaluates.

    Args:
        arguments: the options of the run.
        num_processes: see `setup_of`.

    Returns:
        The exit code: 0, or, after saving, 130 for Ctrl-C and 143 for SIGTERM.

    Raises:
        GameError: an argument has a value that it does not take, or an opponent failed.
    """
    start = time.monotonic()
    if "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(1)  # matrices are so small that two threads are slower than one
    _check(arguments)
    setup, out = setup_of(arguments, num_processes), arguments.out
    run = None if arguments.resume else Run(setup, out, resume=False)
    if run is not None:
        out.mkdir(parents=True, exist_ok=True)  # fails now rather than after training
    with lock_folder(out, "training"):
        _check_folder(arguments)  # again: another training may just have ended
        for folder in (out, out / NUMBERED, out / SAMPLES):
            remove_leftovers(folder)
        run = Run(setup, out, resume=True) if run is None else run
        interrupt = _learn(run)
        path, turns = out / CHECKPOINT, f"{run.turns:,} turns"
        if interrupt is not None:
            command = command_text("train", "--resume", "--out", out)
            print(f"{NAME}: interrupted; {turns} are saved in {path}", file=sys.stderr)
            print(f"{NAME}: to continue: {command}", file=sys.stderr)
            return exit_code(interrupt)
        seconds, console = time.monotonic() - start, Console()
        line = f"trained {turns} in {seconds:.0f} s: {path}"
        console.print(line, highlight=False, markup=False, soft_wrap=True)
        if setup.eval_deals:
            _show_results(console, run, arguments)
    return 0


def _show_results(console: Console, run: Run, arguments: TrainOptions) -> None:
    """Plays the final evaluation and prints it."""
    config, learner = run.setup.config, run.learner()
    num_deals = max(run.setup.eval_deals, _FINAL_DEALS)
    if arguments.exploit is not None:
        frozen = make_agent(_checkpoint("exploit", arguments.exploit), config)
        show_exploit(console, arguments.out, config, learner, frozen, num_deals=num_deals)
    else:
        label = getattr(config.edition, "label", "") if run.setup.maps else arguments.edition
        edition = () if label is None else ("--edition", label)
        game = () if config.game == DEFAULT_GAME else ("--game", config.game)
        rules = ("--rules", *arguments.rules) if arguments.rules else ()
        other = "greedy" if "greedy" in agent_names(config.game) else "random"
        more = command_text("evaluate", arguments.out, other, *game, *edition, *rules)
        show_final(console, config, learner, num_deals=num_deals, more=more)


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


def setup_of(arguments: TrainOptions, num_processes: int | None = None) -> Setup:
    """Returns the setup of the run that arguments describe.

    Args:
        arguments: the options of the run.
        num_processes: 1, or 2 to play games while the policy learns, which is the same policy; None
            takes 2 if there are two cores. Scripts without `if __name__ == "__main__":` take 1.
    """
    kept = asdict(arguments)
    for name in ("out", "resume", *OF_MACHINE):
        del kept[name]
    kept["game"], kept["rules"] = arguments.game_name, [*arguments.rules]  # as JSON has it
    for name in ("edition", "start", "exploit"):  # a resumed run may start in another folder
        if kept[name]:
            kept[name] = absolute_spec(kept[name])
    if kept["opponents"] is not None:
        kept["opponents"] = ",".join(map(absolute_spec, _names(kept["opponents"])))
    options = _exploiting(arguments)
    sizes = asdict(PRESETS[options.preset]) | OF_PRIOR[options.prior]
    given = {name: getattr(options, name, None) for name in sizes}
    start = None if options.resume else options.start
    maps = named_set(options.edition)
    first = replace(options, edition=maps[0]) if maps else options
    return Setup(
        **(sizes | {name: value for name, value in given.items() if value is not None}),
        options=options,
        config=first.config((), options.players),
        maps=maps,
        opponents=_opponents(options),
        eval_against=_eval_against(options),
        start=None if start is None else _checkpoint("start", start),
        arguments=kept,
        num_processes=min(num_cores(), 2) if num_processes is None else num_processes,
    )


def _names(listed: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in listed.split(",") if name.strip())


def _opponents(arguments: TrainOptions) -> tuple[str, ...]:
    if arguments.opponents is not None:
        return _names(arguments.opponents)
    return (PAST,) if arguments.prior != PLANNER else (*_baselines(arguments), PAST)


def _baselines(arguments: TrainOptions) -> list[str]:
    """Returns the quick agents of the game that know its rules."""
    own = agent_names(arguments.game_name)
    return [name for name in ("greedy", "planner") if name in own]


def _eval_against(arguments: TrainOptions) -> tuple[str, ...]:
    if arguments.exploit is not None:
        return _names(arguments.opponents or "")
    slow = ("search@8",) if arguments.game_name == DEFAULT_GAME else ()
    return (*(_baselines(arguments) or ("random",)), *slow)


def _exploiting(arguments: TrainOptions) -> TrainOptions:
    """Returns the arguments with what `exploit` implies.

    Raises:
        OptionError: `exploit` is not a checkpoint, or an option contradicts it.
        CheckpointError: the checkpoint is broken.
    """
    if arguments.exploit is None:
        return arguments
    implied = "imitate", "opponents", "self_play", "start"
    _refuse(arguments, implied, "with exploit, which sets it; leave one of them out")
    path = str(_checkpoint("exploit", arguments.exploit))
    trained = arguments_in(Path(path), TrainOptions) | read_description(Path(path))["network"]
    same = {
        name: trained[name]
        for name in _OF_EXPLOITED
        if name in trained and getattr(arguments, name) == getattr(TrainOptions, name)
    }
    return replace(arguments, opponents=path, start=path, **same)


def _checkpoint(name: str, spec: str) -> Path:
    """Returns the checkpoint that an option names.

    Raises:
        OptionError: it names none.
    """
    path = None if parse_search(spec) is not None else find_checkpoint(spec)
    if path is None:
        raise OptionError(f"{name} is {spec!r}; it takes a checkpoint or the folder of a run")
    return path


def _check(arguments: TrainOptions) -> None:
    """Raises OptionError for a value out of range, or a folder that would be overwritten."""
    input_reader(arguments.game_name, arguments.prior)  # raises OptionError where there is none
    if arguments.prior != PLANNER:
        reason = (
            f"with prior {arguments.prior}, which learns from its own games; search knows the "
            f"rules: leave it out, or take --prior {PLANNER}"
        )
        _refuse(arguments, ("imitate",), reason)
    for name, (lowest, highest) in RANGES.items():
        value = getattr(arguments, name)
        if value is not None and value < lowest:
            raise OptionError(f"{name} is {value}; it takes {lowest} or more")
        if value is not None and value > highest:
            raise OptionError(f"{name} is {value}; it takes {highest} or less")
    if not 0 <= arguments.self_play <= 1:
        raise OptionError(f"self_play is {arguments.self_play}; it takes 0 to 1")
    if not 0 < arguments.learning_rate <= 1:
        raise OptionError(f"learning_rate is {arguments.learning_rate}; it takes more than 0 to 1")
    if arguments.device == "cuda" and not torch.cuda.is_available():
        raise OptionError("device is 'cuda', but torch sees no GPU; take auto or cpu")
    if named_set(arguments.edition):
        _check_maps(arguments)
    check_name(arguments.out)
    check_unlocked(arguments.out, "training")
    _check_folder(arguments)


def _refuse(arguments: TrainOptions, names: Sequence[str], reason: str) -> None:
    """Raises OptionError for the first of some options that is given."""
    for name in names:
        if getattr(arguments, name) != getattr(TrainOptions, name):
            raise OptionError(f"{name} is given {reason}")


def _check_maps(arguments: TrainOptions) -> None:
    """Raises OptionError for options that a set of maps does not take."""
    reason = f"with {arguments.edition}, a set of maps, which are learned in self-play here"
    _refuse(arguments, ("imitate", "executor", "scenario"), reason)
    if arguments.prior == GEOMETRY:
        raise OptionError(f"prior is {GEOMETRY}, whose network knows one map; take {PLANNER}")
    if (given := arguments.num_games or MAPS_AT_ONCE) % MAPS_AT_ONCE:
        raise OptionError(f"num_games is {given}; {MAPS_AT_ONCE} maps share them equally")


def _check_folder(arguments: TrainOptions) -> None:
    """Raises GameError for a folder that can't be resumed, or that would be overwritten."""
    out = arguments.out
    if out.exists() and not out.is_dir():
        raise OptionError(f"{out} is a file; --out takes a folder")
    if out.is_dir():
        _check_places(out)
    if arguments.resume:
        checkpoint_to_resume(out)
    elif out.exists() and not can_start(out):
        is_begun = (out / CHECKPOINT).exists() or numbered_checkpoints(out)
        resuming = ", or continue with --resume" if is_begun else ""
        raise OptionError(f"{out} is not empty; take another --out{resuming}")


def _check_places(out: Path) -> None:
    """Raises OptionError if something is where a run writes a file or a folder of its own.

    Otherwise it would be noticed only when a checkpoint is due.
    """
    try:
        for path in (*(out / name for name in _FILES), *numbered_checkpoints(out)):
            check_writable(path)
    except OSError as error:
        raise OptionError(
            f"{error.filename}: {error.strerror}; a run writes a file there"
        ) from None
    for name in (NUMBERED, SAMPLES, EVENTS):
        if (out / name).exists() and not (out / name).is_dir():
            raise OptionError(f"{out / name} is a file; a run takes it for a folder")
