"""Runs `gonzaga evaluate` from a checkout: python evaluate.py --help."""

from __future__ import annotations

import sys

from gonzaga_env.cli import main

if __name__ == "__main__":
    sys.exit(main(["evaluate", *sys.argv[1:]]))
