# begin: the article shows these lines
import sqlite3

db = sqlite3.connect("library.db")
db.enable_load_extension(True)
db.load_extension("./concordance")
sql = "SELECT highlight(book, 0, '[', ']'), title FROM book(?) ORDER BY rank LIMIT 10"
for author, title in db.execute(sql, ["grossmann"]):
    print(author, title)
# end

db.isolation_level = None
for line in open("statements.sql", encoding="utf-8"):
    if line.strip() and not line.startswith("--"):
        try:
            for row in db.execute(line):
                print("|".join("" if value is None else str(value) for value in row))
        except sqlite3.Error as error:
            print(error)
