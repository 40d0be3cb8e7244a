"""Reads the pages: their blocks of code, the commands in them and in the text, and their marks.

An indented block holds what is typed into a shell; a fenced block says its language. A comment
before a block, a table or a paragraph says why its commands do not run: <!-- not run: REASON -->.
Of a tutorial's blocks, <!-- of FILE --> names the file whose piece it is, which a test compares.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from docs.site_links import BROUGHT, DOCS

ROOT = Path(__file__).parent.parent.parent
LEFT_OUT = {ROOT / "CHANGELOG.md"}  # tells what once was
LEFT_OUT |= {DOCS / page for page in BROUGHT.values()}  # copies that a build of the site has left
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "notebooks/*.md", "gonzaga_env/data/rules/*.md")
    for path in ROOT.glob(pattern)
    if path not in LEFT_OUT
)
NAMES = [str(path.relative_to(ROOT)) for path in PAGES]
SHELLS = {"bash", "console", "sh", "shell"}
LANGUAGES = SHELLS | {"bibtex", "json", "nginx", "python", "text", "toml", "yaml"}

_MARKDOWN = MarkdownIt("commonmark").enable("table")
_MARK = re.compile(r"<!-- (?:not run: (.+?)|(of \S+)) -->\n?", re.DOTALL)
_COMMAND = re.compile(r"(python|pip|nox|npm|gonzaga(-[a-z]+)?) \S")  # in the text: with an argument
_SEPARATORS = {"&&", "||", ";", "|", ">"}


@dataclass(frozen=True)
class Block:
    """Code of a page: a block, or a piece of a line of text, whose language is ""."""

    page: str
    line: int  # of its first line of code, from 1
    language: str
    text: str
    reason: str | None  # why it does not run


@dataclass(frozen=True)
class Command:
    """What is typed into a shell, without comments and assignments."""

    page: str
    line: int
    words: tuple[str, ...]
    reason: str | None
    in_text: bool

    def __str__(self) -> str:
        return f"{self.page}:{self.line}: {shlex.join(self.words)}"


def read_blocks(path: Path) -> list[Block]:
    """Returns the code of a page in its order."""
    name = str(path.relative_to(ROOT))
    return list(_blocks(name, path.read_text("utf-8"), first_line=1))


def _blocks(page: str, text: str, first_line: int) -> Iterator[Block]:
    tokens = _MARKDOWN.parse(text)
    reason, ends = None, 0  # the reason holds up to the token `ends`
    for i, token in enumerate(tokens):
        if token.type == "html_block":
            if mark := _MARK.match(token.content):
                reason, ends = " ".join((mark[1] or mark[2]).split()), _next_end(tokens, i)
            continue
        if token.map is not None:
            yield from _code(page, token, first_line + token.map[0], reason)
        if i >= ends:
            reason = None


def _next_end(tokens: list[Token], start: int) -> int:
    """Returns the index of the token that ends the first block after `start`, comments left out."""
    first = next(
        (i for i in range(start + 1, len(tokens)) if tokens[i].type != "html_block"), start
    )
    level = tokens[first].level
    return next(i for i in range(first, len(tokens)) if _closes(tokens[i], level))


def _closes(token: Token, level: int) -> bool:
    return token.level == level and token.nesting <= 0


def _code(page: str, token: Token, line: int, reason: str | None) -> Iterator[Block]:
    if token.type == "code_block":
        yield Block(page, line, "bash", token.content, reason)
    elif token.type == "fence":
        directive, _, language = token.info.strip().partition("}")
        if directive.startswith("{") and directive not in {"{code-block", "{code"}:
            yield from _blocks(page, token.content, line + 1)  # a directive holds Markdown
        else:
            yield Block(page, line + 1, (language or directive).strip(), token.content, reason)
    elif token.type == "inline":
        for child in token.children or ():
            if child.type == "code_inline" and _COMMAND.match(child.content):
                yield Block(page, line, "", child.content, reason)


def read_commands(path: Path) -> list[Command]:
    """Returns the commands of a page in its order, of blocks and of the text.

    In the text, what has "..." is the form of a command, not a command.
    """
    return [
        command
        for block in read_blocks(path)
        if block.language in SHELLS or (not block.language and "..." not in block.text.split())
        for command in _commands(block)
    ]


def _commands(block: Block) -> Iterator[Command]:
    lines, start = block.text.splitlines(), 0
    for i, line in enumerate(lines):
        if line.endswith("\\"):  # goes on in the next line
            continue
        whole = " ".join(part.removesuffix("\\") for part in lines[start : i + 1])
        for words in _split(whole):
            yield Command(block.page, block.line + start, words, block.reason, not block.language)
        start = i + 1


def _split(line: str) -> Iterator[tuple[str, ...]]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars="&|;>")
    lexer.whitespace_split = True
    words: list[str] = []
    for word in (*lexer, ";"):
        if word not in _SEPARATORS:
            words.append(word)
            continue
        while words and re.match(r"[A-Z_]+=", words[0]):
            del words[0]
        if words:
            yield tuple(words)
        words = []
