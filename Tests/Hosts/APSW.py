# begin: the article shows these lines
import apsw

db = apsw.Connection("library.db")
db.enable_load_extension(True)
db.load_extension("./concordance")
sql = "SELECT highlight(book, 0, '[', ']'), title FROM book(?) ORDER BY rank LIMIT 10"
for author, title in db.cursor().execute(sql, ["grossmann"]):
    print(author, title)
# end

for line in open("statements.sql", encoding="utf-8"):
    if line.strip() and not line.startswith("--"):
        try:
            for row in db.cursor().execute(line):
                print("|".join("" if value is None else str(value) for value in row))
        except apsw.Error as error:
            print(error)
