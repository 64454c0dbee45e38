#include "CFaultySQLite.h"
#include "FaultCounter.h"

#include <signal.h>
#include <sqlite3.h>
#include <string.h>

/* A file of the real file system, which follows in memory. */
typedef struct {
    sqlite3_file base;
    sqlite3_file *real;
} FaultyFile;

static sqlite3_vfs *real_vfs;
static FaultCounter counter;
static _Atomic int counted_operations;
static _Atomic int manner;

void faulty_files_arm(int operations, int64_t number, int how) {
    counted_operations = operations;
    manner = how;
    fault_counter_arm(&counter, number, how == FAULTY_ALWAYS);
}

int64_t faulty_files_disarm(void) { return fault_counter_disarm(&counter); }

static int fails(int operation) {
    if (!(counted_operations & operation) || !fault_counter_fails(&counter)) return 0;
    if (manner == FAULTY_KILL && operation != FAULTY_WRITE) raise(SIGKILL);
    return 1;
}

static sqlite3_file *real_of(sqlite3_file *file) { return ((FaultyFile *)file)->real; }

static int faulty_close(sqlite3_file *file) { return real_of(file)->pMethods->xClose(real_of(file)); }

static int faulty_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    if (fails(FAULTY_READ)) return SQLITE_IOERR_READ;
    return real_of(file)->pMethods->xRead(real_of(file), bytes, count, offset);
}

static int faulty_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    sqlite3_file *real = real_of(file);
    if (!fails(FAULTY_WRITE)) return real->pMethods->xWrite(real, bytes, count, offset);
    if (manner == FAULTY_TORN || manner == FAULTY_KILL) real->pMethods->xWrite(real, bytes, count / 2, offset);
    if (manner == FAULTY_KILL) raise(SIGKILL);
    return manner == FAULTY_ALWAYS ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

static int faulty_truncate(sqlite3_file *file, sqlite3_int64 size) {
    if (fails(FAULTY_TRUNCATE)) return SQLITE_IOERR_TRUNCATE;
    return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

static int faulty_sync(sqlite3_file *file, int flags) {
    if (fails(FAULTY_SYNC)) return SQLITE_IOERR_FSYNC;
    return real_of(file)->pMethods->xSync(real_of(file), flags);
}

static int faulty_size(sqlite3_file *file, sqlite3_int64 *size) {
    if (fails(FAULTY_SIZE)) return SQLITE_IOERR_FSTAT;
    return real_of(file)->pMethods->xFileSize(real_of(file), size);
}

static int faulty_lock(sqlite3_file *file, int lock) {
    if (fails(FAULTY_LOCK)) return SQLITE_IOERR_LOCK;
    return real_of(file)->pMethods->xLock(real_of(file), lock);
}

static int faulty_unlock(sqlite3_file *file, int lock) {
    return real_of(file)->pMethods->xUnlock(real_of(file), lock);
}

static int faulty_check_lock(sqlite3_file *file, int *result) {
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), result);
}

static int faulty_control(sqlite3_file *file, int operation, void *argument) {
    return real_of(file)->pMethods->xFileControl(real_of(file), operation, argument);
}

static int faulty_sector_size(sqlite3_file *file) { return real_of(file)->pMethods->xSectorSize(real_of(file)); }

static int faulty_characteristics(sqlite3_file *file) {
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

static int faulty_map(sqlite3_file *file, int page, int size, int extends, void volatile **memory) {
    if (fails(FAULTY_SHARED_MEMORY)) return SQLITE_IOERR_SHMMAP;
    return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extends, memory);
}

static int faulty_map_lock(sqlite3_file *file, int offset, int count, int flags) {
    if ((flags & SQLITE_SHM_LOCK) && fails(FAULTY_LOCK)) return SQLITE_IOERR_SHMLOCK;
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}

static void faulty_barrier(sqlite3_file *file) { real_of(file)->pMethods->xShmBarrier(real_of(file)); }

