"""The console command `gonzaga-mcp`."""

from __future__ import annotations

from gonzaga_agents.cli import run_command


def mcp() -> int:
    """Serves games to language models.

    Returns:
        The exit code: 2 for a mistake, 130 after Ctrl-C.
    """
    return run_command("gonzaga-mcp", f"{__package__}.mcp", "mcp")
