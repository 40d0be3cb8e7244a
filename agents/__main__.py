"""Lists the commands: python -m gonzaga_agents."""

from __future__ import annotations

import sys

from .cli import main

sys.exit(main())
