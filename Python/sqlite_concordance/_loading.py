"""Loading the extension into connections of any driver.

The extension serves one SQLite library for each file that the process has loaded: pointers of one library must never reach
another. A process often has two, such as the `sqlite3` module's and the one inside `apsw`. The second is served by a copy of
the file under a name of its own.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
import threading
from typing import Any

_SUFFIX = "dylib" if sys.platform == "darwin" else "so"
_AS_FTS5 = "sqlite3_concordanceasfts5_init"

_lock = threading.Lock()
# What has been loaded: for each module that connections are from, and in order, the package's own file first.
_path_by_driver: dict[str, str] = {}
_paths: list[str] = []


def _renew_lock() -> None:
    # Another thread may have held it when the process was forked.
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)


class ExtensionLoadingUnavailable(RuntimeError):
    """The `sqlite3` module of this Python was built without loadable extensions."""


def loadable_path() -> str:
    """The path of the extension, for a driver's own function that loads one.

    `load` is the better way where there may be a second SQLite library in the process.
    """
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), f"concordance.{_SUFFIX}")


def load(connection: Any, *, as_fts5: bool = False) -> None:
    """Loads the extension into a connection: of `sqlite3`, `apsw`, `pysqlite3`, or anything with their methods.

    Whether the connection may load extensions is afterwards as it was before. Loading twice is harmless.

    With `as_fts5`, tables that the connection creates `USING fts5` are Concordance's from now on, for programs whose SQL
    cannot be changed; those that FTS5 made already stay FTS5's. Every connection to such a table needs `as_fts5`.

    Raises `ExtensionLoadingUnavailable` where this Python's `sqlite3` cannot load extensions, `TypeError` for anything but a
    driver's connection, and the driver's own error where SQLite refuses the extension.
    """
    _check(connection)
    with _lock, _LoadingEnabled(connection):
        driver = type(connection).__module__.split(".")[0]
        known = _path_by_driver.get(driver)
        for path in ([known] if known else []) + [path for path in _paths or [loadable_path()] if path != known]:
            if _try(connection, path):
                break
        else:
            path = _load_copy(connection)
        _path_by_driver[driver] = path
        if path not in _paths:
            _paths.append(path)
        if as_fts5:
            _load_as_fts5(connection, path)


def _load_copy(connection: Any) -> str:
    """Loads a new copy of the file; returns the path that stands for it from now on."""
    folder = tempfile.mkdtemp(prefix="sqlite-concordance-")
    # Another name each time: the loader knows a library by the path that it was loaded from.
    path = os.path.join(folder, f"concordance-{os.getpid()}-{len(_paths)}.{_SUFFIX}")
    try:
        shutil.copyfile(loadable_path(), path)
        if not _try(connection, path):
            raise RuntimeError(f"{path}, a new copy of the extension, serves another SQLite library already")
    finally:
        if sys.platform == "linux":
            # A library that is loaded is found by its path there, file or no file. So nothing is left of a process that is
            # killed, and a forked one has nothing to clean up.
            shutil.rmtree(folder, ignore_errors=True)
        else:
            atexit.register(_remove, folder, os.getpid())
    return path


def _remove(folder: str, process: int) -> None:
    # A forked process has inherited the call, and not the folder.
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


def _check(connection: Any) -> None:
    if hasattr(connection, "enable_load_extension") and hasattr(connection, "load_extension"):
        if not _is_asynchronous(connection):
            return
        raise TypeError(
            f"load() takes a connection that is not asynchronous, not {type(connection).__qualname__}: "
            "give it to the driver's own functions, as in `await db.enable_load_extension(True)` and "
            "`await db.load_extension(sqlite_concordance.loadable_path())`"
        )
    if any(name in ("sqlite3", "_sqlite3") for name in _modules(type(connection))):
        raise ExtensionLoadingUnavailable(
            "This Python's sqlite3 module was built without loadable extensions, as macOS's own Python is and pyenv's are "
            "by default: use the Python of Homebrew or of a Linux distribution, build pyenv's with "
            "PYTHON_CONFIGURE_OPTS=--enable-loadable-sqlite-extensions, or open the database with apsw (pip install apsw)."
        )
    raise TypeError(
        f"load() takes the connection of a SQLite driver, not {type(connection).__qualname__}: pass the one that it wraps, "
        "such as `database.conn` of sqlite-utils, `database.connection()` of peewee, "
        "`connection.connection.driver_connection` of SQLAlchemy"
    )


def _modules(kind: type) -> list[str]:
    return [base.__module__.split(".")[0] for base in kind.__mro__]


def _is_asynchronous(connection: Any) -> bool:
    import inspect

    return inspect.iscoroutinefunction(connection.load_extension)


def _load_as_fts5(connection: Any, path: str) -> None:
    if "apsw" in _modules(type(connection)):
        connection.load_extension(path, _AS_FTS5)
    else:
        # Modules of before Python 3.12 name no entry point; the SQL function does.
        connection.execute("SELECT load_extension(?, ?)", (path, _AS_FTS5)).fetchall()


def _try(connection: Any, path: str) -> bool:
    """Loads a file; False where it serves another SQLite library."""
    try:
        connection.load_extension(path)
    except Exception as error:
        if "another copy of SQLite" in str(error):
            return False
        raise
    return True


class _LoadingEnabled:
    """Lets a connection load extensions for a while."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._was_enabled = _is_loading_enabled(self._connection)
        if not self._was_enabled:
            self._connection.enable_load_extension(True)

    def __exit__(self, *_: object) -> None:
        if not self._was_enabled:
            self._connection.enable_load_extension(False)


def _is_loading_enabled(connection: Any) -> bool:
    # No driver tells in all its versions. The SQL function says "not authorized" unless extensions may be loaded.
    try:
        connection.execute("SELECT load_extension(?)", (os.path.join(loadable_path(), "none"),))
    except Exception as error:
        return "not authorized" not in str(error)
    return True
