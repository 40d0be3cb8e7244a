"""The page of limits says what the code does."""

import re
from pathlib import Path

from gonzaga_env.tabletop.bounded import limits

PAGE = Path(__file__).parents[3] / "docs" / "limits.md"


def test_the_page_lists_every_limit_with_its_value():
    listed = re.findall(r"^\| `(\w+)` \| (\d+) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    declared = {name: value for name, value in vars(limits).items() if name.isupper()}
    del declared["MIB"]
    assert {name: int(value) for name, value in listed} == declared
    assert len(listed) == len(declared)
