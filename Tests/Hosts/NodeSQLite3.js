// begin: the article shows these lines
const sqlite3 = require("sqlite3");

const db = new sqlite3.Database("library.db");
db.serialize();
db.loadExtension("./concordance");
const sql = "SELECT highlight(book, 0, '[', ']') AS author, title FROM book(?) ORDER BY rank LIMIT 10";
db.each(sql, "grossmann", (error, row) => console.log(error ?? row.author, row?.title));
// end

for (const line of require("fs").readFileSync("statements.sql", "utf8").split("\n")) {
  if (line === "" || line.startsWith("--")) continue;
  db.all(line, (error, rows) => {
    if (error) console.log(error.message);
    for (const row of rows ?? []) console.log(Object.values(row).join("|"));
  });
}
