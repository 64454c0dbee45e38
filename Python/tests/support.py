"""What the tests share. They run in an environment where the wheel is installed; see Scripts/test-wheel."""

import os
import sqlite3
import tempfile
import unittest

import sqlite_concordance


class FolderTestCase(unittest.TestCase):
    """A test with an empty folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name="test.db"):
        return os.path.join(self.folder, name)


def connect(path=":memory:", **options):
    connection = sqlite3.connect(path, isolation_level=None)
    sqlite_concordance.load(connection, **options)
    return connection


def rows(connection, sql, *arguments):
    return [tuple(row) for row in connection.execute(sql, arguments)]


TEXTS = [
    ("The old man", "He was an old man who fished alone in a skiff in the Gulf Stream"),
    ("Moby Dick", "Call me Ishmael. Some years ago, never mind how long precisely"),
    ("A fish", "The fish was old and the stream was cold"),
]
