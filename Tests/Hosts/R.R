# begin: the article shows these lines
library(RSQLite)

db <- dbConnect(SQLite(), "library.db", loadable.extensions = TRUE)
invisible(dbGetQuery(db, "SELECT load_extension('./concordance')"))
sql <- "SELECT highlight(book, 0, '[', ']') AS author, title FROM book(?) ORDER BY rank LIMIT 10"
rows <- dbGetQuery(db, sql, params = list("grossmann"))
cat(paste(rows$author, rows$title), sep = "\n")
# end

for (line in readLines("statements.sql", encoding = "UTF-8")) {
  if (line == "" || startsWith(line, "--")) next
  tryCatch({
    result <- dbSendQuery(db, line)
    rows <- suppressWarnings(dbFetch(result))
    dbClearResult(result)
    rows[is.na(rows)] <- ""
    for (i in seq_len(nrow(rows))) cat(paste(unlist(rows[i, ]), collapse = "|"), "\n", sep = "")
  }, error = function(error) cat(conditionMessage(error), "\n"))
}
