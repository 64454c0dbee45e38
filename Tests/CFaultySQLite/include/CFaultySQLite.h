// Files and memory that fail when a test says so, under SQLite.

#ifndef CFAULTYSQLITE_H
#define CFAULTYSQLITE_H

#include <stdint.h>

/* Operations on files, which can be combined. */
enum {
    FAULTY_READ = 1,
    FAULTY_WRITE = 2,
    FAULTY_SYNC = 4,
    FAULTY_TRUNCATE = 8,
    FAULTY_OPEN = 16,
    FAULTY_DELETE = 32,
    FAULTY_SIZE = 64,
    FAULTY_SHARED_MEMORY = 128,
    FAULTY_LOCK = 256
};

/* What happens at the operation that was asked for. */
enum {
    FAULTY_ONCE = 0,  /* it fails, the next one works again */
    FAULTY_ALWAYS = 1, /* it fails, and so do all that follow */
    FAULTY_TORN = 2,  /* half of a write is done, then it fails */
    FAULTY_KILL = 3   /* half of a write is done, then the process kills itself */
};

/* Registers the file system "faulty", which wraps the default one: `file:path?vfs=faulty`. Returns an SQLite
   code. */
int faulty_files_register(void);
/* Makes operation number `number` among `operations` fail, counted from 1 and from now. For one thread at a time. */
void faulty_files_arm(int operations, int64_t number, int manner);
/* Makes all operations work again; returns how many of those counted have failed. */
int64_t faulty_files_disarm(void);

/* Makes SQLite use an allocator that can fail. This shuts SQLite down, so no connection may be open. Returns an SQLite
   code. */
int faulty_memory_install(void);
/* Makes SQLite's allocation number `number` fail, counted from 1 and from now, and all later ones with
   FAULTY_ALWAYS. */
void faulty_memory_arm(int64_t number, int manner);
int64_t faulty_memory_disarm(void);

#endif
