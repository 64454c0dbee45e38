"""Libraries over the drivers: that they work is theirs to test; that the extension gets into their connections is ours."""

import unittest

import peewee
import sqlalchemy
import sqlite_concordance
from playhouse.sqlite_ext import FTS5Model, SearchField
from support import TEXTS, FolderTestCase


class Mappers(FolderTestCase):
    def test_peewee(self):
        database = peewee.SqliteDatabase(self.path())

        class Book(FTS5Model):
            title, body = SearchField(), SearchField()

            class Meta:
                extension_module = "concordance"

        Book._meta.database = database
        database.connect()
        sqlite_concordance.load(database.connection())
        database.create_tables([Book])
        Book.insert_many([{"title": title, "body": body} for title, body in TEXTS]).execute()
        found = Book.search_bm25("old fish", weights={"title": 2.0, "body": 1.0})
        self.assertEqual([book.title for book in found], ["A fish"])
        declaration = database.execute_sql("SELECT sql FROM sqlite_master WHERE name = 'book'").fetchone()[0]
        self.assertIn("USING concordance", declaration)
        database.close()

    def test_peewee_unchanged_with_the_engine_as_fts5(self):
        database = peewee.SqliteDatabase(self.path())

        class Book(FTS5Model):
            title, body = SearchField(), SearchField()

        Book._meta.database = database
        database.connect()
        sqlite_concordance.load(database.connection(), as_fts5=True)
        database.create_tables([Book])
        Book.insert_many([{"title": title, "body": body} for title, body in TEXTS]).execute()
        self.assertEqual([book.title for book in Book.search("old fish")], ["A fish"])
        shadows = "SELECT count(*) FROM sqlite_master WHERE name IN ('book_idx', 'book_docsize')"
        self.assertEqual(database.execute_sql(shadows).fetchone(), (0,))
        database.close()

    def test_sqlalchemy(self):
        engine = sqlalchemy.create_engine(f"sqlite:///{self.path()}")

        @sqlalchemy.event.listens_for(engine, "connect")
        def connect(connection, record):
            sqlite_concordance.load(connection)

        with engine.begin() as connection:
            connection.execute(sqlalchemy.text("CREATE VIRTUAL TABLE book USING concordance(title, body)"))
            for title, body in TEXTS:
                connection.execute(sqlalchemy.text("INSERT INTO book VALUES (:t, :b)"), {"t": title, "b": body})
        with engine.connect() as connection:
            found = connection.execute(sqlalchemy.text("SELECT title FROM book WHERE book MATCH :q"), {"q": "old fish"})
            self.assertEqual(found.fetchall(), [("A fish",)])
        with engine.connect() as connection, self.assertRaisesRegex(TypeError, "driver_connection"):
            sqlite_concordance.load(connection)


if __name__ == "__main__":
    unittest.main()
