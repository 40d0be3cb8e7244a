"""Moves the table's addresses below a path: a static site rarely has its own host.

Pages, scripts and answers name addresses such as "/table/ID" as texts. In served content, each is
prefixed with the path. `tests/table/browser` checks that no address in the table's files is missed.
"""

from __future__ import annotations

import re

_NAMES = "api|game|learn|puzzle|record|rules|static|table"
_NAMED = re.compile(rf"""(?<=["'`}}(])/(?=(?:{_NAMES})\b)""")
_LOBBY = re.compile(
    r"""(?<=href=")/(?=")|(?<=href: ["`])/(?=["?])|(?<=assign\(["`])/(?=["?])|(?<="", ")/(?="\))"""
)
_TEXTS = ("text/html", "text/css", "text/javascript", "text/event-stream", "application/json")


def is_text(content_type: str) -> bool:
    """Returns whether content of a type can hold addresses."""
    return content_type.partition(";")[0].strip().lower() in _TEXTS


def below(path: str, content: bytes) -> bytes:
    """Returns a text whose addresses begin with a path.

    Args:
        path: such as "/docs/play/at/3", without a slash at its end.
        content: the text in UTF-8; of a stream, whole events.
    """
    text = content.decode()
    return _LOBBY.sub(f"{path}/", _NAMED.sub(f"{path}/", text)).encode()
