"""sqlite-utils: its commands and its library over tables of Concordance."""

import json
import subprocess
import sys
import unittest

import sqlite_utils
from sqlite_utils import plugins
from support import TEXTS, FolderTestCase


class SQLiteUtils(FolderTestCase):
    def setUp(self):
        super().setUp()
        db = sqlite_utils.Database(self.path())
        db["docs"].insert_all({"id": i, "title": title, "body": body} for i, (title, body) in enumerate(TEXTS, 1))
        db.close()

    def run_command(self, *arguments, status=0):
        result = subprocess.run(
            [sys.executable, "-m", "sqlite_utils", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(result.returncode, status, result.stdout)
        return result.stdout

    def search(self, query):
        found = json.loads(self.run_command("search", self.path(), "docs", query, "-c", "title"))
        return [row["title"] for row in found]

    def test_enable_search_and_disable(self):
        self.run_command("enable-concordance", self.path(), "docs", "title", "body", "--create-triggers")
        self.assertEqual(self.search("old fish"), ["A fish"])
        self.assertEqual(self.search("old"), ["The old man", "A fish"])
        self.run_command("insert", self.path(), "docs", "-", "--csv", status=1)
        db = sqlite_utils.Database(self.path())
        db["docs"].insert({"id": 4, "title": "Old news", "body": "old old"})
        db["docs"].update(1, {"title": "The young man", "body": "x"})
        db["docs"].delete(3)
        self.assertEqual(self.search("old"), ["Old news"])
        self.assertEqual(self.search("young"), ["The young man"])
        self.assertEqual(db["docs"].detect_fts(), "docs_fts")
        self.assertEqual(db["docs_fts"].virtual_table_using, "FTS5CONCORDANCE")
        self.assertIn("docs_fts", db.table_names(fts5=True))
        db["docs"].optimize()
        db["docs"].rebuild_fts()
        self.assertEqual(self.search("old"), ["Old news"])
        self.run_command("disable-fts", self.path(), "docs")
        self.assertEqual(db["docs"].detect_fts(), None)
        self.assertEqual(db.table_names(), ["docs"])
        self.assertEqual(db["docs"].triggers, [])

    def test_options(self):
        self.run_command(
            "enable-concordance", self.path(), "docs", "title", "--tokenize", "concordance english", "--prefix", "1 2")
        declaration = sqlite_utils.Database(self.path())["docs_fts"].schema
        self.assertIn('tokenize="concordance english"', declaration)
        self.assertEqual(self.search("fishes"), ["A fish"])
        self.assertEqual(self.search("cold"), [])
        self.assertIn("--replace", self.run_command("enable-concordance", self.path(), "docs", "body", status=1))
        self.run_command("enable-concordance", self.path(), "docs", "body", "--replace")
        self.assertEqual(self.search("cold"), ["A fish"])

    def test_mistakes_are_told(self):
        self.assertIn("no table nosuch", self.run_command("enable-concordance", self.path(), "nosuch", "a", status=1))
        self.assertIn("no column nosuch", self.run_command("enable-concordance", self.path(), "docs", "nosuch", status=1))
        wrong = self.run_command("enable-concordance", self.path(), "docs", "body", "--tokenize", "nosuch", status=1)
        self.assertIn("no such tokenizer: nosuch", wrong)
        self.assertEqual(sqlite_utils.Database(self.path()).table_names(), ["docs"])
        self.assertIn("no such table: nosuch", self.run_command("convert-fts", self.path(), "nosuch", status=1))

    def test_convert_keeps_the_search(self):
        self.run_command("enable-fts", self.path(), "docs", "title", "body", "--fts5", "--create-triggers")
        # In other orders: sqlite-utils ranks tables of FTS5 alone by FTS5's rank, and others by matchinfo.
        expected = [sorted(self.search(query)) for query in ("old", "old fish", "st*")]
        for arguments, answer in (
            ((), "docs_fts: converted\n"), ((), ""), (("docs",), "docs_fts: is of Concordance already\n"),
            (("docs_fts",), "docs_fts: is of Concordance already\n"),
        ):
            self.assertEqual(self.run_command("convert-fts", self.path(), *arguments), answer)
        found = [sorted(self.search(query)) for query in ("old", "old fish", "st*")]
        self.assertEqual(found, expected)
        db = sqlite_utils.Database(self.path())
        db["docs"].insert({"id": 4, "title": "old", "body": "old"})
        self.assertEqual(len(self.search("old")), 3)
        self.assertEqual([row["title"] for row in db["docs"].search("old fish")], ["A fish"])

    def test_convert_skips_contentless_tables_unless_they_are_named(self):
        db = sqlite_utils.Database(self.path())
        db.execute("CREATE VIRTUAL TABLE plain USING fts5(a, content='')")
        db.execute("CREATE VIRTUAL TABLE texts USING fts5(a)")
        db.close()
        self.assertEqual(
            self.run_command("convert-fts", self.path()), "plain: skipped, since it is contentless\ntexts: converted\n")
        self.assertIn("is contentless", self.run_command("convert-fts", self.path(), "plain", status=1))

    def test_unmodified_it_ranks_by_matchinfo_as_it_ranks_fts4(self):
        """Without the plugin's help: sqlite-utils takes a module of another name for FTS4."""
        orders = []
        for way in ("fts4", "fts5concordance"):
            db = sqlite_utils.Database(memory=True)
            db["docs"].insert_all(({"title": title, "body": body} for title, body in TEXTS * 3))
            if way == "fts4":
                db["docs"].enable_fts(["title", "body"], fts_version="FTS4")
            else:
                db.execute('CREATE VIRTUAL TABLE docs_fts USING fts5concordance(title, body, content="docs")')
                db.execute("INSERT INTO docs_fts(docs_fts) VALUES ('rebuild')")
            orders.append([list(db["docs"].search(query, include_rank=True)) for query in ("old", "old OR fish", "stream")])
        for fts4, ours in zip(*orders):
            self.assertEqual([row["title"] for row in ours], [row["title"] for row in fts4])
            for left, right in zip(fts4, ours):
                self.assertAlmostEqual(left["rank"], right["rank"], places=9)

    def test_the_plugin_is_listed(self):
        (plugin,) = [plugin for plugin in plugins.get_plugins() if plugin["name"] == "sqlite-concordance"]
        self.assertEqual(sorted(plugin["hooks"]), ["prepare_connection", "register_commands"])


if __name__ == "__main__":
    unittest.main()
