"""An edition's folder as a .zip file, written and read."""

from __future__ import annotations

import io
import re
import unicodedata
import zipfile
from pathlib import PurePosixPath

from gonzaga_env.core.board.edition import Edition
from gonzaga_env.core.editions.loading import MAX_FILE, shipped_editions
from gonzaga_env.core.editions.validate import FILES
from gonzaga_env.core.editions.write import edition_files
from gonzaga_env.tabletop.bounded import Archive

from ..requests import RefusedError

_NAMES = tuple(f"{file}.toml" for file in FILES)
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the oldest date of the format: equal editions give equal archives


def folder_name(name: str) -> str:
    """Returns a folder name for an edition, such as "my-map"; never that of a shipped edition."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    folder = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40] or "edition"
    return f"{folder}-edited" if folder in shipped_editions() else folder


def write_archive(edition: Edition) -> bytes:
    """Returns a .zip file with one folder, `folder_name(edition.name)`, that holds four files."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in edition_files(edition).items():
            entry = zipfile.ZipInfo(f"{folder_name(edition.name)}/{name}", _EPOCH)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, text.encode())
    return target.getvalue()


def read_archive(data: bytes) -> dict[str, bytes]:
    """Returns the edition's files in a .zip file by name, from whatever folder they are in.

    Raises:
        RefusedError: this is no .zip file, or a file is in it twice, too large or unreadable.
    """
    found: dict[str, bytes] = {}
    try:
        archive = Archive(data, deflated=True)
        for path in sorted(archive.names):
            name = PurePosixPath(path).name
            if name not in _NAMES or path.endswith("/") or "__MACOSX" in path:
                continue
            if name in found:
                raise ValueError(f"has {name} twice; one edition is right")
            found[name] = archive.read(path, MAX_FILE)
    except ValueError as error:
        raise RefusedError(f"the .zip file: {error}") from None
    return found
