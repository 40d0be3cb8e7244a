"""The site's table of contents: which page stands below which, and what the sidebar calls it.

It is kept here and not in the pages, which are read on GitHub, too. Sphinx gets it as hidden
`toctree` blocks (`with_contents`).
"""

from __future__ import annotations

# Page: the pages below it, as {page: what the sidebar calls it}; None stands for its own title.
CONTENTS: dict[str, dict[str, str | None]] = {
    "index": {
        "start": "Start",
        "games/index": "Games",
        "agents": "Agents and ratings",
        "training": "Train",
        "evaluate": "Evaluate",
        "bench": "Benchmark: gonzaga-bench",
        "speedrun": "Speedrun: a record to break",
        "search-agents": "Search",
        "data": "Data sets",
        "scale": "More than one machine",
        "play": "Play",
        "bots": "A bot in any language",
        "models": "Language models",
        "tutorials/edition": "Your own map",
        "tutorials/game": "Your own game",
        "testing": "Tests and promises",
        "security": "Security",
        "api/index": "API reference",
        "changelog": "Changelog",
        "contributing": "Contributing",
    },
    "start": {
        "notebooks/index": "Notebooks",
        "clients": None,
        "open_spiel": None,
        "speed": "Speed of the engines",
    },
    "notebooks/index": {
        "notebooks/01_rollouts": None,
        "notebooks/02_benchmarks": None,
        "notebooks/03_training": None,
        "notebooks/04_your_own_agent": None,
        "notebooks/05_your_own_edition": None,
        "notebooks/06_search": None,
        "notebooks/07_offline": None,
        "notebooks/08_castles_of_tuscany": None,
        "notebooks/09_signorie": None,
        "notebooks/10_exercises": None,
    },
    "games/index": {
        "games/gonzaga": "Gonzaga",
        "games/tuscany": "The Castles of Tuscany",
        "games/signorie": "Signorie",
    },
    "games/gonzaga": {
        "rules": "Rules",
        "edition": "Edition",
        "generated": "Generated maps",
    },
    "games/tuscany": {"rules-tuscany": "Rules", "tuscany-edition": "Edition"},
    "games/signorie": {"rules-signorie": "Rules", "signorie-edition": "Edition"},
    "agents": {
        "policies": "Ratings and policies",
        "solve": "Small editions, solved",
    },
    "evaluate": {"analysis": "Analysis of games"},
    "data": {"records": "Records and statistics"},
    "play": {"play-now": "Play now", "pictures": "Pictures"},
    "api/index": {"api/kernel": "The kernel"},
}


def with_contents(text: str, page: str) -> str:
    """Returns a page's Markdown with the pages below it as a hidden `toctree`, if there are any.

    Args:
        text: Markdown.
        page: the page's name, such as "games/index".
    """
    below = CONTENTS.get(page)
    if below is None:
        return text
    lines = [f"{title} </{name}>" if title else f"/{name}" for name, title in below.items()]
    return "\n".join([text, "", "```{toctree}", ":hidden:", "", *lines, "```", ""])
