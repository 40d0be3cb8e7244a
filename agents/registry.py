"""Makes agents from the names that command lines and scripts use.

| spec | agent |
|---|---|
| "random" | the random agent, which plays every game |
| "greedy", "planner", "search" | a baseline of the game |
| "linear" | facts of choices with weights from self-play |
| "equilibrium" | the solution of a small edition of Gonzaga |
| "learned" | the network that ships for the number of players, else as "linear" |
| "search@64", "search@10ms" | search with a budget of playouts or of time for a decision |
| "search:learned", "search@64:runs/first" | search with another policy than "linear" |
| "runs/first", "runs/first/checkpoint.zip" | the policy of a training run or of a checkpoint |
| "runs/linear" | the weights of a run of `--learner linear` |
| "runs/first/policy" | the same policy without torch: the folder that training writes |
| "any-edition:learned" | a policy, also on an edition that it was not trained on |
| "sampled:runs/first" | a policy that draws its actions instead of taking the likeliest one |
| "mine:MyAgent", "path/to/mine.py:MyAgent" | a class of a module or of a file (see below) |
| "cmd:./bot --flag" | a program in any language (docs/bots.md) |
| a class | built with the game's configuration (`GameConfig`) as its only argument |
| an object with `act` | itself |
| a model of Stable-Baselines3 | the agent that plays it; its zip is code, so load it yourself |

A game of another package brings its agents as `GameSpec.agents`.

A module is looked for among those that are installed, and then in the current folder, of which no
other file runs: an agent of several files is a package ("mine.agent:MyAgent").
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from hashlib import sha256
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Any, NamedTuple, TypeVar, cast

from gonzaga_env.extras import extra_needed
from gonzaga_env.games import DEFAULT_GAME, game_spec, named_game, registered_games
from gonzaga_env.kernel.agent import Agent, AgentError, is_sb3_model
from gonzaga_env.kernel.errors import OptionError
from gonzaga_env.kernel.messages import short_repr
from gonzaga_env.kernel.spec import Config

from .agent import RandomAgent
from .heuristics import gonzaga as gonzaga_agents
from .heuristics import signorie, tuscany
from .heuristics.linear import NAME as LINEAR
from .heuristics.linear import LinearAgent, describe_linear, linear_path, linear_players
from .network.agent import NetworkAgent
from .network.description import CHECKPOINT, Description
from .network.learned import NAME as LEARNED
from .network.learned import learned_agent, load_learned, read_policy, shipped_players
from .outside.agent import OutsideAgent
from .outside.spec import parse_command
from .search.agent import NAME as SEARCH
from .search.agent import SearchAgent, SearchSpec, parse_search
from .solve.solution import EquilibriumAgent

Spec = str | Path | type | Agent
"""An agent as `make_agent` takes it."""
S = TypeVar("S", str, Spec, object)
ANY_EDITION = "any-edition:"
"""Before a spec: its policy also plays an edition that it was not trained on, as its name says."""
SAMPLED = "sampled:"
"""Before a policy's name: it draws its actions by their probabilities."""
Maker = Callable[..., Any]  # of an agent, from a configuration
_RANDOM: dict[str, Maker] = {"random": RandomAgent}
_AGENTS: dict[str, dict[str, Maker]] = {
    "gonzaga": {
        "greedy": gonzaga_agents.GreedyAgent,
        "planner": gonzaga_agents.PlannerAgent,
        LINEAR: LinearAgent,
        SEARCH: SearchAgent,
        LEARNED: learned_agent,
    },
    "tuscany": {
        "greedy": tuscany.GreedyAgent,
        "planner": tuscany.PlannerAgent,
        LINEAR: LinearAgent,
        SEARCH: SearchAgent,
        LEARNED: learned_agent,
    },
    "signorie": {
        "greedy": signorie.GreedyAgent,
        "planner": signorie.PlannerAgent,
        LINEAR: LinearAgent,
        SEARCH: SearchAgent,
        LEARNED: learned_agent,
    },
}
#: Plays small editions only, so it is not among the `agent_names` of a game.
_SOLVED: dict[str, Maker] = {EquilibriumAgent.name: EquilibriumAgent}


def agent_names(game: str = DEFAULT_GAME) -> tuple[str, ...]:
    """Returns the names that alone stand for an agent of a game, the weakest first."""
    return tuple(_makers(game))


def default_agent(game: str) -> str:
    """Returns who plays and advises where nobody is named: "planner", or the strongest agent."""
    names = agent_names(game)
    return "planner" if "planner" in names else names[-1]


