"""Reads content that may be broken or hostile: work and memory are bounded before any parser.

Whatever is wrong with the content is a ValueError in one line, to which callers add the file's name
and their own type of error. All limits are in `limits`. `cache` bounds what is kept of it.
"""

from gonzaga_env.tabletop.bounded.archive import Archive, array_of, parse_array
from gonzaga_env.tabletop.bounded.cache import Recent, memory_of
from gonzaga_env.tabletop.bounded.files import (
    Json,
    file_errors,
    inflate,
    parse_json,
    parse_toml,
    read_file,
)
from gonzaga_env.tabletop.bounded.limits import MIB
from gonzaga_env.tabletop.bounded.text import printable, short, short_repr

__all__ = [
    "MIB",
    "Archive",
    "Json",
    "Recent",
    "array_of",
    "file_errors",
    "inflate",
    "memory_of",
    "parse_array",
    "parse_json",
    "parse_toml",
    "printable",
    "read_file",
    "short",
    "short_repr",
]
