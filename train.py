"""Runs `gonzaga train` from a checkout: python train.py --help."""

from __future__ import annotations

import sys

from gonzaga_env.cli import main

if __name__ == "__main__":
    sys.exit(main(["train", *sys.argv[1:]]))
