"""Environments of one game: what plays any game, with the arguments that configure this one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypedDict, TypeVar, Unpack

from gymnasium.vector import AutoresetMode

from gonzaga_env.envs.environment import MaskDtype, MaskPlace
from gonzaga_env.envs.opponents import Opponents
from gonzaga_env.kernel.arguments import checked_arguments
from gonzaga_env.kernel.result import Reward
from gonzaga_env.kernel.spec import GameSpec

EditionT = TypeVar("EditionT")
RulesT = TypeVar("RulesT")


class SeatedArguments(TypedDict, total=False):
    """What PettingZoo's environments take beside a configuration, for type checkers."""

    reward: Reward
    render_mode: str | None
    mask: MaskPlace
    keys: Sequence[str]
    normalised: bool
    mask_dtype: MaskDtype


class LearnerArguments(SeatedArguments, total=False):
    """What environments with one learner take beside a configuration."""

    opponents: Opponents
    seat: int | None


class VectorArguments(LearnerArguments, total=False):
    """What vector environments take beside a configuration and `num_envs`."""

    autoreset_mode: AutoresetMode | str
    max_episode_steps: int | None


class OfGame:
    """The first base of a class that plays one game; the second plays any game.

    ::

        class raw_env(OfGame, AECGame, spec=SPEC, name="gonzaga_v0"):

    Its `__init__` takes the arguments of the game's configuration in place of `spec` and `config`,
    before `reward`, and help() shows all of them. Type checkers read what the class declares.
    """

    metadata: dict[str, Any]

    if TYPE_CHECKING:

        def __init__(self, *args: object, **given: Any) -> None: ...

    def __init_subclass__(cls, spec: GameSpec | None = None, **metadata: object) -> None:
        """Makes the class that of a game.

        Args:
            spec: the game; None for a class that is derived from that of a game.
            metadata: what the class adds to the metadata of the second base.
        """
        super().__init_subclass__()
        if spec is None:
            return
        about = {"versions": spec.versions, "sources": spec.sources}
        cls.metadata = {**cls.metadata, **about, **metadata}
        _bind(cls, spec)


def _bind(cls: Any, spec: GameSpec) -> None:
    """Gives a class its `__init__`."""
    made = spec.config
    # Where the configuration takes None for the usual edition or rules, these are shown.
    usual = {"edition": made.EDITION, "rules": made.OPTIONS()}
    config = [
        one.replace(default=usual.get(one.name, one.default))
        for one in signature(made).parameters.values()
    ]
    every = signature(cls.__init__).parameters
    own = [every[name] for name in every if name not in ("self", "spec", "config")]
    place = [one.name for one in own].index("reward")
    shown = Signature([*own[:place], *config, *own[place:]])
    names = [one.name for one in config]

    def __init__(self: Any, *args: Any, **given: Any) -> None:  # noqa: N807  it becomes the method
        """Sets up the environment; `reset` deals a game.

        Raises:
            ArgumentError: there is no such argument.
            OptionError: an argument has an invalid value.
            EditionError: the edition cannot be found or has faults.
        """
        arguments = checked_arguments(shown, args, given)
        chosen = {name: arguments.pop(name) for name in names if name in arguments}
        super(cls, self).__init__(spec=spec, config=spec.config(**chosen), **arguments)

    taken: Any = __init__
    taken.__signature__ = shown.replace(parameters=[every["self"], *shown.parameters.values()])
    cls.__init__ = taken


class _Config(TypedDict, Generic[EditionT, RulesT], total=False):
    edition: str | Path | EditionT
    rules: RulesT | Mapping[str, object] | str


class _Seated(_Config[EditionT, RulesT], SeatedArguments):
    pass


class _Learner(_Config[EditionT, RulesT], LearnerArguments):
    pass


class _Vector(_Config[EditionT, RulesT], VectorArguments):
    pass


class SeatedOfGame(OfGame, Generic[EditionT, RulesT]):
    """An `OfGame` for PettingZoo, of a game that is configured by an edition and rules alone."""

    if TYPE_CHECKING:

        def __init__(
            self, num_players: int = 4, **options: Unpack[_Seated[EditionT, RulesT]]
        ) -> None: ...


class LearnerOfGame(OfGame, Generic[EditionT, RulesT]):
    """The same for one learner."""

    if TYPE_CHECKING:

        def __init__(
            self, num_players: int = 4, **options: Unpack[_Learner[EditionT, RulesT]]
        ) -> None: ...


class VectorOfGame(OfGame, Generic[EditionT, RulesT]):
    """The same for N games with one learner each."""

    if TYPE_CHECKING:

        def __init__(
            self,
            num_envs: int = 1,
            num_players: int = 4,
            **options: Unpack[_Vector[EditionT, RulesT]],
        ) -> None: ...