def _makers(game: str) -> dict[str, Maker]:
    """Returns what makes each agent of a game, by name.

    Of a game that is not registered, only the configuration is known, and "random" plays it.
    """
    own = game_spec(game).agents if game in registered_games() else {}
    return {**_RANDOM, **_AGENTS.get(game, own)}


def agent_factory(name: str, game: str) -> Maker:
    """Returns what makes an agent of a game, by one of `agent_names`, from a configuration."""
    return {**_SOLVED, **_makers(game)}[name]


NAMES = agent_names()
"""The names of Gonzaga's agents."""
BASELINES = tuple(name for name in NAMES if name != LEARNED)
"""Those of them that need no training."""


def make_agent(spec: Spec, config: Config) -> Agent:
    """Returns an agent for a game.

    Args:
        spec: see the table above.
        config: what the agent is to play.

    Raises:
        OptionError: its name is not UTF-8.
        AgentError: there is no such agent, it cannot be built, it has no method `act`, or no policy
            ships for this game.
        CheckpointError: the checkpoint is broken, or was trained for another game.
        ModuleNotFoundError: a checkpoint needs torch; the message says what to install.
    """
    if not hasattr(config, "game"):
        raise AgentError(f"config is {short_repr(config)}; it takes a game's config: GameConfig(4)")
    if not isinstance(spec, str | Path):
        return _as_agent(spec, config, repr(spec))
    check_name(spec)
    if isinstance(spec, Path):
        spec = spec.absolute()  # so that no path reads as a command
    given, spec = str(spec), str(without_prefixes(spec))
    any_edition, makers = given.startswith(ANY_EDITION), {**_SOLVED, **_makers(config.game)}
    if SAMPLED in given.removesuffix(spec):
        is_search = parse_search(spec) is not None
        if is_search or (policy := _load_policy(spec, config, any_edition)) is None:
            raise AgentError(f"{given}: only {LEARNED}, a checkpoint or a run can be sampled")
        policy.deterministic, policy.name = False, f"{SAMPLED}{policy.name}"
        return policy
    if spec == LEARNED in makers:
        return learned_agent(config, any_edition=any_edition)
    if spec in makers:
        return _as_agent(makers[spec](config), config, spec)
    if (command := parse_command(spec)) is not None:
        return OutsideAgent(command, config)
    if (search := parse_search(spec)) is not None:
        if SEARCH not in makers:
            raise AgentError(f"{short_repr(spec)}: {config.game} has no agent {SEARCH!r}")
        agent = _make_search(search, config, any_edition)
        agent.name = given
        return agent
    if (folder := find_linear(spec)) is not None:
        return LinearAgent(config, folder=folder)
    policy = _load_policy(spec, config, any_edition)
    return _as_agent(_find_object(spec, config.game), config, spec) if policy is None else policy


def without_prefixes(spec: S) -> S:
    """Returns a spec without `ANY_EDITION` and `SAMPLED`, which may follow it."""
    if not isinstance(spec, str):
        return spec
    return spec.removeprefix(ANY_EDITION).removeprefix(SAMPLED)


def is_builtin(spec: object, game: str = DEFAULT_GAME) -> bool:
    """Returns whether a spec names an agent of a game alone: no file, module or program.

    No content of a file names code that runs: what a checkpoint, a record or a result says of
    agents is for display, and is used only if it is built in; all else the caller has to name.
    """
    spec = without_prefixes(spec)
    if not isinstance(spec, str):
        return False
    makers = {**_SOLVED, **_makers(game)}
    if spec in makers:
        return True
    try:
        search = parse_search(spec)
    except AgentError:
        return False
    return SEARCH in makers and search is not None and search.policy in {None, *makers}


def check_name(name: object) -> None:
    """Checks that a name of an agent, a file or a folder can be written into results as UTF-8."""
    try:
        str(name).encode()
    except UnicodeEncodeError as error:
        raise OptionError(f"{str(name)!a}: this name is not UTF-8; rename the file") from error


def absolute_spec(spec: str, game: str = DEFAULT_GAME) -> str:
    """Returns a spec with the whole path of the file or folder that it names, if it names one."""
    if is_builtin(spec, game) or parse_command(spec) is not None:
        return spec
    whole, spec = spec, without_prefixes(spec)
    start = whole.removesuffix(spec)
    if (search := parse_search(spec)) is not None and search.policy is not None:
        return f"{start}{spec.removesuffix(search.policy)}{absolute_spec(search.policy, game)}"
    source, _, name = spec.rpartition(":")
    if source.endswith(".py"):
        return f"{start}{Path(source).absolute()}:{name}"
    return f"{start}{Path(spec).absolute()}" if Path(spec).exists() else f"{start}{spec}"


