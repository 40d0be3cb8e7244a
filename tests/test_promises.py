"""The list of public names in docs/promises.md is that of the code."""

import ast
import re
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = {"gonzaga_env": "gonzaga_env", "agents": "gonzaga_agents", "table": "gonzaga_table"}
#: Modules whose `__all__` only says what other rooms of this project import.
INTERNAL = {
    "gonzaga_agents.gonzaga.details",
    "gonzaga_agents.gonzaga.network",
    "gonzaga_agents.signorie.details",
    "gonzaga_agents.tuscany.details",
    "gonzaga_agents.units",
    "gonzaga_env.core.records",
    "gonzaga_env.envs.learner",
    "gonzaga_env.envs.single_agent",
    "gonzaga_env.envs.vector",
    "gonzaga_env.tabletop",
    "gonzaga_env.tabletop.bounded",
    "gonzaga_env.tabletop.records",
}
GAME = "gonzaga_env.tuscany"


def declared() -> dict[str, set[str]]:
    """Returns `__all__` by module, read from the sources, as some need extras."""
    found: dict[str, set[str]] = {}
    for top, package in PACKAGES.items():
        for path in (ROOT / top).rglob("*.py"):
            parts = path.relative_to(ROOT / top).with_suffix("").parts
            module = ".".join((package, *parts)).removesuffix(".__init__")
            for node in ast.parse(path.read_text()).body:
                target = node.targets[0] if isinstance(node, ast.Assign) else None
                target = node.target if isinstance(node, ast.AugAssign) else target
                if isinstance(target, ast.Name) and target.id == "__all__":
                    found.setdefault(module, set()).update(values(node.value, module))
    found["gonzaga_env.gonzaga"] = found["gonzaga_env.core"]  # imported from there
    return found


def values(node: ast.expr, module: str) -> set[str]:
    if isinstance(node, ast.List):
        return {str(ast.literal_eval(entry)) for entry in node.elts}
    return set(import_module(module).__all__)  # `+= tabletop.__all__`


def listed() -> dict[str, set[str]]:
    text = (ROOT / "docs/promises.md").read_text().partition("| package | names |")[2]
    found = {}
    for line in text.partition("\n\n")[0].splitlines()[2:]:
        packages, names = line.strip("|").split("|")
        for package in re.findall("`(.+?)`", packages):
            found[package] = set(re.findall("`(.+?)`", names))
    for names in found.values():
        if GAME in names:  # "all of ..."
            names |= found[GAME]
            names -= {GAME}
    return found


def test_the_page_lists_what_is_public() -> None:
    code = declared()
    assert code.keys() > INTERNAL
    assert listed() == {name: names for name, names in code.items() if name not in INTERNAL}
