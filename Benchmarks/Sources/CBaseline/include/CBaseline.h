// The work of RowBenchmark by SQLite's C interface alone: what Concordance is compared with.

#ifndef C_BASELINE_H
#define C_BASELINE_H

#include <sqlite3.h>
#include <stdint.h>

/* What was read, summed, so that no reading can be left out. */
typedef struct {
    int64_t rows;
    int64_t identifiers;
    double scores;
    int64_t bytes;
} baseline_totals;

/* Steps through the rows (integer, real, text) of a prepared statement, reads each column, and resets the statement.
   Returns SQLITE_OK or the error. */
int baseline_visit(sqlite3_stmt *statement, baseline_totals *totals);

/* Opens, prepares, binds the text to parameter 1. NULL on an error, which is printed. */
sqlite3_stmt *baseline_prepare(const char *path, const char *sql, const char *text);

/* Finalizes the statement and closes its connection. */
void baseline_close(sqlite3_stmt *statement);

#endif
