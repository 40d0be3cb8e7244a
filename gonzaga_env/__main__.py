"""`python -m gonzaga_env VERB ...` is `gonzaga VERB ...`."""

from __future__ import annotations

import sys

from gonzaga_env.cli import main

if __name__ == "__main__":
    sys.exit(main())
