"""Command line: `python -m gonzaga_env edition check`, `edition draw`, `record text`, `replay`,
`show`, `stats`, `doctor`, and what other packages add (`explain`, `play`) by entry points of the
group "gonzaga_env.commands".

Exit codes: 0 for success; 2 for wrong arguments, unusable files, or faults found; 130 for Ctrl-C;
141 where the reader of the output has gone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

_NAME = "python -m gonzaga_env"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code.

    Args:
        arguments: the command line without the program; None for `sys.argv[1:]`.
    """
    try:
        from gonzaga_env.command_line import run_command
    except KeyboardInterrupt:
        print(f"{_NAME}: interrupted", file=sys.stderr)
        return 130
    return run_command(_NAME, lambda: _run(arguments))


def _run(arguments: Sequence[str] | None) -> int:
    from gonzaga_env.commands import command_parser

    options = command_parser().parse_args(arguments)
    return int(options.run(options))


if __name__ == "__main__":
    sys.exit(main())
