"""How the plugins read the declarations of full-text tables."""

import sqlite3
import unittest

from sqlite_concordance._schema import FullTextTable, full_text_tables, quoted


class Declarations(unittest.TestCase):
    cases = [
        ("CREATE VIRTUAL TABLE t USING concordance(a)", ("concordance", None, "rowid")),
        ("create virtual table if not exists main.t using CONCORDANCE (a, content=docs)", ("concordance", "docs", "rowid")),
        ("CREATE VIRTUAL TABLE \"t\" USING fts5concordance(a, content=\"my \"\"docs\", content_rowid='id')",
         ("fts5concordance", 'my "docs', "id")),
        ("CREATE VIRTUAL TABLE [t] USING [concordance](a, CONTENT = [my docs] , tokenize='porter, content=x')",
         ("concordance", "my docs", "rowid")),
        ("CREATE VIRTUAL TABLE t USING concordance /* over, (docs) */ (\"content=x\", `b,c`, content=`d`)",
         ("concordance", "d", "rowid")),
        ("CREATE VIRTUAL TABLE t -- a comment\n USING 'concordance'(a, content='it''s')", ("concordance", "it's", "rowid")),
        ("CREATE VIRTUAL TABLE t USING concordance(a, content='', contentless_delete=1)", ("concordance", None, "rowid")),
        ("CREATE VIRTUAL TABLE t USING concordance", ("concordance", None, "rowid")),
        ("CREATE VIRTUAL TABLE t USING fts5(a, content=docs)", None),
        ("CREATE VIRTUAL TABLE t USING concordancevocab(a, row)", None),
        ("CREATE VIRTUAL TABLE t USING rtree(a, b, c)", None),
    ]

    def test_are_read(self):
        for sql, expected in self.cases:
            db = sqlite3.connect(":memory:")
            db.execute("PRAGMA writable_schema = ON")
            db.execute("INSERT INTO sqlite_master VALUES ('table', 't', 't', 0, ?)", [sql])
            found = full_text_tables(db)
            self.assertEqual(found, [] if expected is None else [FullTextTable("t", *expected)], sql)

    def test_the_index_of_a_swift_app_names_the_app_s_table(self):
        db = sqlite3.connect(":memory:")
        db.execute("PRAGMA writable_schema = ON")
        for name, sql in (
            ("noteTexts_source",
             'CREATE VIRTUAL TABLE "noteTexts_source" USING concordancesource(\n"title", "tags",\n(SELECT\n  "my notes"."id",\n'
             "  ifnull(CAST(\"my notes\".\"title\" AS TEXT), ''),\n  ifnull((SELECT group_concat(text, ',') FROM (\n"
             '    SELECT 1 FROM main."tags" AS r1)), \'\')\nFROM main."my notes"),\n(SELECT 1 FROM main."tags"))'),
            ("noteTexts",
             "CREATE VIRTUAL TABLE \"noteTexts\" USING concordance(\"title\", \"tags\", content='', contentless_delete=1, source=1)"),
        ):
            db.execute("INSERT INTO sqlite_master VALUES ('table', ?, ?, 0, ?)", [name, name, sql])
        self.assertEqual(full_text_tables(db), [FullTextTable("noteTexts", "concordance", "my notes", "rowid")])

    def test_long_ones_are_read_in_time_that_grows_with_them(self):
        db = sqlite3.connect(":memory:")
        db.execute("PRAGMA writable_schema = ON")
        for filling in ("'" * 4001, "(" * 4000, "a, " * 4000, "/*" * 4000, " " * 4000, "--" * 4000, "\"x\"," * 2000, "/* */ " * 2000, "/**/" * 2000,
                        "-- x\n" * 2000, "content=x," * 2000):
            for sql in (f"CREATE VIRTUAL TABLE t USING concordance({filling})", f"CREATE VIRTUAL TABLE t {filling}"):
                db.execute("DELETE FROM sqlite_master")
                db.execute("INSERT INTO sqlite_master VALUES ('table', 't', 't', 0, ?)", [sql])
                full_text_tables(db)

    def test_names_are_quoted(self):
        self.assertEqual(quoted('a"b'), '"a""b"')


if __name__ == "__main__":
    unittest.main()
