"""Datasette: loads the extension into each connection, and tells Datasette which tables can be searched.

Datasette looks for tables `USING fts…`. It finds those that are declared `USING fts5concordance`, as `concordance_convert`
declares them, by itself, and no others. Here all get their `fts_table`, and are hidden where they belong to another table, as
if that stood in the metadata (Datasette 0.65) or the configuration (1.0), unless it does.
"""

from __future__ import annotations

import logging
import threading
import weakref
from typing import Any, Dict

from datasette import hookimpl

from ._loading import ExtensionLoadingUnavailable, load
from ._schema import INDEX_SUFFIXES, SHADOW_SUFFIXES, full_text_tables

_Tables = Dict[str, Dict[str, Any]]
_log = logging.getLogger("sqlite_concordance")
# By the instance of Datasette, then by database and table: what its metadata gets.
_found: "weakref.WeakKeyDictionary[Any, dict[str, _Tables]]" = weakref.WeakKeyDictionary()
_lock = threading.Lock()
_has_warned = False


@hookimpl
def prepare_connection(conn: Any, database: str, datasette: Any) -> None:
    global _has_warned
    try:
        load(conn)
    except ExtensionLoadingUnavailable as error:
        if not _has_warned:
            _log.warning("Full-text tables of Concordance cannot be opened. %s", error)
            _has_warned = True
        return
    _publish(datasette, database, _look_up(conn))


@hookimpl(tryfirst=True)
def filters_from_request(database: str, datasette: Any) -> Any:
    # Runs before Datasette's own search asks for the table's fts_table: tables come and go while Datasette runs.
    async def look() -> None:
        found = await datasette.get_database(database).execute_fn(_look_up)
        _publish(datasette, database, found)

    return look


@hookimpl(optionalhook=True)
def get_metadata(datasette: Any) -> dict[str, Any]:
    """Datasette 0.65."""
    found = _found.get(datasette, {})
    return {"databases": {database: {"tables": tables} for database, tables in found.items()}}


def _look_up(conn: Any) -> _Tables:
    tables: _Tables = {}
    names = [row[0] for row in conn.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'").fetchall()]
    for table in full_text_tables(conn):
        tables.setdefault(table.name, {})["fts_table"] = table.name
        if table.content is not None:
            content = tables.setdefault(table.content, {})
            content.setdefault("fts_table", table.name)
            if table.rowid.lower() != "rowid":
                content.setdefault("fts_pk", table.rowid)
            tables[table.name]["hidden"] = True
        for suffix in SHADOW_SUFFIXES + INDEX_SUFFIXES:
            if table.name + suffix in names:
                tables.setdefault(table.name + suffix, {})["hidden"] = True
    return tables


def _publish(datasette: Any, database: str, tables: _Tables) -> None:
    with _lock:
        before = _found.setdefault(datasette, {}).get(database, {})
        _found[datasette][database] = tables
        if before != tables and hasattr(datasette, "table_config"):
            _configure(datasette, database, before, tables)


def _configure(datasette: Any, database: str, before: _Tables, tables: _Tables) -> None:
    """Datasette 1.0: what is said of tables is part of the configuration."""
    if datasette.config is None:
        datasette.config = {}
    configured = datasette.config.setdefault("databases", {}).setdefault(database, {}).setdefault("tables", {})
    for name, options in before.items():
        for key, value in options.items():
            if configured.get(name, {}).get(key) == value:
                del configured[name][key]
    for name, options in tables.items():
        for key, value in options.items():
            configured.setdefault(name, {}).setdefault(key, value)
