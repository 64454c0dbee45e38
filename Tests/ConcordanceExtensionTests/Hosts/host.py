"""Loads the extension into a Python host and does one thing with it: host.py DRIVER SCENARIO LIBRARY FOLDER.

DRIVER is sqlite3 (the SQLite of the system) or apsw (which brings its own). FOLDER is an empty one to work in.
Exits with 0 when the scenario went as it should, else with a traceback.
"""

import gc
import os
import shutil
import sys
import threading


class Connection:
    """What the scenarios need of a connection, over either driver."""

    def __init__(self, driver, path=":memory:"):
        self.driver = driver
        if driver == "sqlite3":
            import sqlite3
            self.raw = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self.error = sqlite3.Error
        else:
            import apsw
            self.raw = apsw.Connection(path)
            self.error = apsw.Error

    def load(self, library, entry=None):
        self.raw.enable_load_extension(True)
        if entry is None:
            self.raw.load_extension(library)
        elif self.driver == "apsw":
            self.raw.load_extension(library, entry)
        elif sys.version_info >= (3, 12):
            self.raw.load_extension(library, entrypoint=entry)
        else:
            self.raw.execute("SELECT load_extension(?, ?)", (library, entry))
        return self

    def rows(self, sql, *arguments):
        return list(self.raw.execute(sql, arguments))

    def close(self):
        self.raw.close()


SCENARIOS = {}


def scenario(function):
    SCENARIOS[function.__name__] = function
    return function


def expect(actual, expected):
    if actual != expected:
        raise AssertionError(f"expected {expected!r}, found {actual!r}")


def expect_error(error, text, body):
    try:
        body()
    except error as thrown:
        if text not in str(thrown):
            raise AssertionError(f"the message {str(thrown)!r} does not say {text!r}")
    else:
        raise AssertionError(f"no error; expected one that says {text!r}")


def search(connection):
    """Makes a table with an analyzer of ours, and finds in it what the built-in tokenizers would miss."""
    connection.rows("CREATE VIRTUAL TABLE doc USING fts5(body, tokenize='concordance words fold latin')")
    connection.rows("INSERT INTO doc VALUES ('Herr Großmann liest die Encyclopædia'), ('nothing of the kind')")
    for query in ("grossmann", "GROSSMANN", "Großmann", "encyclopaedia"):
        expect((query, connection.rows("SELECT rowid FROM doc WHERE doc MATCH ?", query)), (query, [(1,)]))
    expect(
        connection.rows("SELECT highlight(doc, 0, '[', ']') FROM doc WHERE doc MATCH 'grossmann'"),
        [("Herr [Großmann] liest die Encyclopædia",)])


@scenario
def plain(driver, library, folder):
    connection = Connection(driver).load(library)
    search(connection)
    connection.close()


@scenario
def full_text_tables(driver, library, folder):
    """Tables of the engine: written, ranked, rolled back, read in another connection, and converted from FTS5's."""
    path = os.path.join(folder, "engine.db")
    connection = Connection(driver, path).load(library)
    connection.rows("CREATE VIRTUAL TABLE doc USING concordance(title, body, prefix='2')")
    connection.rows("INSERT INTO doc VALUES ('one', 'two three'), ('two', 'two two'), ('three', 'four')")
    expect(connection.rows("SELECT rowid FROM doc WHERE doc MATCH 'two' ORDER BY rank LIMIT 1"), [(2,)])
    expect(connection.rows("SELECT rowid FROM doc('th* NOT four')"), [(1,)])
    expect(
        connection.rows("SELECT highlight(doc, 1, '[', ']'), bm25(doc) < 0 FROM doc WHERE doc MATCH 'three' ORDER BY rowid"),
        [("two [three]", 1), ("four", 1)])
    connection.rows("BEGIN")
    connection.rows("DELETE FROM doc")
    connection.rows("ROLLBACK")
    connection.rows("CREATE VIRTUAL TABLE old USING fts5(body)")
    connection.rows("INSERT INTO old VALUES ('five'), ('six')")
    expect(connection.rows("SELECT concordance_convert('old')"), [(1,)])
    expect(connection.rows("SELECT concordance_convert('old')"), [(0,)])
    expect_error(connection.error, "no such table: nosuch", lambda: connection.rows("SELECT concordance_convert('nosuch')"))
    expect_error(connection.error, 'fts5: syntax error near ""', lambda: connection.rows("SELECT * FROM doc('')"))
    expect_error(connection.error, "SQL logic error", lambda: connection.rows("INSERT INTO doc(doc) VALUES ('nosuch')"))
    other = Connection(driver, path).load(library)
    expect(other.rows("SELECT rowid FROM old WHERE old MATCH 'six'"), [(2,)])
    expect(other.rows("SELECT count(*) FROM doc WHERE doc MATCH 'two OR three'"), [(3,)])
    other.rows("INSERT INTO doc(doc) VALUES ('integrity-check')")
    other.close()
    expect(connection.rows("PRAGMA integrity_check"), [("ok",)])
    connection.close()


