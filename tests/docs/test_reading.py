"""What the tests of the pages would find: commands, marks, and mistakes."""

from pathlib import Path

import pytest

from tests.docs import pages
from tests.docs.commands import ROOT, SCRIPTS, check, is_quick, small
from tests.docs.pages import read_blocks, read_commands

PAGE = """\
Runs `python a.py b` and `a.py`, or `python evaluate.py A ...`.

    # a comment
    A=1 one two && three \\
        four  # a comment

<!-- not run: because -->
<!-- other -->
```bash
five | six "seven eight"
```

```text
nine
```

<!-- not run: for
long -->
| `pip install x` |
|---|
| `python b.py c` |

```{tab-set}
~~~bash
ten
~~~
```
"""


@pytest.fixture
def page(tmp_path, monkeypatch) -> Path:
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    (tmp_path / "page.md").write_text(PAGE)
    return tmp_path / "page.md"


def test_commands_are_found_with_their_lines_and_reasons(page) -> None:
    found = [(c.line, " ".join(c.words), c.reason, c.in_text) for c in read_commands(page)]
    assert found == [
        (1, "python a.py b", None, True),
        (4, "one two", None, False),
        (4, "three four", None, False),
        (10, "five", "because", False),
        (10, "six seven eight", "because", False),
        (19, "pip install x", "for long", True),
        (21, "python b.py c", "for long", True),
        (25, "ten", None, False),
    ]


def test_a_mark_ends_with_its_block(page) -> None:
    reasons = {block.text: block.reason for block in read_blocks(page)}
    assert reasons["nine\n"] is None
    assert reasons["ten\n"] is None


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("python evaluate.py greedy --dealz 1", "did you mean --deals"),
        ("python evaluate.py greedy --deals many", "whole number"),
        ("gonzaga-play --host", "expected one argument"),
        ("python -m gonzaga_env show", "FILE"),
        ("python -m gonzaga_env shows games.jsonl", "invalid choice"),
        ("python benchmarks/load.py --tables many", "invalid int"),
        ("python benchmarks/lode.py", "there is no benchmarks/lode.py"),
        ("python docs/film.py", "which test runs it"),
        ("python tests/golden/regenerate.py --fast", "takes no options"),
        ("pip install .[everything]", "everything"),
        ("pip install -c pins.txt .", "pins.txt"),
        ("nox -s lunch", "lunch"),
        ("npm run lunch", "lunch"),
        ("python -m pytest tests/lunch", "tests/lunch"),
        ("docker run gonzaga", "say why not"),
    ],
)
def test_mistakes_are_found(command, complaint) -> None:
    with pytest.raises(AssertionError, match=complaint):
        check(command.split())


def test_a_form_is_not_complete() -> None:
    show = ["python", "-m", "gonzaga_env", "show"]
    assert check([*show, "FILE", "--game", "N"], in_text=True) is False
    assert check(show, in_text=True) is False
    assert check([*show, "games.jsonl"], in_text=True)


def test_a_small_run_keeps_what_it_names() -> None:
    words = ["python", "evaluate.py", "search@64", "runs/a/0000100352.zip", "--deals", "400"]
    kept = ["python", "evaluate.py", "search@2", "runs/a/0000000064.zip", "--deals", "400"]
    assert small(words) == [*kept, "--deals", "1"]
    assert not is_quick(words)  # it searches
    assert is_quick(["python", "evaluate.py", "greedy", "planner"])
    assert not is_quick(["python", "evaluate.py", "greedy", "planner", "--tournament"])
    assert not is_quick(["python", "train.py"])


@pytest.mark.parametrize(("script", "test"), SCRIPTS.items(), ids=SCRIPTS)
def test_scripts_are_run_by_the_test_that_is_named(script, test) -> None:
    assert (ROOT / script).is_file()
    assert Path(script).stem in (ROOT / test).read_text("utf-8")
