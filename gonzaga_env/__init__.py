"""Gonzaga, The Castles of Tuscany and Signorie as reinforcement learning environments.

`gonzaga_v0`, `castles_of_tuscany_v0` and `signorie_v0` are for PettingZoo, and so is
`gonzaga_generated_v0`, Gonzaga on a new map in every game; `import gonzaga_env` also registers all
of them with Gymnasium. `gonzaga_env.gonzaga`, `gonzaga_env.tuscany` and
`gonzaga_env.signorie` have their engines, records and views under the same names; some of
Gonzaga's are here too.
"""

import sys

try:
    from gonzaga_env.core import Engine, Game, GameConfig, GonzagaError, Rules, load_edition
    from gonzaga_env.envs import (
        castles_of_tuscany_v0,
        gonzaga_generated_v0,
        gonzaga_v0,
        signorie_v0,
    )
    from gonzaga_env.envs.registration import register_all
    from gonzaga_env.render.decisions import draw_choices, draw_scores, draw_values
    from gonzaga_env.render.draw import draw
    from gonzaga_env.version import __version__

    register_all()
except KeyboardInterrupt:
    # Python imports this before `__main__`, which could catch it; argv[0] is "-m" until then.
    if sys.argv[:1] != ["-m"]:
        raise
    print("gonzaga_env: interrupted", file=sys.stderr)
    sys.exit(130)
except ImportError as error:
    package = (error.name or "").partition(".")[0]
    if sys.argv[:1] != ["-m"] or package not in ("gymnasium", "numpy", "pettingzoo"):
        raise
    print(f"gonzaga_env: {package} is missing or broken; pip install {package}", file=sys.stderr)
    sys.exit(2)

__all__ = [
    "Engine",
    "Game",
    "GameConfig",
    "GonzagaError",
    "Rules",
    "__version__",
    "castles_of_tuscany_v0",
    "draw",
    "draw_choices",
    "draw_scores",
    "draw_values",
    "gonzaga_generated_v0",
    "gonzaga_v0",
    "load_edition",
    "signorie_v0",
]
