#include "CConcordanceSQLite.h"

const sqlite3_api_routines *csqlite_api = 0;

int csqlite_use(const sqlite3_api_routines *table) {
    if (!table || table->libversion_number() < CSQLITE_MINIMUM_VERSION) return SQLITE_ERROR;
    const sqlite3_api_routines *none = 0;
    if (__atomic_compare_exchange_n(&csqlite_api, &none, table, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return SQLITE_OK;
    return none == table ? SQLITE_OK : SQLITE_MISUSE;
}

static csqlite_connection_setup connection_setup = 0;

void csqlite_set_connection_setup(csqlite_connection_setup setup) {
    __atomic_store_n(&connection_setup, setup, __ATOMIC_RELEASE);
}

void csqlite_set_up_connection(sqlite3 *connection) {
    csqlite_connection_setup setup = __atomic_load_n(&connection_setup, __ATOMIC_ACQUIRE);
    if (setup) setup(connection);
}
