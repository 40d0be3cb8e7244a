"""The tracks: what an agent may use, and checks of that where possible.

| track | what an agent may use |
|---|---|
| zero | observations, masks and the scene; no planner, no knowledge of good play |
| prior | anything of this package; no search when playing |
| search | anything; 100 playouts a decision, or 20 ms in batches on the machine that is named |
| data | only the published data set: no games of its own, no rules, no prior |

The internals of other people's agents cannot be checked here. Their rows say "declared".
"""

from __future__ import annotations

from typing import Any, Literal, get_args

from gonzaga_env.tabletop.errors import OptionError

from ..registry import agent_names, checkpoint_description, plays_shipped
from ..search.budget import parse_search

Track = Literal["zero", "prior", "search", "data"]
TRACKS: tuple[str, ...] = get_args(Track)
BUDGETS = 10**5, 10**6, 10**7
"""Turns that a training may take."""
SEEDS = 5
"""Trained agents that a row should have; with fewer it is marked."""
_MOST_PLAYOUTS, _MOST_MILLISECONDS = 100, 20.0
ROLLOUT = 1.05  # trainings end with a whole rollout, so they may exceed their budget by so much
_UNPLANNED = "none", "geometry"  # of `train.py --prior`; older checkpoints have the planner's
_OWN_GAMES = "ppo"  # the algorithm that learns from its own games alone
_UNTAUGHT = "random", "past", ""  # opponents that know only the legal actions

CHECKED, DECLARED = "checked", "declared"


def budget_text(budget: int) -> str:
    """Returns a budget as files are named by it, such as "1e5"."""
    return f"{budget:.0e}".replace("e+0", "e")


def check_budget(budget: int) -> None:
    """Raises OptionError if no row takes a budget."""
    if budget not in BUDGETS:
        raise OptionError(f"budget is {budget:,}; it takes {', '.join(map(str, BUDGETS))} turns")


def check_track(track: str, spec: str, budget: int | None, game: str) -> str:
    """Returns "checked" or "declared": whether an agent's track could be verified.

    Args:
        track: its name.
        spec: the agent.
        budget: turns of training; None if nothing is trained, or without a limit.
        game: the game's name.

    Raises:
        OptionError: the agent breaks a rule of the track, or has more turns than the budget.
        AgentError: the spec is a folder without a checkpoint.
        CheckpointError: the checkpoint is broken.
    """
    if track not in TRACKS:
        raise OptionError(f"track is {track!r}; it takes {', '.join(TRACKS)}")
    if budget is not None:
        check_budget(budget)
    search = parse_search(spec)
    if search is not None:
        _check_search(track, spec, search.budget)
    if plays_shipped(spec) or (search.policy is None if search else spec in agent_names(game)):
        if spec != "random" and track in ("zero", "data"):
            raise OptionError(f"{spec} knows the rules; the track {track} does not allow that")
        if budget is not None:
            raise OptionError(f"{spec} comes with this package; leave out --budget")
        return CHECKED
    description = checkpoint_description(spec)
    if description is None:
        return DECLARED
    turns = int(description["timesteps"])
    if budget is not None and turns > budget * ROLLOUT:
        raise OptionError(f"{spec} was trained for {turns:,} turns; the budget is {budget:,}")
    return _check_description(track, spec, description, budget)


def _check_search(track: str, spec: str, budget: Any) -> None:
    if track != "search":
        raise OptionError(f"{spec} searches when playing; the track {track} does not allow that")
    if (budget.playouts or 0) > _MOST_PLAYOUTS:
        raise OptionError(f"{spec}: the track search allows {_MOST_PLAYOUTS} playouts")
    if (budget.milliseconds or 0) > _MOST_MILLISECONDS:
        raise OptionError(f"{spec}: the track search allows {_MOST_MILLISECONDS:g} ms a decision")


def _check_description(
    track: str, spec: str, description: dict[str, Any], budget: int | None
) -> str:
    """Checks a checkpoint of train.py, which says how it was trained."""
    arguments = description["arguments"]
    if track == "data":
        return DECLARED  # no checkpoint says that it learned from a data set
    # A checkpoint does not say how the one was trained that it starts from, nor for how long.
    starts = any(arguments.get(name) for name in ("start", "exploit"))
    if track != "zero":
        return DECLARED if starts and budget is not None else CHECKED
    if description.get("prior") not in _UNPLANNED:
        raise OptionError(
            f"{spec} was trained with the planner's prior; the track zero takes "
            "train.py --prior geometry or none"
        )
    listed = description.get("opponents")  # --exploit names its opponents itself
    if not isinstance(listed, list):
        listed = str(arguments.get("opponents") or "").split(",")
    taught = [name for each in listed if (name := str(each).strip()) not in _UNTAUGHT]
    if taught and arguments.get("self_play") != 1:
        raise OptionError(
            f"{spec} was trained against {taught[0]}, which knows the rules; the track zero takes "
            "random and past as opponents"
        )
    if arguments.get("imitate") or arguments.get("algorithm", _OWN_GAMES) != _OWN_GAMES:
        raise OptionError(f"{spec} imitated other agents; the track zero does not allow that")
    return DECLARED if starts else CHECKED
