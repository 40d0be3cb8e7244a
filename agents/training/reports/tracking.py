"""Sends figures to Weights & Biases as well as to TensorBoard (`--track wandb`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stable_baselines3.common.logger import KVWriter

from gonzaga_env.extras import extra_needed
from gonzaga_env.tabletop.errors import OptionError
from gonzaga_env.tabletop.writing import write_aside

from ..options import Track
from .curve import PICTURE, Point

IDENTITY = "wandb/run_id"  # in the folder of a run, so that a resumed one continues its figures
_PROJECT = "gonzaga"
_MOST_REASON = 160  # letters


def writers(track: Track, folder: Path, arguments: Mapping[str, Any]) -> list[KVWriter]:
    """Returns the outputs, besides TensorBoard's, of a training run's logger.

    Args:
        track: what was asked for.
        folder: of the run.
        arguments: of the run, which are kept with the figures.

    Raises:
        OptionError: Weights & Biases does not start.
        ModuleNotFoundError: it is not installed; the message says what to install.
    """
    return [WandbWriter(folder, arguments)] if track == "wandb" else []


class WandbWriter(KVWriter):
    """Sends numbers, and the curve of strength at the end, as an output of SB3's `Logger`."""

    def __init__(self, folder: Path, arguments: Mapping[str, Any]) -> None:
        """Starts, or after an interruption continues, the run of a folder (errors: `writers`)."""
        self._folder, identity = folder, folder / IDENTITY
        known = identity.read_text().strip() if identity.is_file() else None
        self._run = _start(folder, folder.name, arguments, known)
        identity.parent.mkdir(exist_ok=True)
        write_aside(identity, self._run.id.encode())

    def write(
        self, key_values: dict[str, Any], key_excluded: Mapping[str, Any], step: int = 0
    ) -> None:
        """Sends numbers by name; `step`, the learner's turns, is what they are drawn over."""
        self._run.log({"turns": step, **{key: float(key_values[key]) for key in key_values}})

    def close(self) -> None:
        """Sends the curve's picture, if there is one, and ends."""
        _finish(self._run, self._folder / PICTURE)


def track_curves(curves: Mapping[str, Sequence[Point]], picture: Path) -> None:
    """Sends the curves of finished runs, one run each (errors: `writers`).

    Args:
        curves: by name.
        picture: of all of them.
    """
    for name, points in curves.items():
        run = _start(picture.parent, name, {})
        for point in points:
            shares = {
                f"against/{opponent}/{part}": share
                for opponent, shares in point.against.items()
                for part, share in zip(("win_share", "low", "high"), shares, strict=True)
            }
            run.log({"turns": point.turns, "hours": point.seconds / 3600, **shares})
        _finish(run, picture)


def _start(folder: Path, name: str, arguments: Mapping[str, Any], known: str | None = None) -> Any:
    """Starts a run that keeps its files in a folder; `known` is the id of one to continue."""
    with extra_needed():
        import wandb
    more: dict[str, Any] = {"id": known, "resume": "allow"} if known else {}
    try:  # settings come from the environment, too
        quiet = wandb.Settings(console="off", disable_git=True, save_code=False, silent=True)
        run = wandb.init(
            project=_PROJECT,
            name=name,
            dir=str(folder),
            config={**arguments},
            settings=quiet,
            **more,
        )
    except (wandb.errors.Error, ValueError) as error:
        reason = " ".join(str(error).split())[:_MOST_REASON].rstrip(".")
        raise OptionError(
            f"wandb: {reason}; run `wandb login`, or set WANDB_MODE=offline, or leave out --track"
        ) from error
    run.define_metric("*", step_metric="turns")
    return run


def _finish(run: Any, picture: Path) -> None:
    import wandb

    if picture.is_file():
        run.log({"curve": wandb.Image(str(picture))})
    run.finish()
