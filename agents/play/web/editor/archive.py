"""An edition's folder as a .zip file, written and read."""

from __future__ import annotations

import io
import re
import unicodedata
import zipfile
import zlib
from pathlib import PurePosixPath

from gonzaga_env.core.edition import Edition
from gonzaga_env.core.editions.files import shipped_editions
from gonzaga_env.core.editions.validate import FILES
from gonzaga_env.core.editions.write import edition_files

from .errors import RefusedError

MAX_FILE = 1 << 20  # bytes of a file after decompression
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
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for entry in archive.infolist():
                name = PurePosixPath(entry.filename).name
                if name not in _NAMES or entry.is_dir() or "__MACOSX" in entry.filename:
                    continue
                if name in found:
                    raise RefusedError(f"{name} is in the .zip file twice; one edition is right")
                found[name] = _content(archive, entry)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError) as error:
        if isinstance(error, RefusedError):
            raise
        raise RefusedError(f"this is not a .zip file that can be read: {error}") from None
    return found


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """Returns the content of a file, of which no more than `MAX_FILE` bytes are decompressed."""
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise RefusedError(f"{entry.filename!r} is compressed in an unusual way; deflate is right")
    with archive.open(entry) as file:
        content = file.read(MAX_FILE + 1)
    if len(content) > MAX_FILE:
        message = f"{entry.filename!r} has more than {MAX_FILE} bytes"
        raise RefusedError(message, "too_large", 413)
    return content
