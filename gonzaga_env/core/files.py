"""Files are written aside and renamed, so that nobody ever reads half of one."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_aside(path: str | Path, content: str | bytes) -> None:
    """Writes a file whole or not at all.

    Args:
        path: where the file shall be; one that is there is replaced.
        content: text (written as UTF-8) or bytes.

    Raises:
        OSError: the folder is missing or can't be written to.
    """
    path = Path(path)
    data = content.encode() if isinstance(content, str) else content
    handle, aside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(aside).chmod(0o666 & ~_umask())
        Path(aside).replace(path)
    except BaseException:
        Path(aside).unlink(missing_ok=True)
        raise


def _umask() -> int:
    """Returns the mask for new files' rights, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
