"""The games of this package in OpenSpiel: importing this module registers them.

import gonzaga_env.envs.open_spiel
import pyspiel

game = pyspiel.load_game("python_gonzaga(players=2,scenario=Gutenberg)")

It takes the extra `open-spiel`; docs/open_spiel.md describes the games.
"""

from gonzaga_env.kernel.errors import MissingPackageError

try:
    import pyspiel  # noqa: F401  # fails here with a hint, not later without one
except ModuleNotFoundError as error:
    raise MissingPackageError(
        'OpenSpiel is not installed; run: pip install "gonzaga-env[open-spiel]"', name="pyspiel"
    ) from error

from gonzaga_env.envs.open_spiel.adapter import CastlesOfTuscany, Gonzaga, Signorie

__all__ = ["CastlesOfTuscany", "Gonzaga", "Signorie"]
