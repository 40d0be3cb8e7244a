"""What is played, from what is asked for and what the agents imply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import signature
from typing import Any

from gonzaga_env.games import DEFAULT_GAME, game_spec
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.spec import Config

from ..registry import Spec, checkpoint_edition, checkpoint_players


def config_for(
    agents: Sequence[Spec],
    players: int,
    game: str = DEFAULT_GAME,
    edition: Any = None,
    scenario: str | None = None,
    rules: Any = None,
) -> Config:
    """Returns what agents play.

    Args:
        agents: as `make_agent` takes them.
        players: P.
        game: the game's name.
        edition: None takes a checkpoint's, else the game's default.
        scenario: None draws one for each deal, in games that have scenarios.
        rules: the options of the rules, a mapping of some of them, or text, such as "online"; None
            takes the usual ones.

    Raises:
        OptionError: an argument has a value that the game does not take.
        EditionError: the edition cannot be found or has faults.
        CheckpointError: a checkpoint is broken.
    """
    spec = game_spec(game)
    if edition is None:
        editions = map(checkpoint_edition, agents)
        edition = next((name for name in editions if name is not None), None)
    given = {"edition": edition, "scenario": scenario, "rules": rules}
    options = {name: value for name, value in given.items() if value is not None}
    if unknown := sorted({*options} - {*signature(spec.config).parameters}):
        raise OptionError(f"{spec.title} has no {unknown[0]}; leave out --{unknown[0]}")
    return spec.config(num_players=players, **options)


def players_for(agents: Sequence[Spec], players: int | None, game: str = DEFAULT_GAME) -> int:
    """Returns the number of players that is asked for, or that the agents imply.

    That is a checkpoint's number, else the number of agents, or the most for one agent.

    Raises:
        OptionError: no agent, more agents than players, or an invalid number of players.
    """
    if not agents:
        raise OptionError("no agent is named; try: random greedy")
    possible = game_spec(game).players
    if players is None:
        trained = map(checkpoint_players, agents)
        implied = next((number for number in trained if number is not None), len(agents))
        players = implied if implied in possible else max(possible)
    if players not in possible:
        raise OptionError(f"players is {players}; it takes {min(possible)} to {max(possible)}")
    if len(agents) > players:
        raise OptionError(f"{len(agents)} agents are named for {players} players")
    return players


def describe_game(config: Any) -> dict[str, Any]:
    """Returns what is played as plain data; Gonzaga's name is left out, as in older files."""
    edition, name = config.edition, {} if config.game == DEFAULT_GAME else {"game": config.game}
    scenario = {"scenario": config.scenario} if hasattr(config, "scenario") else {}
    return {
        **name,
        "edition": getattr(edition, "label", edition.name),
        "edition_hash": edition.digest,
        "reconstruction": edition.reconstruction,
        **scenario,
        "rules": config.rules.as_dict(),
    }


def game_text(played: Mapping[str, Any], edition: str, scenario: str = "") -> str:
    """Returns a text such as "Gonzaga (Europe, a reconstruction), drawn scenarios".

    Args:
        played: see `describe_game`.
        edition: the edition's name.
        scenario: what follows the edition, such as the number of players.
    """
    title = game_spec(played.get("game", DEFAULT_GAME)).title
    says_so = not played["reconstruction"] or "reconstruction" in edition
    words = [
        f"{title} ({edition}{'' if says_so else ', a reconstruction'})",
        *filter(None, [scenario]),
    ]
    if "scenario" in played:
        name = played["scenario"]
        words.append("drawn scenarios" if name is None else f"scenario {name}")
    return ", ".join(words)
