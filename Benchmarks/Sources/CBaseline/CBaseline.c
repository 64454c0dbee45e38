#include "CBaseline.h"

#include <stdio.h>

int baseline_visit(sqlite3_stmt *statement, baseline_totals *totals) {
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        totals->rows += 1;
        totals->identifiers += sqlite3_column_int64(statement, 0);
        totals->scores += sqlite3_column_double(statement, 1);
        const unsigned char *text = sqlite3_column_text(statement, 2);
        int count = sqlite3_column_bytes(statement, 2);
        if (count > 0) totals->bytes += count + text[0] + text[count - 1];
    }
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

sqlite3_stmt *baseline_prepare(const char *path, const char *sql, const char *text) {
    sqlite3 *connection = NULL;
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    if (code == SQLITE_OK) code = sqlite3_prepare_v2(connection, sql, -1, &statement, NULL);
    if (code == SQLITE_OK && sqlite3_bind_parameter_count(statement) > 0) {
        code = sqlite3_bind_text(statement, 1, text, -1, SQLITE_TRANSIENT);
    }
    if (code == SQLITE_OK) return statement;
    fprintf(stderr, "%s\n", sqlite3_errmsg(connection));
    sqlite3_finalize(statement);
    sqlite3_close(connection);
    return NULL;
}

void baseline_close(sqlite3_stmt *statement) {
    sqlite3 *connection = sqlite3_db_handle(statement);
    sqlite3_finalize(statement);
    sqlite3_close(connection);
}
