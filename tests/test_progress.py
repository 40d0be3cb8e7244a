"""Progress bars: a line that appears late, on terminals only, and leaves nothing behind."""

import io
from itertools import count

from gonzaga_env.progress import Progress
from tests.show.test_terminal import Terminal


def updated(stream: io.StringIO, total: int, *seconds: float) -> str:
    """Returns what is drawn if the clock shows these seconds, the start first."""
    clock = iter(seconds)
    with Progress("verifying", total, stream, lambda: next(clock)) as progress:
        for done in range(1, len(seconds)):
            progress.update(done, f"{done} games")
    return stream.getvalue()


def test_the_bar_appears_after_a_second_and_is_erased() -> None:
    drawn = updated(Terminal(), 4, 10.0, 10.5, 11.2, 11.25, 11.4)
    lines = drawn.split("\r\x1b[K")
    bars = [f"verifying [{'#' * n}{'.' * (30 - n)}] " for n in (15, 30)]
    left = "0:00:01 left  "
    assert lines == ["", f"{bars[0]} 50%  {left}2 games", f"{bars[1]}100%  4 games", ""]


def test_without_a_total_there_is_only_the_count() -> None:
    assert updated(Terminal(), 0, 0.0, 2.0) == "\r\x1b[Kverifying 1 games\r\x1b[K"


def test_short_work_and_other_streams_show_nothing() -> None:
    assert updated(Terminal(), 4, 0.0, 0.1, 0.2) == ""
    assert updated(io.StringIO(), 4, *map(float, range(9))) == ""


def test_it_is_erased_once() -> None:
    stream, clock = Terminal(), count(0, 5)
    with Progress("writing", 2, stream, lambda: next(clock)) as progress:
        progress.update(1)
        progress.erase()
    assert stream.getvalue().count("\x1b[K") == 2
