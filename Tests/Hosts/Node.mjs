// begin: the article shows these lines
import { DatabaseSync } from "node:sqlite";

const db = new DatabaseSync("library.db", { allowExtension: true });
db.loadExtension("./concordance");
const sql = "SELECT highlight(book, 0, '[', ']') AS author, title FROM book(?) ORDER BY rank LIMIT 10";
for (const row of db.prepare(sql).all("grossmann")) console.log(row.author, row.title);
// end

import { readFileSync } from "node:fs";

for (const line of readFileSync("statements.sql", "utf8").split("\n")) {
  if (line === "" || line.startsWith("--")) continue;
  try {
    for (const row of db.prepare(line).all()) console.log(Object.values(row).join("|"));
  } catch (error) {
    console.log(error.message);
  }
}
