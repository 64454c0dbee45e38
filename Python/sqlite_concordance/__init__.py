"""Full-text search for SQLite, as a loadable extension for every SQLite driver of Python.

    import sqlite3, sqlite_concordance

    db = sqlite3.connect("library.db")
    sqlite_concordance.load(db)
    db.execute("CREATE VIRTUAL TABLE book USING concordance(author, title)")

The SQL is that of SQLite's FTS5 (https://www.sqlite.org/fts5.html), with `concordance` for `fts5`.
"""

from ._loading import ExtensionLoadingUnavailable, load, loadable_path

__version__ = "0.1.0"
__all__ = ["ExtensionLoadingUnavailable", "load", "loadable_path"]