@scenario
def entry_points(driver, library, folder):
    for entry in ("sqlite3_extension_init", "sqlite3_concordance_init", "sqlite3_concordanceasfts5_init"):
        connection = Connection(driver).load(library, entry)
        search(connection)
        connection.close()


@scenario
def needs_loading(driver, library, folder):
    """Without the extension the tokenizer is unknown: so the scenarios above did test it."""
    connection = Connection(driver)
    expect_error(connection.error, "concordance", lambda: search(connection))


@scenario
def twice(driver, library, folder):
    connection = Connection(driver).load(library).load(library)
    search(connection)
    connection.load(library)
    expect(connection.rows("SELECT rowid FROM doc WHERE doc MATCH 'grossmann'"), [(1,)])
    connection.close()


@scenario
def another_process(driver, library, folder):
    """A table's definition alone rebuilds its analyzer: written here, read in a new process."""
    path = os.path.join(folder, "library.db")
    if not os.path.exists(path):
        connection = Connection(driver, path).load(library)
        search(connection)
        connection.close()
        import subprocess
        subprocess.run([sys.executable] + sys.argv, check=True)
    else:
        connection = Connection(driver, path).load(library)
        connection.rows("INSERT INTO doc VALUES ('Frau Grossmann')")
        expect(connection.rows("SELECT rowid FROM doc WHERE doc MATCH 'großmann'"), [(1,), (3,)])
        connection.rows("INSERT INTO doc (doc) VALUES ('integrity-check')")
        connection.close()


@scenario
def closing_order(driver, library, folder):
    """Connections that come and go leave each other alone; the last to close is followed by a new first."""
    first = Connection(driver).load(library)
    second = Connection(driver).load(library)
    search(first)
    first.close()
    search(second)
    third = Connection(driver).load(library)
    second.close()
    search(third)
    third.close()
    for _ in range(20):
        connection = Connection(driver).load(library)
        search(connection)
        connection.close()
    # Never closed explicitly: destroyed with the interpreter.
    globals()["left_open"] = Connection(driver).load(library)
    gc.collect()


@scenario
def threads(driver, library, folder):
    """The first load ever happens on eight threads at once."""
    start = threading.Barrier(8)
    failures = []

    def work():
        try:
            connection = Connection(driver)
            start.wait()
            for _ in range(3):
                connection.load(library)
            search(connection)
            connection.close()
        except BaseException as failure:
            failures.append(failure)

    workers = [threading.Thread(target=work) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if failures:
        raise failures[0]


@scenario
def bad_arguments(driver, library, folder):
    connection = Connection(driver).load(library)
    for arguments in ("nosuchfilter", "words nosuchfilter"):
        expect_error(
            connection.error, "tokenizer",
            lambda: connection.rows(f"CREATE VIRTUAL TABLE bad USING fts5(body, tokenize='concordance {arguments}')"))
    search(connection)


@scenario
def hostile_text(driver, library, folder):
    connection = Connection(driver).load(library)
    connection.rows("CREATE VIRTUAL TABLE doc USING fts5(body, tokenize='concordance words fold latin')")
    for text in (b"\xff\xfe\x80 tail", b"nul\x00tail", b"\xf0\x9f", b"a" * 3_000_000, b"\xe2\x80" * 50_000, b""):
        connection.rows("INSERT INTO doc VALUES (CAST(? AS TEXT))", text)
    connection.rows("INSERT INTO doc (doc) VALUES ('integrity-check')")
    expect(connection.rows("SELECT count(*) FROM doc WHERE doc MATCH 'tail'")[0][0] >= 1, True)


@scenario
def two_libraries(driver, library, folder):
    """Another SQLite in the same process gets an error, and is served by a copy of the file."""
    other = "apsw" if driver == "sqlite3" else "sqlite3"
    connection = Connection(driver).load(library)
    stranger = Connection(other)
    expect_error(stranger.error, "another copy of SQLite", lambda: stranger.load(library))
    duplicate = os.path.join(folder, "concordance-2.so")
    shutil.copy(library, duplicate)
    stranger.load(duplicate)
    search(stranger)
    search(connection)


if __name__ == "__main__":
    driver, name, library, folder = sys.argv[1:]
    SCENARIOS[name](driver, os.path.abspath(library), folder)
