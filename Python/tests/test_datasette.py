"""Datasette, 0.65 or 1.0: what ?_search= finds on pages and in the API, as its own client and its command see it."""

import asyncio
import json
import os
import subprocess
import sys
import unittest

import sqlite_concordance
from datasette.app import Datasette
from support import TEXTS, FolderTestCase, connect


class Searching(FolderTestCase):
    # How the table over `docs`, or `docs` itself, came about; and where the search is.
    ways = {
        "converted": (
            'CREATE VIRTUAL TABLE "docs_fts" USING FTS5 (title, body, content="docs")', "SELECT concordance_convert('docs_fts')"),
        "created": ("CREATE VIRTUAL TABLE docs_fts USING concordance(title, body, content=docs)",),
        "created, with a key": (
            "CREATE VIRTUAL TABLE [docs_fts] USING Concordance /* over docs */ (title, body, content = 'docs', content_rowid='id')",),
        "the index of a Swift app": (
            'CREATE VIRTUAL TABLE docs_fts_source USING concordancesource(\n"title", "body",\n'
            '(SELECT\n  "docs"."id", "docs"."title", "docs"."body"\nFROM main."docs"))',
            "CREATE VIRTUAL TABLE docs_fts USING concordance(title, body, content='', contentless_delete=1, source=1)"),
        "created, as fts5concordance": ("CREATE VIRTUAL TABLE docs_fts USING fts5concordance(title, body, content=[docs])",),
    }

    def make(self, *statements, name="library.db", over=True):
        db = connect(self.path(name))
        if over:
            db.execute("CREATE TABLE docs (id INTEGER PRIMARY KEY, title TEXT, body TEXT)")
            db.executemany("INSERT INTO docs(title, body) VALUES (?, ?)", TEXTS)
        for statement in statements:
            db.execute(statement)
        if over:
            db.execute("INSERT INTO docs_fts(docs_fts) VALUES ('rebuild')")
        db.close()
        return self.path(name)

    def get(self, datasette, path):
        async def get():
            await datasette.invoke_startup()
            return await datasette.client.get(path)

        response = asyncio.run(get())
        self.assertEqual(response.status_code, 200, response.text)
        return response

    def titles(self, datasette, path):
        return sorted(row["title"] for row in self.get(datasette, path).json()["rows"])

    def test_search_filters_however_the_table_came_about(self):
        for way, statements in self.ways.items():
            with self.subTest(way):
                path = self.make(*statements, name=f"{way.replace(', ', '_').replace(' ', '_')}.db")
                name = os.path.basename(path)[:-3]
                for options in ({"files": [path]}, {"immutables": [path], "files": []}):
                    datasette = Datasette(**options)
                    self.assertEqual(len(self.titles(datasette, f"/{name}/docs.json?_shape=objects")), 3)
                    self.assertEqual(
                        self.titles(datasette, f"/{name}/docs.json?_shape=objects&_search=old+fish"), ["A fish"])
                    self.assertEqual(
                        self.titles(datasette, f"/{name}/docs.json?_shape=objects&_search_title=fish"), ["A fish"])
                    self.assertEqual(
                        self.titles(datasette, f"/{name}/docs.json?_shape=objects&_search=mo*&_searchmode=raw"), ["Moby Dick"])
                    page = self.get(datasette, f"/{name}/docs?_search=old+fish").text
                    self.assertIn('type="search"', page)
                    self.assertIn("A fish", page)
                    self.assertNotIn("Moby Dick", page)

    def test_a_table_with_texts_of_its_own(self):
        for module in ("concordance", "fts5concordance"):
            path = self.make(
                f"CREATE VIRTUAL TABLE notes USING {module}(title)", "INSERT INTO notes VALUES ('one'), ('two')",
                name=f"{module}.db", over=False)
            datasette = Datasette([path])
            self.assertEqual(self.titles(datasette, f"/{module}/notes.json?_shape=objects&_search=two"), ["two"])
            self.assertIn('type="search"', self.get(datasette, f"/{module}/notes").text)

    def test_a_table_that_comes_and_goes_while_datasette_runs(self):
        path = self.make(name="library.db", over=False)
        db = connect(path)
        db.execute("CREATE TABLE docs (id INTEGER PRIMARY KEY, title TEXT, body TEXT)")
        db.executemany("INSERT INTO docs(title, body) VALUES (?, ?)", TEXTS)
        datasette = Datasette([path])
        url = "/library/docs.json?_shape=objects&_search=ishmael"
        self.assertEqual(len(self.titles(datasette, url)), 3)
        db.execute("CREATE VIRTUAL TABLE docs_fts USING concordance(title, body, content=docs)")
        db.execute("INSERT INTO docs_fts(docs_fts) VALUES ('rebuild')")
        self.assertEqual(self.titles(datasette, url), ["Moby Dick"])
        db.execute("DROP TABLE docs_fts")
        self.assertEqual(len(self.titles(datasette, url)), 3)

    def test_shadow_tables_are_hidden(self):
        for way, statements in self.ways.items():
            path = self.make(*statements, name=f"{len(way)}.db")
            datasette = Datasette([path])
            tables = self.get(datasette, f"/{len(way)}.json").json()["tables"]
            self.assertEqual([table["name"] for table in tables if not table["hidden"]], ["docs"], way)

    def test_what_the_owner_has_configured_counts(self):
        path = self.make(
            *self.ways["created"],
            "CREATE VIRTUAL TABLE other USING concordance(title, body, content=docs)", "INSERT INTO other(other) VALUES ('rebuild')",
            "INSERT INTO other(other, rowid, title, body) VALUES ('delete', 3, 'A fish', '')")
        tables = {"databases": {"library": {"tables": {"docs": {"fts_table": "other"}}}}}
        datasette = Datasette([path], metadata=tables)
        self.assertEqual(self.titles(datasette, "/library/docs.json?_shape=objects&_search=fish"), [])

    def test_sql_by_hand(self):
        path = self.make(*self.ways["created"])
        datasette = Datasette([path])
        sql = "select+title,+highlight(docs_fts,+0,+'[',+']')+from+docs_fts('fish')+order+by+rank"
        for url in (f"/library.json?_shape=arrays&sql={sql}", f"/library/-/query.json?_shape=arrays&sql={sql}"):
            async def get():
                await datasette.invoke_startup()
                return await datasette.client.get(url, follow_redirects=True)

            response = asyncio.run(get())
            if response.status_code == 200:
                self.assertEqual(response.json()["rows"], [["A fish", "A [fish]"]])
                return
        self.fail(response.text)

    def test_the_command(self):
        path = self.make(*self.ways["created"])
        result = subprocess.run(
            [sys.executable, "-m", "datasette", path, "--get", "/library/docs.json?_shape=array&_search=ishmael"],
            stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual([row["title"] for row in json.loads(result.stdout)], ["Moby Dick"])

    def test_the_plugin_is_listed(self):
        plugins = self.get(Datasette([]), "/-/plugins.json").json()
        plugins = plugins if isinstance(plugins, list) else plugins["plugins"]
        (plugin,) = [plugin for plugin in plugins if "concordance" in plugin["name"]]
        self.assertEqual(plugin["version"], sqlite_concordance.__version__)


if __name__ == "__main__":
    unittest.main()
