// begin: the article shows these lines
#include <sqlite3.h>
#include <stdio.h>

static int search(sqlite3 *db, const char *words) {
    sqlite3_stmt *statement;
    sqlite3_enable_load_extension(db, 1);
    if (sqlite3_load_extension(db, "./concordance", 0, 0) != SQLITE_OK) return 1;
    const char *sql = "SELECT highlight(book, 0, '[', ']'), title FROM book(?) ORDER BY rank LIMIT 10";
    if (sqlite3_prepare_v2(db, sql, -1, &statement, 0) != SQLITE_OK) return 1;
    sqlite3_bind_text(statement, 1, words, -1, SQLITE_TRANSIENT);
    while (sqlite3_step(statement) == SQLITE_ROW)
        printf("%s %s\n", sqlite3_column_text(statement, 0), sqlite3_column_text(statement, 1));
    return sqlite3_finalize(statement);
}
// end

static int print_row(void *context, int count, char **values, char **names) {
    (void)context, (void)names;
    for (int i = 0; i < count; i++) printf("%s%s", i == 0 ? "" : "|", values[i] ? values[i] : "");
    puts("");
    return 0;
}

int main(void) {
    sqlite3 *db;
    if (sqlite3_open("library.db", &db) != SQLITE_OK || search(db, "grossmann") != 0) return 1;
    FILE *file = fopen("statements.sql", "r");
    char line[4096];
    while (file && fgets(line, sizeof line, file))
        if (line[0] != '-' && sqlite3_exec(db, line, print_row, 0, 0) != SQLITE_OK) puts(sqlite3_errmsg(db));
    return sqlite3_close(db);
}
