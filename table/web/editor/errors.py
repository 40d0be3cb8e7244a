"""Refused requests."""

from __future__ import annotations

from gonzaga_env.tabletop.agent import AgentError


class RefusedError(AgentError):
    """A request of the editor's page that is malformed, too large or impossible.

    Attributes:
        code: a word for programs, such as "malformed".
        status: the HTTP status, 4xx.
    """

    def __init__(self, message: str, code: str = "malformed", status: int = 422) -> None:
        super().__init__(message)
        self.code, self.status = code, status
