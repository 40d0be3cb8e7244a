"""Lists the commands: python -m gonzaga_agents."""

from __future__ import annotations

import sys

from gonzaga_env.command_line import run_command

from .cli import main

sys.exit(run_command("python -m gonzaga_agents", main))
