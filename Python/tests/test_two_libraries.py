"""Two SQLite libraries in one process: that of the sqlite3 module, and the one in apsw."""

import os
import subprocess
import sys
import threading
import unittest

import apsw
import sqlite3
import sqlite_concordance
from support import FolderTestCase


def use(module):
    db = sqlite3.connect(":memory:") if module == "sqlite3" else apsw.Connection(":memory:")
    sqlite_concordance.load(db)
    db.execute("CREATE VIRTUAL TABLE t USING concordance(a)")
    db.execute("INSERT INTO t VALUES ('one'), ('two')")
    assert list(db.execute("SELECT rowid, a FROM t WHERE t MATCH 'two' ORDER BY rank")) == [(2, "two")]
    return db


class TwoLibraries(FolderTestCase):
    def test_take_turns_in_one_process(self):
        self.assertNotEqual(sqlite3.sqlite_version, apsw.sqlite_lib_version())
        connections = [use(module) for module in ("sqlite3", "apsw", "sqlite3", "apsw")]
        for connection in connections:
            self.assertEqual(list(connection.execute("SELECT count(*) FROM t WHERE t MATCH 'one'")), [(1,)])

    def test_load_on_eight_threads_at_once(self):
        start, failures = threading.Barrier(8), []

        def work(module):
            try:
                start.wait()
                for _ in range(3):
                    use(module).close()
            except BaseException as failure:
                failures.append(failure)

        threads = [threading.Thread(target=work, args=[("sqlite3", "apsw")[index % 2]]) for index in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_loading_is_as_it_was_in_apsw(self):
        for is_enabled in (False, True):
            db = apsw.Connection(":memory:")
            db.enable_load_extension(is_enabled)
            sqlite_concordance.load(db)
            with self.assertRaisesRegex(apsw.SQLError, "nosuch" if is_enabled else "not authorized"):
                list(db.execute("SELECT load_extension('nosuch')"))

    def run_script(self, script, status=0):
        prelude = f"import sys, os; sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})\n"
        result = subprocess.run(
            [sys.executable, "-c", prelude + "from test_two_libraries import use\n" + script],
            env={**os.environ, "TMPDIR": self.folder}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(result.returncode, status, result.stdout)
        return result.stdout

    @unittest.skipUnless(sys.platform == "linux", "reads /proc")
    def test_each_has_one_file_however_many_connections(self):
        script = """
for _ in range(5): use("sqlite3"), use("apsw")
files = {line.split(maxsplit=5)[5].strip() for line in open("/proc/self/maps") if "concordance" in line and ".so" in line}
print(len(files))
"""
        for order in ("", 'use("apsw")\n'):
            self.assertEqual(self.run_script(order + script), "2\n")

    def test_nothing_is_left_behind(self):
        for end in ("", "os._exit(0)", "os.kill(os.getpid(), 9)" if sys.platform == "linux" else ""):
            self.run_script(f'use("sqlite3"); use("apsw")\n{end}', -9 if "kill" in end else 0)
            self.assertEqual(os.listdir(self.folder), [], end)

    @unittest.skipUnless(hasattr(os, "fork"), "no fork")
    def test_a_forked_process_uses_what_is_loaded_and_what_is_not(self):
        script = """
use("sqlite3")
if LATER: use("apsw")
child = os.fork()
if child == 0:
    # Its parent's temporary files may be gone.
    use("apsw"), use("sqlite3")
    grandchild = os.fork()
    if grandchild == 0:
        use("apsw")
        os._exit(0)
    os._exit(os.waitpid(grandchild, 0)[1])
assert os.waitpid(child, 0)[1] == 0
use("apsw"), use("sqlite3")
"""
        for is_loaded in (True, False):
            self.run_script(script.replace("LATER", str(is_loaded)))
            self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