def for_any_edition(specs: Sequence[str]) -> tuple[str, ...]:
    """Returns specs with `ANY_EDITION` before those that name a policy."""
    policies = {s for s in specs if plays_shipped(s) or find_policy(s) or find_checkpoint(s)}
    return tuple(ANY_EDITION + s.removeprefix(ANY_EDITION) if s in policies else s for s in specs)


def spec_for_map(spec: str, config: Config) -> str:
    """Returns a spec as it plays a map: on generated ones, with `ANY_EDITION` before a policy."""
    return for_any_edition((spec,))[0] if config.edition.is_generated else spec


def _make_search(search: SearchSpec, config: Config, any_edition: bool) -> SearchAgent:
    make = agent_factory(SEARCH, config.game)
    if (named := search.policy) is None:
        return cast(SearchAgent, make(config, search.budget))
    if parse_command(named) is not None:
        what = short_repr(named)
        raise AgentError(f"{what}: a bot plays against a search, but not within it")
    is_known = named in _makers(config.game) or find_linear(named)
    policy = _load_policy(named, config, any_edition)
    if policy is None and not is_known:
        raise AgentError(
            f"there is no policy {named!r} to search with; give {LEARNED}, planner, a checkpoint "
            "(.zip) or the folder of a training run"
        )
    found = make_agent(named, config) if policy is None else policy
    return cast(SearchAgent, make(config, search.budget, policy=found))


def _load_policy(spec: str, config: Config, any_edition: bool) -> NetworkAgent | None:
    """Returns the agent of the policy that a spec names; None if it names something else."""
    if spec == LEARNED:
        agent = learned_agent(config, any_edition=any_edition)
        return agent if isinstance(agent, NetworkAgent) else None
    if (folder := find_policy(spec)) is not None:
        return load_learned(config, folder, any_edition=any_edition)
    if (path := find_checkpoint(spec)) is None:
        return None
    with extra_needed():
        from .network.checkpoint import load_agent
    return load_agent(path, config, any_edition=any_edition)


def plays_shipped(spec: str) -> bool:
    """Returns whether a spec names the policy that ships: "learned", or a search with it."""
    spec = without_prefixes(spec)
    search = parse_search(spec)
    return (spec if search is None else search.policy) == LEARNED


def _policy_path(spec: Spec) -> Path | None:
    """Returns what a spec, or the search that it asks for, names as its policy; None if nothing."""
    spec = without_prefixes(spec)
    if isinstance(spec, str) and (search := parse_search(spec)) is not None:
        spec = search.policy or ""
    # A folder "random" hides no agent.
    if not isinstance(spec, str | Path) or not str(spec) or spec in {*NAMES, *_SOLVED}:
        return None
    if parse_command(spec):
        return None
    return Path(spec)


def find_policy(spec: Spec) -> Path | None:
    """Returns the folder of the policy that a spec points to, None if there is none."""
    path = _policy_path(spec)
    try:
        return path if path is not None and shipped_players(path) else None
    except (OSError, ValueError):  # such as a name that is longer than a path may be
        return None


def find_linear(spec: Spec) -> Path | None:
    """Returns the folder of the linear weights that a spec points to, None if there are none."""
    path = _policy_path(spec)
    try:
        return path if path is not None and linear_players(path) else None
    except (OSError, ValueError):
        return None


def find_checkpoint(spec: Spec) -> Path | None:
    """Returns the checkpoint that a spec points to, None if it points to something else."""
    path = _policy_path(spec)
    if path is None or find_policy(path) is not None or find_linear(path) is not None:
        return None
    try:
        is_folder, is_file = path.is_dir(), path.is_file()
    except OSError as error:
        raise AgentError(f"agent {short_repr(str(path))}: {error.strerror}") from error
    if not is_folder:
        return path if is_file and path.suffix != ".py" else None
    if not (path / CHECKPOINT).is_file():
        raise AgentError(f"{path} holds no checkpoint: there is no {path / CHECKPOINT}")
    return path / CHECKPOINT


def checkpoint_players(spec: Spec) -> int | None:
    """Returns how many players a checkpoint was trained for, None for any other agent."""
    found = checkpoint_description(spec)
    return None if found is None else int(found["num_players"])


