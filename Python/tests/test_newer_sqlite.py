"""What SQLite has got since 3.40, in the library inside apsw: options, commands, checks, and FTS5's interface for C."""

import unittest

import apsw
import sqlite_concordance
from support import TEXTS, FolderTestCase


class NewerSQLite(FolderTestCase):
    def setUp(self):
        super().setUp()
        self.db = apsw.Connection(self.path())
        sqlite_concordance.load(self.db)
        version = tuple(int(number) for number in apsw.sqlite_lib_version().split("."))
        self.assertGreaterEqual(version, (3, 50))

    def rows(self, sql, *arguments):
        return list(self.db.execute(sql, arguments))

    def test_integrity_check_looks_inside(self):
        self.db.execute("CREATE VIRTUAL TABLE t USING concordance(a); INSERT INTO t VALUES ('one'), ('two')")
        for pragma in ("integrity_check", "quick_check", "integrity_check(t)"):
            self.assertEqual(self.rows(f"PRAGMA {pragma}"), [("ok",)])
        self.db.execute("UPDATE t_data SET block = zeroblob(length(block)) WHERE id = (SELECT max(id) FROM t_data)")
        other = apsw.Connection(self.path())
        sqlite_concordance.load(other)
        for pragma in ("integrity_check", "quick_check"):
            (message,), = other.execute(f"PRAGMA {pragma}")
            self.assertRegex(message, "malformed inverted index for concordance table main.t: .+")

    def test_integrity_check_compares_the_texts(self):
        self.db.execute("CREATE VIRTUAL TABLE t USING concordance(a); INSERT INTO t VALUES ('one'), ('two')")
        self.db.execute("UPDATE t_content SET c0 = 'three' WHERE id = 2")
        self.assertRegex(self.rows("PRAGMA integrity_check")[0][0], "malformed inverted index")
        self.assertEqual(self.rows("PRAGMA quick_check"), [("ok",)])

    def test_integrity_check_goes_on_after_a_table_it_cannot_read(self):
        self.db.execute("CREATE VIRTUAL TABLE t USING concordance(a); CREATE VIRTUAL TABLE u USING concordance(a)")
        self.db.execute("UPDATE t_config SET v = 99; UPDATE u_data SET block = x'00'")
        other = apsw.Connection(self.path())
        sqlite_concordance.load(other)
        messages = [message for message, in other.execute("PRAGMA integrity_check")]
        self.assertEqual(len(messages), 2, messages)
        self.assertEqual(len([message for message in messages if "invalid concordance file format" in message]), 1, messages)

    def test_commands_and_settings(self):
        for module in ("fts5", "concordance"):
            self.db.execute(f"CREATE VIRTUAL TABLE {module}_t USING {module}(a)")
        accepted = [
            "('secure-delete', 1)", "('secure-delete', 0)", "('deletemerge', 15)", "('deletemerge', -1)",
            "('deletemerge', 101)", "('insttoken', 1)", "('insttoken', 0)", "('flush', NULL)", "('FLUSH', NULL)",
        ]
        refused = ["('secure-delete', 'x')", "('deletemerge', 'x')", "('insttoken', 'x')", "('nosuch', 1)", "('rank', '')"]
        for values in accepted:
            for module in ("fts5", "concordance"):
                self.db.execute(f"INSERT INTO {module}_t({module}_t, rank) VALUES {values}")
        for values in refused:
            for module in ("fts5", "concordance"):
                with self.assertRaises(apsw.SQLError, msg=f"{module} {values}") as caught:
                    self.db.execute(f"INSERT INTO {module}_t({module}_t, rank) VALUES {values}")
            self.assertRegex(str(caught.exception), "SQL logic error: .+")

    def test_flush_writes_what_is_pending(self):
        self.db.execute("CREATE VIRTUAL TABLE t USING concordance(a)")
        count = "SELECT count(DISTINCT id >> 32) FROM t_data WHERE id > 1"
        with self.db:
            self.db.execute("INSERT INTO t VALUES ('one')")
            before = self.rows(count)
            self.db.execute("INSERT INTO t(t) VALUES ('flush')")
            self.assertGreater(self.rows(count), before)

    def test_conversion_keeps_every_setting(self):
        self.db.execute("CREATE VIRTUAL TABLE t USING fts5(a)")
        self.db.execute(
            "INSERT INTO t VALUES ('one');"
            "INSERT INTO t(t, rank) VALUES ('secure-delete', 1), ('deletemerge', 20), ('automerge', 7), ('rank', 'bm25(3.0)')")
        self.db.execute("INSERT INTO t_config VALUES ('from-the-future', 3)")
        settings = "SELECT * FROM t_config WHERE k <> 'version' ORDER BY k"
        before = self.rows(settings)
        self.assertIn(("secure-delete", 1), before)
        self.assertEqual(self.rows("SELECT concordance_convert('t')"), [(1,)])
        self.assertEqual(self.rows(settings), before)
        self.db.execute("DELETE FROM t WHERE rowid = 1")
        self.assertEqual(self.rows("PRAGMA integrity_check"), [("ok",)])

    def test_conversion_names_options_that_it_cannot_keep(self):
        self.db.execute("CREATE VIRTUAL TABLE t USING fts5(a, b UNINDEXED, content='', contentless_unindexed=1)")
        with self.assertRaisesRegex(apsw.SQLError, "contentless_unindexed=1.*VALUE"):
            self.rows("SELECT concordance_convert('t')")
        with self.assertRaisesRegex(apsw.SQLError, "contentless_unindexed=1.*VALUE"):
            self.db.execute("CREATE VIRTUAL TABLE u USING concordance(a, b UNINDEXED, content='', contentless_unindexed=1)")
        self.db.execute("CREATE VIRTUAL TABLE u USING concordance(a, b VALUE, content='', contentless_unindexed=0)")

    def test_locales_are_left_and_texts_kept(self):
        for module in ("fts5", "concordance"):
            self.db.execute(f"CREATE VIRTUAL TABLE t USING {module}(a, b, locale=1)")
            self.db.execute("INSERT INTO t VALUES (fts5_locale('de_DE', 'Über uns'), 'plain'), ('about us', x'6f6e65')")
            self.db.execute("UPDATE t SET b = fts5_locale('en_US', 'changed') WHERE rowid = 1")
            self.assertEqual(self.rows("SELECT a, b FROM t"), [("Über uns", "changed"), ("about us", b"one")], module)
            self.assertEqual(self.rows("SELECT rowid FROM t('uber changed')"), [(1,)], module)
            self.db.execute("INSERT INTO t(t) VALUES ('integrity-check')")
            expected = {"fts5": [("en_US",)], "concordance": [(None,)]}[module]
            self.assertEqual(self.rows("SELECT fts5_get_locale(t, 1) FROM t('changed')"), expected)
            self.db.execute("DROP TABLE t")

    def test_data_of_tokens_does_not_count(self):
        def make(connection, arguments):
            def tokenize(utf8, flags, locale):
                start = 0
                for word in utf8.split(b" "):
                    data = "" if flags & apsw.FTS5_TOKENIZE_QUERY else f"\0{start}"
                    yield start, start + len(word), word.decode().lower() + data
                    start += len(word) + 1
            return tokenize

        self.db.register_fts5_tokenizer("data", make)
        answers = []
        for module in ("fts5", "concordance"):
            self.db.execute(f"CREATE VIRTUAL TABLE t USING {module}(a, tokenize=data, tokendata=1)")
            self.db.execute("INSERT INTO t VALUES ('One two'), ('two one one'), ('twofold')")
            answers.append([
                self.rows(f"SELECT rowid, highlight(t, 0, '[', ']') FROM t('{query}') ORDER BY rowid")
                for query in ("one", "two", "tw*", '"one one"', "one AND two")])
            self.db.execute("INSERT INTO t(t) VALUES ('integrity-check')")
            self.db.execute("DROP TABLE t")
        self.assertEqual(*answers)

    def test_a_missing_tokenizer_stops_neither_reading_nor_dropping(self):
        self.db.register_fts5_tokenizer("mine", lambda connection, arguments: lambda utf8, flags, locale: iter([(0, 1, "x")]))
        self.db.execute("CREATE VIRTUAL TABLE t USING concordance(a, tokenize=mine); INSERT INTO t VALUES ('one')")
        other = apsw.Connection(self.path())
        sqlite_concordance.load(other)
        self.assertEqual(list(other.execute("SELECT rowid, a FROM t")), [(1, "one")])
        for sql in ("SELECT * FROM t('x')", "INSERT INTO t VALUES ('two')"):
            with self.assertRaisesRegex(apsw.SQLError, "no such tokenizer: mine"):
                list(other.execute(sql))
        other.register_fts5_tokenizer("mine", lambda connection, arguments: lambda utf8, flags, locale: iter([(0, 1, "x")]))
        self.assertEqual(list(other.execute("SELECT rowid FROM t('x')")), [(1,)])
        third = apsw.Connection(self.path())
        sqlite_concordance.load(third)
        third.execute("DROP TABLE t")
        self.assertEqual(self.rows("SELECT count(*) FROM sqlite_master"), [(0,)])

    def test_functions_of_the_host_reach_our_tables(self):
        def function(api, *arguments):
            instances = [api.inst_tokens(index) for index in range(api.inst_count)]
            places = [api.phrase_locations(phrase) for phrase in range(api.phrase_count)]
            tokens = list(api.tokenize(b"Some Words", None))
            return repr((
                api.rowid, api.row_count, api.column_count, api.phrases, instances, places, api.column_size(0),
                api.column_locale(1), tokens, arguments))

        self.db.register_fts5_function("described", function)
        answers = []
        for module in ("fts5", "concordance"):
            self.db.execute(f"CREATE VIRTUAL TABLE t USING {module}(title, body)")
            self.db.executemany("INSERT INTO t VALUES (?, ?)", TEXTS)
            answers.append([
                self.rows("SELECT rowid, described(t, 1) FROM t(?) ORDER BY rowid", query)
                for query in ("old fish", "fi*", '"the stream" OR o*', "old")])
            self.db.execute("DROP TABLE t")
        self.assertEqual(*answers)
        self.assertIn("fished", answers[1][1][0][1])

    def test_tables_of_sqlite_master_in_one_statement(self):
        for name in ("a", "b"):
            self.db.execute(f"CREATE VIRTUAL TABLE {name} USING fts5(x); INSERT INTO {name} VALUES ('one')")
        self.db.execute("CREATE VIRTUAL TABLE c USING fts5(x, content=''); CREATE TABLE fts5(x)")
        with self.assertRaisesRegex(apsw.SQLError, "fetch the names first.*concordance_convert\\(\\)"):
            self.rows("SELECT concordance_convert(name) FROM sqlite_master WHERE sql LIKE '%USING fts5%'")
        self.assertEqual(self.rows("SELECT count(*) FROM sqlite_master WHERE sql LIKE '%USING fts5(%'"), [(3,)])
        self.assertEqual(self.rows("SELECT concordance_convert()"), [(2,)])
        self.assertEqual(self.rows("SELECT name FROM sqlite_master WHERE sql LIKE '%fts5(%'"), [("c",), ("fts5",)])
        self.assertEqual(self.rows("SELECT a.x FROM a('one') JOIN b('one')"), [("one",)])
        self.assertEqual(self.rows("SELECT concordance_convert()"), [(0,)])


if __name__ == "__main__":
    unittest.main()
