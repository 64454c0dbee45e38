"""The full-text tables of a database, as its schema declares them."""

from __future__ import annotations

import re
from typing import Any, Iterator, NamedTuple, Optional

MODULES = ("concordance", "fts5concordance")
SHADOW_SUFFIXES = ("_config", "_content", "_data")
# Of the other tables of an index that a Swift app has installed.
INDEX_SUFFIXES = ("_source", "_changes", "_pending")

_COMMENTS = r"(?:\s|--[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)"
_WORD = r"(?:\"(?:[^\"]|\"\")*\"|'(?:[^']|'')*'|`(?:[^`]|``)*`|\[[^\]]*\]|[^\s.()'\"`\[\]=,]+)"
_DECLARATION = re.compile(
    rf"\s*CREATE{_COMMENTS}+VIRTUAL{_COMMENTS}+TABLE{_COMMENTS}+(?:IF{_COMMENTS}+NOT{_COMMENTS}+EXISTS{_COMMENTS}+)?"
    rf"(?:{_WORD}{_COMMENTS}*\.{_COMMENTS}*)?{_WORD}{_COMMENTS}*USING{_COMMENTS}+({_WORD}){_COMMENTS}*(?:\((.*)\))?\s*;?\s*$",
    re.IGNORECASE | re.DOTALL,
)
_ARGUMENT = re.compile(rf"(?:{_WORD}|[^,'\"`\[])+", re.DOTALL)
_OPTION = re.compile(rf"\s*(\w+)\s*=\s*({_WORD})?\s*$", re.DOTALL)
_OPTIONS = ("content", "content_rowid")
# The query of the table INDEX_source, which an index of a Swift app reads its texts from, ends with the app's table.
_SOURCE = re.compile(rf"\bUSING\s+concordancesource\(.*?\nFROM main\.({_WORD})\s*\)", re.IGNORECASE | re.DOTALL)


class FullTextTable(NamedTuple):
    """A full-text table: its module, and the table whose texts it indexes, with the column that is the rowid."""

    name: str
    module: str
    content: Optional[str]
    rowid: str


def full_text_tables(connection: Any, modules: tuple[str, ...] = MODULES) -> list[FullTextTable]:
    """The tables of these modules in the main database, as they were created."""
    sql = "SELECT name, sql FROM main.sqlite_master WHERE type = 'table' AND rootpage = 0 ORDER BY rowid"
    declarations = [tuple(row) for row in connection.execute(sql).fetchall()]
    sources = {name: _SOURCE.search(declaration or "") for name, declaration in declarations if name.endswith("_source")}
    found = []
    for name, declaration in declarations:
        match = _DECLARATION.match(declaration or "")
        if match is None or _unquoted(match[1]).lower() not in modules:
            continue
        options = dict(_options(match[2] or ""))
        content = options.get("content") or None
        source = sources.get(f"{name}_source")
        if content is None and source is not None:
            content = _unquoted(source[1])
        found.append(FullTextTable(name, _unquoted(match[1]).lower(), content, options.get("content_rowid", "rowid")))
    return found


def _options(arguments: str) -> Iterator[tuple[str, str]]:
    for argument in _ARGUMENT.findall(arguments):
        option = _OPTION.match(argument)
        if option is not None and option[1].lower() in _OPTIONS:
            yield option[1].lower(), _unquoted(option[2] or "")


def _unquoted(word: str) -> str:
    if word[:1] in ("'", '"', "`"):
        return word[1:-1].replace(word[0] * 2, word[0])
    return word[1:-1] if word[:1] == "[" else word


def quoted(name: str) -> str:
    """A name as SQL has it in double quotes."""
    return '"' + name.replace('"', '""') + '"'
