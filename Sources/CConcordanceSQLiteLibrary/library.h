/* The system SQLite, for linking only: its functions are called through CConcordanceSQLite. */
