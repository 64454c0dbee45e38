"""sqlite-utils: loads the extension into each connection, and adds two commands."""

from __future__ import annotations

from typing import Any

import click
import sqlite_utils

from ._loading import ExtensionLoadingUnavailable, load
from ._schema import full_text_tables, quoted


@sqlite_utils.hookimpl
def prepare_connection(conn: Any) -> None:
    try:
        load(conn)
    except ExtensionLoadingUnavailable:
        # sqlite-utils is for other databases as well; the commands here say what is missing.
        pass


@sqlite_utils.hookimpl
def register_commands(cli: click.Group) -> None:
    cli.add_command(enable_concordance)
    cli.add_command(convert_fts)


_path = click.argument("path", type=click.Path(exists=True, file_okay=True, dir_okay=False, allow_dash=False))


@click.command("enable-concordance")
@_path
@click.argument("table")
@click.argument("columns", nargs=-1, required=True)
@click.option("--tokenize", help="Tokenizer, such as porter or 'concordance english'")
@click.option("--prefix", help="Lengths of prefixes with lists of their own, such as '2 3'")
@click.option("--create-triggers", is_flag=True, help="Create triggers that keep the index up to date")
@click.option("--replace", is_flag=True, help="Replace the table's full-text index")
def enable_concordance(
    path: str, table: str, columns: "tuple[str, ...]", tokenize: "str | None", prefix: "str | None", create_triggers: bool,
    replace: bool,
) -> None:
    """Index columns of a table for full-text search, as enable-fts does, with Concordance.

    The index is the table TABLE_fts. search, rebuild-fts, populate-fts, disable-fts and optimize work with it.

    \b
        sqlite-utils enable-concordance chickens.db chickens name --create-triggers
        sqlite-utils search chickens.db chickens 'lila OR blue'
    """
    db = _open(path)
    source = db[table]
    if not source.exists():
        raise click.ClickException(f"there is no table {table}")
    missing = [column for column in columns if column not in source.columns_dict]
    if missing:
        raise click.ClickException(f"the table {table} has no column {missing[0]}")
    if source.detect_fts() is not None:
        if not replace:
            raise click.ClickException(f"{table} has the full-text index {source.detect_fts()} already: --replace replaces it")
        source.disable_fts()
    try:
        with db.conn:
            for sql in _statements(table, columns, tokenize, prefix, create_triggers):
                db.conn.execute(sql)
    except db.conn.Error as error:
        raise click.ClickException(str(error))


def _statements(
    table: str, columns: "tuple[str, ...]", tokenize: "str | None", prefix: "str | None", create_triggers: bool
) -> "list[str]":
    index = quoted(table + "_fts")
    names = ", ".join(quoted(column) for column in columns)
    options = [f"content={quoted(table)}"]
    if tokenize:
        options.append(f"tokenize={quoted(tokenize)}")
    if prefix:
        options.append(f"prefix={quoted(prefix)}")
    statements = [
        f"CREATE VIRTUAL TABLE {index} USING fts5concordance({names}, {', '.join(options)})",
        f"INSERT INTO {index}({index}) VALUES ('rebuild')",
    ]
    if create_triggers:
        new = ", ".join(f"new.{quoted(column)}" for column in columns)
        old = ", ".join(f"old.{quoted(column)}" for column in columns)
        insert = f"INSERT INTO {index}(rowid, {names}) VALUES (new.rowid, {new});"
        delete = f"INSERT INTO {index}({index}, rowid, {names}) VALUES ('delete', old.rowid, {old});"
        for suffix, event, body in (
            ("ai", "INSERT", insert), ("ad", "DELETE", delete), ("au", "UPDATE", f"{delete} {insert}")
        ):
            name = quoted(f"{table}_{suffix}")
            statements.append(f"CREATE TRIGGER {name} AFTER {event} ON {quoted(table)} BEGIN {body} END")
    return statements


@click.command("convert-fts")
@_path
@click.argument("tables", nargs=-1)
def convert_fts(path: str, tables: "tuple[str, ...]") -> None:
    """Make FTS5 tables Concordance's, in place: all of them except contentless ones, or those named, or those of the tables
    named.

    \b
        sqlite-utils convert-fts chickens.db
    """
    db = _open(path)
    for name in tables or [table.name for table in full_text_tables(db.conn, ("fts5",))]:
        try:
            table = db[name].detect_fts() or name
            is_converted = db.conn.execute("SELECT concordance_convert(?)", [table]).fetchone()[0]
            click.echo(f"{table}: {'converted' if is_converted else 'is of Concordance already'}")
        except db.conn.Error as error:
            if tables or "is contentless" not in str(error):
                raise click.ClickException(str(error))
            click.echo(f"{name}: skipped, since it is contentless")


def _open(path: str) -> Any:
    db = sqlite_utils.Database(path)
    try:
        # Whether plugins have prepared the connection or not.
        load(db.conn)
    except ExtensionLoadingUnavailable as error:
        raise click.ClickException(str(error))
    return db
