"""`gonzaga mcp`: serves games to language models over the Model Context Protocol."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from gonzaga_env.command_line import OK, parse
from gonzaga_env.kernel.errors import OptionError

from ..outside.mcp_server import MOST_BODY, make_server, with_token

TOKEN = "GONZAGA_MCP_TOKEN"  # the variable of the environment


@dataclass(frozen=True)
class McpOptions:
    """Serves games to language models over the Model Context Protocol: on standard input and
    output, or to programs of this machine over HTTP.

    Examples:
        gonzaga mcp
        gonzaga mcp --port 8770 --no-choices
    """

    port: int | None = None
    """Serve over HTTP on this port of 127.0.0.1, with the token GONZAGA_MCP_TOKEN or a new one."""
    no_choices: bool = False
    """Do not list legal choices: the model has to know the rules."""


def main(arguments: Sequence[str]) -> int:
    options = parse(McpOptions, arguments, "gonzaga mcp")
    server = make_server(not options.no_choices)
    if options.port is None:
        server.run()
        return OK
    if not 1 <= options.port < 2**16:
        raise OptionError(f"port is {options.port}; it takes 1 to 65535")
    import uvicorn

    token = os.environ.get(TOKEN) or secrets.token_urlsafe(18)
    address = f"http://127.0.0.1:{options.port}/mcp"
    print(f"gonzaga mcp: {address}, Authorization: Bearer {token}", file=sys.stderr)
    app = with_token(server.streamable_http_app(max_request_body_size=MOST_BODY), token)
    uvicorn.run(app, host="127.0.0.1", port=options.port, log_level="warning")
    return OK