def checkpoint_edition(spec: Spec) -> str | None:
    """Returns the name or folder of a checkpoint's edition, None for any other agent."""
    found = checkpoint_description(spec) or {"arguments": {}}
    edition = found["arguments"].get("edition")
    if not isinstance(edition, str):
        return None
    maps = game_spec(named_game(found)).config.edition_set(edition)
    return next(iter(maps), edition)


def checkpoint_description(spec: Spec) -> Description | None:
    """Returns what a checkpoint, or a run's policy, says of itself, None for any other agent."""
    if (folder := find_linear(spec)) is not None:
        players = linear_players(folder)
        weights = linear_path(folder, players[0])
        return cast(Description, describe_linear(weights)) if len(players) == 1 else None
    if (folder := find_policy(spec)) is not None:
        players = shipped_players(folder)
        return read_policy(folder, players[0]) if len(players) == 1 else None
    path = find_checkpoint(spec)
    if path is None:
        return None
    with extra_needed():
        from .network.checkpoint import read_description
    return read_description(path)


def _find_object(spec: str, game: str) -> object:
    """Returns what "module:name" or "file.py:name" names."""
    source, _, name = spec.rpartition(":")
    if not source or not name or source in {*_SOLVED, *_makers(game)}:
        raise AgentError(
            f"there is no agent {spec!r}; give {', '.join(agent_names(game))}, a checkpoint "
            "(.zip), the folder of a training run, module:Class, file.py:Class or cmd:./bot"
        )
    module = _import(source)
    if not hasattr(module, name):
        classes = [k for k, v in vars(module).items() if hasattr(v, "act") and k != "Agent"]
        known = f"it has {', '.join(classes)}" if classes else "it has no class with a method act"
        file = Path(f"{source}.py")  # which the installed module hides
        other = f"; the file here is {file}:{name}" if file.is_file() else ""
        raise AgentError(f"{source} has no {name!r}; {known}{other}")
    return getattr(module, name)


def _import(source: str) -> ModuleType:
    """Imports a module by name or by its file; AgentError says why it cannot be imported."""
    try:
        if source.endswith(".py"):
            return _import_file(Path(source))
        allow_module(source)
        return import_module(source)
    except (Exception, SystemExit) as error:
        missing = isinstance(error, ModuleNotFoundError) and f"{source}.".startswith(
            f"{error.name}."
        )
        if missing:
            raise AgentError(
                f"there is no module {source!r} in this folder or among the installed packages"
            ) from error
        raise AgentError(f"{source} cannot be imported: {_one_line(error)}") from error


class _ModuleFinder(NamedTuple):
    """Finds a module or package of a folder, and no other file that lies there."""

    name: str
    folder: str

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        return PathFinder.find_spec(name, [self.folder]) if name == self.name else None


def allow_module(source: str) -> None:
    """Lets Python find an agent's module in the current folder if none of its name is installed.

    A search of the whole folder would run files that stand in for missing optional modules.
    """
    finder = _ModuleFinder(source.partition(".")[0], str(Path.cwd()))
    is_known = finder.name in sys.modules or find_spec(finder.name) is not None
    if not is_known and finder.find_spec(finder.name) is not None:
        sys.meta_path.append(finder)


def _import_file(path: Path) -> ModuleType:
    # A name of its own, which hides no other module and no file of this name elsewhere.
    name = f"agent_file_{path.stem}_{sha256(str(path.resolve()).encode()).hexdigest()[:12]}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise FileNotFoundError("there is no such file")
    module = sys.modules[name] = module_from_spec(spec)  # dataclasses look their module up there
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _as_agent(found: object, config: Config, label: str) -> Agent:
    """Returns an agent, built if it is a class or a function; AgentError names it by a label."""
    agent = found
    if isinstance(found, type) or not (hasattr(found, "act") or is_sb3_model(found)):
        if not callable(found):
            raise AgentError(f"{label} is not an agent: it has no method act")
        try:
            agent = found(config)
        except (Exception, SystemExit) as error:
            last = extract_tb(error.__traceback__)[-1]
            raise AgentError(
                f"{label} cannot be built from a GameConfig: {_one_line(error)} "
                f"({Path(last.filename).name}, line {last.lineno})"
            ) from error
    if is_sb3_model(agent):
        from gonzaga_env.envs.opponents import SB3Agent  # needs gymnasium

        return SB3Agent(agent, config)
    if not callable(getattr(agent, "act", None)):
        raise AgentError(f"{label} is not an agent: it has no method act")
    return cast(Agent, agent)


def _one_line(error: BaseException) -> str:
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
