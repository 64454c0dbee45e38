"""The engine under the name fts5, beside FTS5's own tables, in both drivers."""

import sqlite3
import unittest

import apsw
import sqlite_concordance
from support import TEXTS, FolderTestCase


def shadows(db, table):
    return sorted(
        name for (name,) in db.execute(f"SELECT name FROM sqlite_master WHERE name LIKE '{table}\\_%' ESCAPE '\\'"))


OWN = ["t_config", "t_content", "t_data"]
FTS5 = ["t_config", "t_content", "t_data", "t_docsize", "t_idx"]


class AsFTS5(FolderTestCase):
    drivers = [("sqlite3", sqlite3.connect), ("apsw", apsw.Connection)]

    def each(self, path=None):
        for name, connect in self.drivers:
            with self.subTest(name):
                file = self.path(f"{name}.db")

                def open(as_fts5=True, load=True):
                    db = connect(file)
                    if name == "sqlite3":
                        db.isolation_level = None
                    if load:
                        sqlite_concordance.load(db, as_fts5=as_fts5)
                    return db

                yield name, open

    def fill(self, db, table="t"):
        db.execute(f"CREATE VIRTUAL TABLE {table} USING fts5(title, body, prefix='1 2')")
        for text in TEXTS:
            db.execute(f"INSERT INTO {table} VALUES (?, ?)", text)

    queries = [
        "SELECT rowid, title FROM t('old fish') ORDER BY rank",
        "SELECT rowid, round(bm25(t, 10, 5), 9), highlight(t, 1, '[', ']'), snippet(t, -1, '<', '>', '..', 5) FROM t('old OR st*')"
        " ORDER BY rowid",
        "SELECT rowid FROM t WHERE t MATCH 'title:fish' OR rowid = 2",
        "SELECT count(*) FROM t",
        "SELECT rowid FROM t WHERE rank MATCH 'bm25(3.0)' AND t MATCH 'old' ORDER BY rank LIMIT 1",
        "SELECT a.rowid, b.rowid FROM t('old') AS a JOIN t('cold') AS b ON a.rowid = b.rowid",
        "SELECT group_concat(title) FROM (SELECT title FROM t ORDER BY rowid DESC)",
    ]

    def test_new_tables_are_the_engine_s(self):
        for name, open in self.each():
            db = open()
            self.fill(db)
            self.assertEqual(shadows(db, "t"), OWN)
            again = open()
            again.execute("INSERT INTO t(t) VALUES ('integrity-check')")
            self.assertEqual(list(again.execute("SELECT rowid FROM t('moby')")), [(2,)])

    def test_old_tables_stay_fts5_s_and_answer_the_same(self):
        for name, open in self.each():
            plain = open(load=False)
            self.fill(plain)
            self.assertEqual(shadows(plain, "t"), FTS5)
            expected = [list(plain.execute(sql)) for sql in self.queries]
            db = open()
            self.assertEqual([list(db.execute(sql)) for sql in self.queries], expected)
            db.execute("DELETE FROM t WHERE rowid = 1")
            db.execute("UPDATE t SET title = 'Das Boot' WHERE rowid = 2")
            db.execute("INSERT OR REPLACE INTO t(rowid, title, body) VALUES (3, 'new', 'old'), (9, 'x', 'fish')")
            for command in ("integrity-check", "optimize", "rebuild"):
                db.execute("INSERT INTO t(t) VALUES (?)", (command,))
            db.execute("INSERT INTO t(t, rank) VALUES ('rank', 'bm25(2.0)')")
            changed = [list(db.execute(sql)) for sql in self.queries]
            self.assertNotEqual(changed, expected)
            self.assertEqual([list(open(load=False).execute(sql)) for sql in self.queries], changed)
            self.assertEqual(list(db.execute("PRAGMA integrity_check")), [("ok",)])
            # A new table and an old one in one statement.
            db.execute("CREATE VIRTUAL TABLE u USING fts5(a)")
            db.execute("INSERT INTO u SELECT body FROM t")
            self.assertEqual(
                list(db.execute("SELECT t.rowid, u.rowid FROM t('fish') JOIN u('fish') ON t.body = u.a")), [(9, 3)])
            db.execute("ALTER TABLE t RENAME TO v")
            self.assertEqual(list(db.execute("SELECT rowid FROM v('boot')")), [(2,)])
            db.execute("DROP TABLE v")
            self.assertEqual(shadows(db, "v") + shadows(db, "t"), [])

    def test_transactions_and_savepoints_of_both(self):
        for name, open in self.each():
            plain = open(load=False)
            plain.execute("CREATE VIRTUAL TABLE old USING fts5(a)")
            db = open()
            db.execute("CREATE VIRTUAL TABLE new USING fts5(a)")
            db.execute("BEGIN")
            for table in ("old", "new"):
                db.execute(f"INSERT INTO {table} VALUES ('one')")
                db.execute("SAVEPOINT s")
                db.execute(f"INSERT INTO {table} VALUES ('one two')")
                db.execute("ROLLBACK TO s")
                self.assertEqual(list(db.execute(f"SELECT count(*) FROM {table}('one')")), [(1,)])
                db.execute("RELEASE s")
            db.execute("COMMIT")
            db.execute("BEGIN")
            for table in ("old", "new"):
                db.execute(f"INSERT INTO {table} VALUES ('three')")
            db.execute("ROLLBACK")
            for table in ("old", "new"):
                self.assertEqual(list(db.execute(f"SELECT rowid, a FROM {table}('one OR two OR three')")), [(1, "one")])

    def test_errors_have_their_sentences(self):
        for name, open in self.each():
            open(load=False).execute("CREATE VIRTUAL TABLE t USING fts5(a, content='')")
            db = open()
            db.execute("CREATE VIRTUAL TABLE u USING fts5(a, content='')")
            for table in ("t", "u"):
                for sql, message in [
                    (f"SELECT * FROM {table}('\"')", "unterminated string"),
                    (f"SELECT * FROM {table}('b:c')", "no such column: b"),
                    (f"UPDATE {table} SET a = 1 WHERE rowid = 1", ""),
                    (f"DELETE FROM {table} WHERE rowid = 1", ""),
                ]:
                    try:
                        list(db.execute(sql))
                    except Exception as error:
                        self.assertIn(message, str(error))
            with self.assertRaisesRegex(Exception, "no such tokenizer: nosuch"):
                db.execute("CREATE VIRTUAL TABLE v USING fts5(a, tokenize=nosuch)")

    def test_loading_within_a_transaction_that_is_rolled_back(self):
        for name, open in self.each():
            plain = open(load=False)
            self.fill(plain)
            db = open(load=False)
            db.execute("BEGIN")
            db.execute("CREATE TABLE plain(x)")
            sqlite_concordance.load(db, as_fts5=True)
            self.assertEqual(len(list(db.execute("SELECT rowid FROM t('old')"))), 2)
            db.execute("ROLLBACK")
            self.assertEqual(len(list(db.execute("SELECT rowid FROM t('old')"))), 2)
            self.assertEqual(list(db.execute("SELECT name FROM temp.sqlite_master")), [])
            self.assertEqual(list(db.execute("SELECT name FROM sqlite_master WHERE name = 'plain'")), [])

    def test_tables_that_were_open_before(self):
        for name, open in self.each():
            db = open(load=False)
            self.fill(db)
            before = [list(db.execute(sql)) for sql in self.queries]
            cursor = db.execute("SELECT rowid FROM t('old')")
            next(cursor)
            sqlite_concordance.load(db, as_fts5=True)
            self.assertEqual(len(list(cursor)), 1)
            self.assertEqual([list(db.execute(sql)) for sql in self.queries], before)
            db.execute("CREATE TABLE other(x)")
            self.assertEqual([list(db.execute(sql)) for sql in self.queries], before)

    def test_connections_come_and_go(self):
        for name, open in self.each():
            self.fill(open(load=False))
            kept = []
            for number in range(60):
                db = open()
                cursor = db.execute("SELECT rowid FROM t('old') ORDER BY rank")
                next(cursor)
                list(db.execute("SELECT rowid FROM t('fish')"))
                list(db.execute("CREATE VIRTUAL TABLE temp.v USING fts5vocab(main, t, row)"))
                list(db.execute("SELECT * FROM v"))
                if number % 3 == 0:
                    kept.append((db, cursor))
                elif number % 3 == 1:
                    cursor.close()
                    db.close()
            del kept

    def test_a_table_made_so_is_converted(self):
        for name, open in self.each():
            db = open()
            self.fill(db)
            expected = [list(db.execute(sql)) for sql in self.queries]
            self.assertEqual(list(db.execute("SELECT concordance_convert('t')")), [(1,)])
            db.close()
            db = open(as_fts5=False)
            self.assertEqual([list(db.execute(sql)) for sql in self.queries], expected)
            self.assertIn("fts5concordance", next(iter(db.execute("SELECT sql FROM sqlite_master WHERE name = 't'")))[0])

    def test_without_the_extension_fts5_refuses_the_table(self):
        for name, open in self.each():
            db = open()
            self.fill(db)
            expected = [list(db.execute(sql)) for sql in self.queries]
            plain = open(load=False)
            for sql in ("SELECT * FROM t('old')", "INSERT INTO t(t) VALUES ('rebuild')", "DELETE FROM t", "DROP TABLE t"):
                with self.assertRaisesRegex(Exception, "vtable constructor failed: t|invalid fts5 file format"):
                    list(plain.execute(sql))
            self.assertEqual([list(open().execute(sql)) for sql in self.queries], expected)


if __name__ == "__main__":
    unittest.main()
