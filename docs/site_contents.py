"""The site's table of contents: which page stands below which, and what the sidebar calls it.

It is kept here and not in the pages, which are read on GitHub, too. Sphinx gets it as hidden
`toctree` blocks (`with_contents`).
"""

from __future__ import annotations

# Page: the pages below it, as {page: what the sidebar calls it}; None stands for its own title.
CONTENTS: dict[str, dict[str, str | None]] = {
    "index": {
        "start": "Start",
        "notebooks/index": "Notebooks",
        "games/index": "Games",
        "training": "Self-play",
        "nano": "Gonzaga in one file",
        "first": "A learner of your own",
        "clients": None,
        "open_spiel": None,
        "data": "Data sets",
        "scale": "More than one machine",
        "evaluate": "Matches and tournaments",
        "bench": "Benchmark: gonzaga-bench",
        "speedrun": "Speedrun: a record to break",
        "policies": "Ratings and policies",
        "search-agents": "Search",
        "solve": "Small editions, solved",
        "speed": "Speed of the engines",
        "play-now": "Play now",
        "play": "Play",
        "pictures": "Pictures",
        "records": "Records and statistics",
        "analysis": "Analysis of games",
        "agents": "Agents",
        "bots": "A bot in any language",
        "models": "Language models",
        "tutorials/edition": "Your own map",
        "tutorials/game": "Your own game",
        "api/index": "API reference",
        "asked": None,
        "tried": None,
        "testing": "Tests and promises",
        "security": "Security",
        "changelog": "Changelog",
        "contributing": "Contributing",
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
    "api/index": {"api/kernel": "The kernel"},
}
# Titles in the sidebar, above the first page of each group.
CAPTIONS = {
    "start": "Learn",
    "training": "Train",
    "evaluate": "Measure",
    "play-now": "Look",
    "agents": "Add your own",
    "asked": "Trust and cite",
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
    lines: list[str] = []
    for name, title in below.items():
        caption = CAPTIONS.get(name)
        if caption or not lines:
            lines += ["```"] if lines else []
            lines += ["", "```{toctree}", ":hidden:"]
            lines += [f":caption: {caption}", ""] if caption else [""]
        lines.append(f"{title} </{name}>" if title else f"/{name}")
    return "\n".join([text, *lines, "```", ""])
