/* The system SQLite, for linking only: the package calls its functions through CConcordanceSQLite. */
