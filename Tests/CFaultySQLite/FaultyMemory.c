#include "CFaultySQLite.h"
#include "FaultCounter.h"

#include <sqlite3.h>

static sqlite3_mem_methods real;
static FaultCounter counter;

static void *faulty_malloc(int size) { return fault_counter_fails(&counter) ? 0 : real.xMalloc(size); }
static void *faulty_realloc(void *memory, int size) {
    return fault_counter_fails(&counter) ? 0 : real.xRealloc(memory, size);
}

int faulty_memory_install(void) {
    int code = sqlite3_shutdown();
    if (code == SQLITE_OK) code = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real);
    if (code != SQLITE_OK) return code;
    sqlite3_mem_methods methods = real;
    methods.xMalloc = faulty_malloc;
    methods.xRealloc = faulty_realloc;
    code = sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
    /* Otherwise most allocations come from memory that each connection has set aside. */
    if (code == SQLITE_OK) code = sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
    return code == SQLITE_OK ? sqlite3_initialize() : code;
}

void faulty_memory_arm(int64_t number, int manner) { fault_counter_arm(&counter, number, manner == FAULTY_ALWAYS); }
int64_t faulty_memory_disarm(void) { return fault_counter_disarm(&counter); }
