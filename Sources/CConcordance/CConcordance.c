#include "CConcordance.h"
#include "CConcordanceSQLite.h"

/* Defined in Swift, in the module Concordance. */
extern void concordance_set_up_connection(sqlite3 *connection);

void cconcordance_link(void) { csqlite_set_connection_setup(concordance_set_up_connection); }

__attribute__((constructor)) static void link_before_main(void) { cconcordance_link(); }
