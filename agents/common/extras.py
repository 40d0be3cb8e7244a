"""Optional packages, and what to install when one is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_EXTRAS = {
    "matplotlib": "tournament",
    "onnx": "export",
    "onnxruntime": "learned",
    "onnxscript": "export",
    "pandas": "data",
    "pyarrow": "data",
    "ray": "ray",
    "rich": "evaluate",
    "scipy": "evaluate",
    "starlette": "web",
    "tyro": "evaluate",
    "uvicorn": "web",
    "wandb": "wandb",
}
_OTHERS = {"minari": '"minari[create,hdf5]" pillow', "polars": "polars"}
_OWN_PACKAGES = ("gonzaga_agents", "gonzaga_env")


def install_hint(error: ModuleNotFoundError, extra: str | None = None) -> str | None:
    """Returns how to install the missing package; None if it is one of this project's.

    Args:
        error: names the package.
        extra: what the command takes, which brings the extras "evaluate" and "train" along.
    """
    package = (error.name or "").partition(".")[0]
    if package in _OWN_PACKAGES:
        return None
    found = _EXTRAS.get(package, "train")
    if extra is not None and found in ("evaluate", "tournament", "train"):
        found = extra
    wanted = _OTHERS.get(package, f'"gonzaga-env[{found}]"')
    return f"{package} is not installed; run: pip install {wanted}"


@contextmanager
def extra_needed() -> Iterator[None]:
    """Adds the hint to the ModuleNotFoundError of an import within."""
    try:
        yield
    except ModuleNotFoundError as error:
        hint = install_hint(error)
        if hint is None:
            raise
        raise ModuleNotFoundError(hint, name=error.name) from error