static int faulty_unmap(sqlite3_file *file, int deletes) {
    return real_of(file)->pMethods->xShmUnmap(real_of(file), deletes);
}

/* Version 2: without xFetch, by which SQLite would read mapped pages past these functions. */
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = faulty_close,
    .xRead = faulty_read,
    .xWrite = faulty_write,
    .xTruncate = faulty_truncate,
    .xSync = faulty_sync,
    .xFileSize = faulty_size,
    .xLock = faulty_lock,
    .xUnlock = faulty_unlock,
    .xCheckReservedLock = faulty_check_lock,
    .xFileControl = faulty_control,
    .xSectorSize = faulty_sector_size,
    .xDeviceCharacteristics = faulty_characteristics,
    .xShmMap = faulty_map,
    .xShmLock = faulty_map_lock,
    .xShmBarrier = faulty_barrier,
    .xShmUnmap = faulty_unmap,
};

static int faulty_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *opened) {
    FaultyFile *faulty = (FaultyFile *)file;
    memset(faulty, 0, sizeof(*faulty));
    (void)vfs;
    if (fails(FAULTY_OPEN)) return SQLITE_CANTOPEN;
    faulty->real = (sqlite3_file *)(faulty + 1);
    int code = real_vfs->xOpen(real_vfs, path, faulty->real, flags, opened);
    if (faulty->real->pMethods) faulty->base.pMethods = &methods;
    return code;
}

static int faulty_delete(sqlite3_vfs *vfs, const char *path, int syncs) {
    (void)vfs;
    if (fails(FAULTY_DELETE)) return SQLITE_IOERR_DELETE;
    return real_vfs->xDelete(real_vfs, path, syncs);
}

static int faulty_access(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
    (void)vfs;
    return real_vfs->xAccess(real_vfs, path, flags, result);
}

static int faulty_full_path(sqlite3_vfs *vfs, const char *path, int size, char *result) {
    (void)vfs;
    return real_vfs->xFullPathname(real_vfs, path, size, result);
}

static int faulty_randomness(sqlite3_vfs *vfs, int count, char *bytes) {
    (void)vfs;
    return real_vfs->xRandomness(real_vfs, count, bytes);
}

static int faulty_sleep(sqlite3_vfs *vfs, int microseconds) {
    (void)vfs;
    return real_vfs->xSleep(real_vfs, microseconds);
}

static int faulty_time(sqlite3_vfs *vfs, double *time) {
    (void)vfs;
    return real_vfs->xCurrentTime(real_vfs, time);
}

static int faulty_time64(sqlite3_vfs *vfs, sqlite3_int64 *time) {
    (void)vfs;
    return real_vfs->xCurrentTimeInt64(real_vfs, time);
}

static int faulty_last_error(sqlite3_vfs *vfs, int count, char *message) {
    (void)vfs;
    return real_vfs->xGetLastError(real_vfs, count, message);
}

int faulty_files_register(void) {
    static sqlite3_vfs vfs;
    real_vfs = sqlite3_vfs_find(0);
    if (!real_vfs || real_vfs->iVersion < 2) return SQLITE_ERROR;
    if (vfs.zName) return SQLITE_OK;
    vfs = (sqlite3_vfs){
        .iVersion = 2,
        .szOsFile = (int)sizeof(FaultyFile) + real_vfs->szOsFile,
        .mxPathname = real_vfs->mxPathname,
        .zName = "faulty",
        .xOpen = faulty_open,
        .xDelete = faulty_delete,
        .xAccess = faulty_access,
        .xFullPathname = faulty_full_path,
        .xRandomness = faulty_randomness,
        .xSleep = faulty_sleep,
        .xCurrentTime = faulty_time,
        .xGetLastError = faulty_last_error,
        .xCurrentTimeInt64 = faulty_time64,
    };
    return sqlite3_vfs_register(&vfs, 0);
}
