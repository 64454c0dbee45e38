import os
import sqlite3
import subprocess
import sys
import threading
import unittest

import sqlite_concordance
from support import FolderTestCase, connect, rows


class Loading(unittest.TestCase):
    def test_a_table_is_made_and_searched(self):
        db = connect()
        db.execute("CREATE VIRTUAL TABLE book USING concordance(author, title, tokenize='concordance standard')")
        db.execute("INSERT INTO book VALUES ('Hans Großmann', 'Encyclopædia')")
        self.assertEqual(rows(db, "SELECT title FROM book('grossmann encyclopaedia')"), [("Encyclopædia",)])

    def test_loading_is_disabled_again(self):
        db = sqlite3.connect(":memory:")
        sqlite_concordance.load(db)
        with self.assertRaisesRegex(sqlite3.OperationalError, "not authorized"):
            db.execute("SELECT load_extension('nosuch')")

    def test_loading_stays_enabled_where_it_was(self):
        for as_fts5 in (False, True):
            db = sqlite3.connect(":memory:")
            db.enable_load_extension(True)
            sqlite_concordance.load(db, as_fts5=as_fts5)
            with self.assertRaisesRegex(sqlite3.OperationalError, "nosuch"):
                db.execute("SELECT load_extension('nosuch')")

    def test_loading_is_disabled_again_after_an_error(self):
        db = sqlite3.connect(":memory:")
        original = sqlite_concordance._loading.loadable_path
        sqlite_concordance._loading.loadable_path = lambda: "/nosuch/concordance.so"
        paths, sqlite_concordance._loading._paths[:] = sqlite_concordance._loading._paths[:], []
        drivers = dict(sqlite_concordance._loading._path_by_driver)
        sqlite_concordance._loading._path_by_driver.clear()
        try:
            with self.assertRaises(sqlite3.OperationalError):
                sqlite_concordance.load(db)
        finally:
            sqlite_concordance._loading.loadable_path = original
            sqlite_concordance._loading._paths[:] = paths
            sqlite_concordance._loading._path_by_driver.update(drivers)
        with self.assertRaisesRegex(sqlite3.OperationalError, "not authorized"):
            db.execute("SELECT load_extension('nosuch')")

    def test_loading_opens_no_transaction(self):
        db = sqlite3.connect(":memory:")
        sqlite_concordance.load(db)
        self.assertFalse(db.in_transaction)

    def test_loading_twice_is_harmless(self):
        db = connect()
        db.execute("CREATE VIRTUAL TABLE t USING concordance(a)")
        db.execute("INSERT INTO t VALUES ('one')")
        sqlite_concordance.load(db)
        sqlite_concordance.load(db, as_fts5=True)
        sqlite_concordance.load(db, as_fts5=True)
        self.assertEqual(rows(db, "SELECT a FROM t('one')"), [("one",)])

    def test_on_eight_threads_at_once(self):
        start, failures = threading.Barrier(8), []

        def work():
            try:
                start.wait()
                for _ in range(5):
                    db = connect()
                    db.execute("CREATE VIRTUAL TABLE t USING concordance(a)")
                    db.execute("INSERT INTO t VALUES ('one')")
                    assert rows(db, "SELECT a FROM t('one')") == [("one",)]
                    db.close()
            except BaseException as failure:
                failures.append(failure)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_a_python_without_loading_is_explained(self):
        class Connection:
            __module__ = "sqlite3"

            def execute(self, *_):
                raise AssertionError

        with self.assertRaises(sqlite_concordance.ExtensionLoadingUnavailable) as caught:
            sqlite_concordance.load(Connection())
        self.assertIn("--enable-loadable-sqlite-extensions", str(caught.exception))
        self.assertIn("apsw", str(caught.exception))

    def test_what_is_no_connection_is_refused(self):
        class Wrapper:
            conn = sqlite3.connect(":memory:")

        class Asynchronous:
            async def enable_load_extension(self, value):
                raise AssertionError

            async def load_extension(self, path):
                raise AssertionError

        for thing in (None, "library.db", Wrapper(), Asynchronous()):
            with self.assertRaises(TypeError, msg=repr(thing)):
                sqlite_concordance.load(thing)

    def test_a_closed_connection_is_the_driver_s_error(self):
        db = sqlite3.connect(":memory:")
        db.close()
        with self.assertRaises(sqlite3.ProgrammingError):
            sqlite_concordance.load(db)

    def test_the_path_is_that_of_a_file(self):
        self.assertTrue(os.path.isfile(sqlite_concordance.loadable_path()))
        db = sqlite3.connect(":memory:")
        db.enable_load_extension(True)
        db.load_extension(sqlite_concordance.loadable_path())
        db.execute("CREATE VIRTUAL TABLE t USING concordance(a)")

    def test_the_package_is_typed_and_documented(self):
        folder = os.path.dirname(sqlite_concordance.__file__)
        self.assertTrue(os.path.isfile(os.path.join(folder, "py.typed")))
        for name in sqlite_concordance.__all__:
            self.assertTrue(getattr(sqlite_concordance, name).__doc__, name)


class Forking(FolderTestCase):
    @unittest.skipUnless(hasattr(os, "fork"), "no fork")
    def test_connections_of_a_forked_process(self):
        script = """
import os, sqlite3, sqlite_concordance
def use():
    db = sqlite3.connect(":memory:")
    sqlite_concordance.load(db)
    db.execute("CREATE VIRTUAL TABLE t USING concordance(a)")
    db.execute("INSERT INTO t VALUES ('one')")
    assert db.execute("SELECT count(*) FROM t('one')").fetchone() == (1,)
use()
child = os.fork()
use()
if child == 0:
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
"""
        subprocess.run([sys.executable, "-c", script], check=True, env={**os.environ, "TMPDIR": self.folder})
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
