#!/usr/bin/env bash
set -euo pipefail

# begin: the article shows these lines
sqlite3 library.db <<'SQL'
.load ./concordance
SELECT highlight(book, 0, '[', ']'), title FROM book('grossmann') ORDER BY rank LIMIT 10;
SQL
# end

# The shell ends with 1, since one statement is wrong on purpose.
{ echo .load ./concordance; cat statements.sql; } | sqlite3 -batch library.db 2>&1 || [ $? = 1 ]
