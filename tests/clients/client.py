"""What the tests of the libraries that use the environments share."""

import re
import warnings
from pathlib import Path
from typing import Any

import pytest

ID = "gonzaga/Gonzaga-v0"

#: Libraries warn of themselves and of each other; what they do is tested, not what they say.
QUIET = pytest.mark.filterwarnings("ignore")


def need(library: str) -> Any:
    """Returns a library, or skips the module that calls this where it is not installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip(
            library, reason=f"{library} is not installed (docs/clients.md says how)"
        )


def run_examples(section: str) -> None:
    """Runs the examples of a section of docs/clients.md, each on its own."""
    text = (Path(__file__).parent.parent.parent / "docs" / "clients.md").read_text()
    part = text.split(f"\n## {section}\n")[1].split("\n## ")[0]
    examples = re.findall(r"```python\n(.*?)```", part, re.DOTALL)
    assert examples
    for example in examples:
        exec(example, {"__name__": "example"})
