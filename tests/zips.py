"""Zip files for tests, whose members may be there twice."""

import io
import warnings
import zipfile
from collections.abc import Iterable


def write_zip(members: Iterable[tuple[str, bytes]], compression: int = zipfile.ZIP_STORED) -> bytes:
    """Returns a zip of members."""
    content = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that are there twice
        with zipfile.ZipFile(content, "w") as archive:
            for name, member in members:
                archive.writestr(zipfile.ZipInfo(name), member, compression)
    return content.getvalue()
