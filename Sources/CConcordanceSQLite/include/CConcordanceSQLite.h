// Every call that this package makes to SQLite.
//
// A loadable extension must not call the SQLite it was linked with: the host that loads it has its own copy, and
// passes a table of that copy's functions to the entry point. An app has no such host, and calls the library it links.
// So that the same Swift modules serve both, they only call SQLite through these inline functions, which use the table
// `csqlite_api`. It is set once: in an app by CConcordanceSQLiteLink before `main`, in an extension by `csqlite_use`.
//
// The names are SQLite's, with `csqlite_` instead of `sqlite3_`. See https://www.sqlite.org/c3ref/funclist.html.

#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3ext.h>
#include <stdint.h>
#include <string.h>

/* The oldest library that the package works with: 3.37.0 (Ubuntu 22.04; macOS 13 and iOS 16 have newer ones). */
#define CSQLITE_MINIMUM_VERSION 3037000

/* The functions of the SQLite in use; NULL until a table is set. */
extern const sqlite3_api_routines *csqlite_api;

/* Sets the table. Returns SQLITE_OK, or SQLITE_ERROR if that library is too old. A later call with another table is
   ignored (SQLITE_MISUSE), since pointers from the first may still be in use. */
int csqlite_use(const sqlite3_api_routines *table);
/* Whether a table is set. Until then no other function here may be called. */
static inline int csqlite_is_ready(void) { return csqlite_api != 0; }

/* Called first with every connection that the package opens: set by a module above, before `main`. */
typedef void (*csqlite_connection_setup)(sqlite3 *);
void csqlite_set_connection_setup(csqlite_connection_setup setup);
void csqlite_set_up_connection(sqlite3 *connection);

/* Library */
static inline const char *csqlite_libversion(void) { return csqlite_api->libversion(); }
static inline int csqlite_libversion_number(void) { return csqlite_api->libversion_number(); }
static inline const char *csqlite_sourceid(void) { return csqlite_api->sourceid(); }
static inline const char *csqlite_errstr(int a) { return csqlite_api->errstr(a); }
static inline int csqlite_complete(const char *a) { return csqlite_api->complete(a); }
static inline int csqlite_compileoption_used(const char *a) { return csqlite_api->compileoption_used(a); }
static inline int csqlite_keyword_check(const char *a, int b) { return csqlite_api->keyword_check(a, b); }

/* Memory */
static inline void *csqlite_malloc64(sqlite3_uint64 a) { return csqlite_api->malloc64(a); }
static inline void *csqlite_realloc64(void *a, sqlite3_uint64 b) { return csqlite_api->realloc64(a, b); }
static inline void csqlite_free(void *a) { csqlite_api->free(a); }
static inline sqlite3_uint64 csqlite_msize(void *a) { return csqlite_api->msize(a); }
static inline sqlite3_int64 csqlite_memory_used(void) { return csqlite_api->memory_used(); }
static inline sqlite3_int64 csqlite_memory_highwater(int a) { return csqlite_api->memory_highwater(a); }
static inline int csqlite_release_memory(int a) { return csqlite_api->release_memory(a); }

/* Connections */
static inline int csqlite_open_v2(const char *a, sqlite3 **b, int c, const char *d) {
    return csqlite_api->open_v2(a, b, c, d);
}
static inline int csqlite_close(sqlite3 *a) { return csqlite_api->close(a); }
static inline int csqlite_close_v2(sqlite3 *a) { return csqlite_api->close_v2(a); }
static inline int csqlite_busy_timeout(sqlite3 *a, int b) { return csqlite_api->busy_timeout(a, b); }
static inline int csqlite_busy_handler(sqlite3 *a, int (*b)(void*,int), void *c) {
    return csqlite_api->busy_handler(a, b, c);
}
static inline void csqlite_interrupt(sqlite3 *a) { csqlite_api->interruptx(a); }
static inline void csqlite_progress_handler(sqlite3 *a, int b, int (*c)(void*), void *d) {
    csqlite_api->progress_handler(a, b, c, d);
}
static inline int csqlite_extended_result_codes(sqlite3 *a, int b) { return csqlite_api->extended_result_codes(a,
    b); }
static inline int csqlite_errcode(sqlite3 *a) { return csqlite_api->errcode(a); }
static inline int csqlite_extended_errcode(sqlite3 *a) { return csqlite_api->extended_errcode(a); }
static inline const char *csqlite_errmsg(sqlite3 *a) { return csqlite_api->errmsg(a); }
/* -1 if the library is older than 3.38. */
static inline int csqlite_error_offset(sqlite3 *a) {
#if SQLITE_VERSION_NUMBER >= 3038000
    if (csqlite_api->libversion_number() >= 3038000) return csqlite_api->error_offset(a);
#endif
    (void)(a);
    return -1;
}
static inline int csqlite_system_errno(sqlite3 *a) { return csqlite_api->system_errno(a); }
static inline sqlite3_int64 csqlite_changes64(sqlite3 *a) { return csqlite_api->changes64(a); }
static inline sqlite3_int64 csqlite_total_changes64(sqlite3 *a) { return csqlite_api->total_changes64(a); }
static inline sqlite_int64 csqlite_last_insert_rowid(sqlite3 *a) { return csqlite_api->last_insert_rowid(a); }
static inline void csqlite_set_last_insert_rowid(sqlite3 *a, sqlite3_int64 b) {
    csqlite_api->set_last_insert_rowid(a, b);
}
static inline int csqlite_get_autocommit(sqlite3 *a) { return csqlite_api->get_autocommit(a); }
static inline int csqlite_txn_state(sqlite3 *a, const char *b) { return csqlite_api->txn_state(a, b); }
static inline int csqlite_db_readonly(sqlite3 *a, const char *b) { return csqlite_api->db_readonly(a, b); }
static inline const char *csqlite_db_filename(sqlite3 *a, const char *b) { return csqlite_api->db_filename(a, b); }
static inline int csqlite_db_status(sqlite3 *a, int b, int *c, int *d, int e) {
    return csqlite_api->db_status(a, b, c, d, e);
}
static inline int csqlite_limit(sqlite3 *a, int b, int c) { return csqlite_api->limit(a, b, c); }
static inline int csqlite_exec(sqlite3 *a, const char *b, sqlite3_callback c, void *d, char **e) {
    return csqlite_api->exec(a, b, c, d, e);
}
static inline int csqlite_trace_v2(sqlite3 *a, unsigned b, int (*c)(unsigned,void*,void*,void*), void *d) {
    return csqlite_api->trace_v2(a, b, c, d);
}
static inline int csqlite_set_authorizer(sqlite3 *a,
    int (*b)(void*,int,const char*,const char*, const char*,const char*), void *c) {
    return csqlite_api->set_authorizer(a, b, c);
}
static inline int csqlite_table_column_metadata(sqlite3 *a, const char *b, const char *c, const char *d,
    char const **e, char const **f, int *g, int *h, int *i) {
    return csqlite_api->table_column_metadata(a, b, c, d, e, f, g, h, i);
}
static inline int csqlite_wal_checkpoint_v2(sqlite3 *a, const char *b, int c, int *d, int *e) {
    return csqlite_api->wal_checkpoint_v2(a, b, c, d, e);
}
static inline int csqlite_wal_autocheckpoint(sqlite3 *a, int b) { return csqlite_api->wal_autocheckpoint(a, b); }
static inline void *csqlite_wal_hook(sqlite3 *a, int (*b)(void*,sqlite3*,const char*,int), void *c) {
    return csqlite_api->wal_hook(a, b, c);
}
static inline int csqlite_db_cacheflush(sqlite3 *a) { return csqlite_api->db_cacheflush(a); }
static inline int csqlite_db_release_memory(sqlite3 *a) { return csqlite_api->db_release_memory(a); }
static inline sqlite3_stmt *csqlite_next_stmt(sqlite3 *a, sqlite3_stmt *b) { return csqlite_api->next_stmt(a, b); }
static inline int csqlite_file_control(sqlite3 *a, const char *b, int c, void *d) {
    return csqlite_api->file_control(a, b, c, d);
}
static inline int csqlite_load_extension(sqlite3 *a, const char *b, const char *c, char **d) {
    if (!csqlite_api->load_extension) return SQLITE_ERROR; /* as on Apple platforms */
    return csqlite_api->load_extension(a, b, c, d);
}
/* 0 if the library is older than 3.39. */
static inline unsigned char *csqlite_serialize(sqlite3 *a, const char *b, sqlite3_int64 *c, unsigned int d) {
#if SQLITE_VERSION_NUMBER >= 3039000
    if (csqlite_api->libversion_number() >= 3039000) return csqlite_api->serialize(a, b, c, d);
#endif
    (void)(a);
    (void)(b);
    (void)(c);
    (void)(d);
    return 0;
}
/* SQLITE_ERROR if the library is older than 3.39. */
static inline int csqlite_deserialize(sqlite3 *a, const char *b, unsigned char *c, sqlite3_int64 d, sqlite3_int64 e,
    unsigned f) {
#if SQLITE_VERSION_NUMBER >= 3039000
    if (csqlite_api->libversion_number() >= 3039000) return csqlite_api->deserialize(a, b, c, d, e, f);
#endif
    (void)(a);
    (void)(b);
    (void)(c);
    (void)(d);
    (void)(e);
    (void)(f);
    return SQLITE_ERROR;
}
static inline int csqlite_status64(int a, sqlite3_int64 *b, sqlite3_int64 *c, int d) {
    return csqlite_api->status64(a, b, c, d);
}

/* Statements */
static inline int csqlite_prepare_v3(sqlite3 *a, const char *b, int c, unsigned int d, sqlite3_stmt **e,
    const char **f) {
    return csqlite_api->prepare_v3(a, b, c, d, e, f);
}
static inline int csqlite_finalize(sqlite3_stmt *a) { return csqlite_api->finalize(a); }
static inline int csqlite_reset(sqlite3_stmt *a) { return csqlite_api->reset(a); }
static inline int csqlite_clear_bindings(sqlite3_stmt *a) { return csqlite_api->clear_bindings(a); }
static inline int csqlite_step(sqlite3_stmt *a) { return csqlite_api->step(a); }
static inline const char *csqlite_sql(sqlite3_stmt *a) { return csqlite_api->sql(a); }
static inline char *csqlite_expanded_sql(sqlite3_stmt *a) { return csqlite_api->expanded_sql(a); }
static inline sqlite3 *csqlite_db_handle(sqlite3_stmt *a) { return csqlite_api->db_handle(a); }
static inline int csqlite_stmt_readonly(sqlite3_stmt *a) { return csqlite_api->stmt_readonly(a); }
static inline int csqlite_stmt_busy(sqlite3_stmt *a) { return csqlite_api->stmt_busy(a); }
static inline int csqlite_stmt_isexplain(sqlite3_stmt *a) { return csqlite_api->stmt_isexplain(a); }
static inline int csqlite_stmt_status(sqlite3_stmt *a, int b, int c) { return csqlite_api->stmt_status(a, b, c); }
static inline int csqlite_data_count(sqlite3_stmt *a) { return csqlite_api->data_count(a); }
static inline int csqlite_bind_parameter_count(sqlite3_stmt *a) { return csqlite_api->bind_parameter_count(a); }
static inline int csqlite_bind_parameter_index(sqlite3_stmt *a, const char *b) {
    return csqlite_api->bind_parameter_index(a, b);
}
static inline const char *csqlite_bind_parameter_name(sqlite3_stmt *a, int b) {
    return csqlite_api->bind_parameter_name(a, b);
}
static inline int csqlite_bind_int64(sqlite3_stmt *a, int b, sqlite_int64 c) {
    return csqlite_api->bind_int64(a, b, c);
}
static inline int csqlite_bind_double(sqlite3_stmt *a, int b, double c) { return csqlite_api->bind_double(a, b, c); }
static inline int csqlite_bind_null(sqlite3_stmt *a, int b) { return csqlite_api->bind_null(a, b); }
static inline int csqlite_bind_value(sqlite3_stmt *a, int b, const sqlite3_value *c) {
    return csqlite_api->bind_value(a, b, c);
}
static inline int csqlite_bind_text64(sqlite3_stmt *a, int b, const char *c, sqlite3_uint64 d, void (*e)(void*),
    unsigned char f) {
    return csqlite_api->bind_text64(a, b, c, d, e, f);
}
static inline int csqlite_bind_blob64(sqlite3_stmt *a, int b, const void *c, sqlite3_uint64 d, void (*e)(void*)) {
    return csqlite_api->bind_blob64(a, b, c, d, e);
}
static inline int csqlite_bind_zeroblob64(sqlite3_stmt *a, int b, sqlite3_uint64 c) {
    return csqlite_api->bind_zeroblob64(a, b, c);
}
static inline int csqlite_bind_pointer(sqlite3_stmt *a, int b, void *c, const char *d, void (*e)(void*)) {
    return csqlite_api->bind_pointer(a, b, c, d, e);
}

/* Columns */
static inline int csqlite_column_count(sqlite3_stmt *a) { return csqlite_api->column_count(a); }
static inline const char *csqlite_column_name(sqlite3_stmt *a, int b) { return csqlite_api->column_name(a, b); }
static inline const char *csqlite_column_decltype(sqlite3_stmt *a, int b) {
    return csqlite_api->column_decltype(a, b);
}
static inline const char *csqlite_column_database_name(sqlite3_stmt *a, int b) {
    return csqlite_api->column_database_name(a, b);
}
static inline const char *csqlite_column_table_name(sqlite3_stmt *a, int b) {
    return csqlite_api->column_table_name(a, b);
}
static inline const char *csqlite_column_origin_name(sqlite3_stmt *a, int b) {
    return csqlite_api->column_origin_name(a, b);
}
static inline int csqlite_column_type(sqlite3_stmt *a, int b) { return csqlite_api->column_type(a, b); }
static inline sqlite_int64 csqlite_column_int64(sqlite3_stmt *a, int b) { return csqlite_api->column_int64(a, b); }
static inline double csqlite_column_double(sqlite3_stmt *a, int b) { return csqlite_api->column_double(a, b); }
static inline const unsigned char *csqlite_column_text(sqlite3_stmt *a, int b) {
    return csqlite_api->column_text(a, b);
}
static inline const void *csqlite_column_blob(sqlite3_stmt *a, int b) { return csqlite_api->column_blob(a, b); }
static inline int csqlite_column_bytes(sqlite3_stmt *a, int b) { return csqlite_api->column_bytes(a, b); }
static inline sqlite3_value*csqlite_column_value(sqlite3_stmt *a, int b) { return csqlite_api->column_value(a, b); }

/* Values */
static inline int csqlite_value_type(sqlite3_value *a) { return csqlite_api->value_type(a); }
static inline int csqlite_value_numeric_type(sqlite3_value *a) { return csqlite_api->value_numeric_type(a); }
static inline sqlite_int64 csqlite_value_int64(sqlite3_value *a) { return csqlite_api->value_int64(a); }
static inline double csqlite_value_double(sqlite3_value *a) { return csqlite_api->value_double(a); }
static inline const unsigned char *csqlite_value_text(sqlite3_value *a) { return csqlite_api->value_text(a); }
static inline const void *csqlite_value_blob(sqlite3_value *a) { return csqlite_api->value_blob(a); }
static inline int csqlite_value_bytes(sqlite3_value *a) { return csqlite_api->value_bytes(a); }
static inline void *csqlite_value_pointer(sqlite3_value *a, const char *b) { return csqlite_api->value_pointer(a,
    b); }
static inline unsigned int csqlite_value_subtype(sqlite3_value *a) { return csqlite_api->value_subtype(a); }
static inline int csqlite_value_nochange(sqlite3_value *a) { return csqlite_api->value_nochange(a); }
static inline int csqlite_value_frombind(sqlite3_value *a) { return csqlite_api->value_frombind(a); }
static inline sqlite3_value *csqlite_value_dup(const sqlite3_value *a) { return csqlite_api->value_dup(a); }
static inline void csqlite_value_free(sqlite3_value *a) { csqlite_api->value_free(a); }
/* SQLITE_UTF8 if the library is older than 3.40, and on Apple platforms. */
static inline int csqlite_value_encoding(sqlite3_value *a) {
#if SQLITE_VERSION_NUMBER >= 3040000
    if (csqlite_api->libversion_number() >= 3040000 && csqlite_api->value_encoding) return csqlite_api->value_encoding(a);
#endif
    (void)(a);
    return SQLITE_UTF8;
}

/* Functions and their results */
static inline int csqlite_create_function_v2(sqlite3 *a, const char *b, int c, int d, void *e,
    void (*f)(sqlite3_context*,int,sqlite3_value**), void (*g)(sqlite3_context*,int,sqlite3_value**),
    void (*h)(sqlite3_context*), void (*i)(void*)) {
    return csqlite_api->create_function_v2(a, b, c, d, e, f, g, h, i);
}
static inline int csqlite_create_window_function(sqlite3 *a, const char *b, int c, int d, void *e,
    void (*f)(sqlite3_context*,int,sqlite3_value**), void (*g)(sqlite3_context*), void (*h)(sqlite3_context*),
    void (*i)(sqlite3_context*,int,sqlite3_value**), void (*j)(void*)) {
    return csqlite_api->create_window_function(a, b, c, d, e, f, g, h, i, j);
}
static inline int csqlite_create_collation_v2(sqlite3 *a, const char *b, int c, void *d,
    int (*e)(void*,int,const void*,int,const void*), void (*f)(void*)) {
    return csqlite_api->create_collation_v2(a, b, c, d, e, f);
}
static inline void *csqlite_user_data(sqlite3_context *a) { return csqlite_api->user_data(a); }
static inline sqlite3 *csqlite_context_db_handle(sqlite3_context *a) { return csqlite_api->context_db_handle(a); }
static inline void *csqlite_aggregate_context(sqlite3_context *a, int b) {
    return csqlite_api->aggregate_context(a, b);
}
static inline void *csqlite_get_auxdata(sqlite3_context *a, int b) { return csqlite_api->get_auxdata(a, b); }
static inline void csqlite_set_auxdata(sqlite3_context *a, int b, void *c, void (*d)(void*)) {
    csqlite_api->set_auxdata(a, b, c, d);
}
static inline void csqlite_result_int64(sqlite3_context *a, sqlite_int64 b) { csqlite_api->result_int64(a, b); }
static inline void csqlite_result_double(sqlite3_context *a, double b) { csqlite_api->result_double(a, b); }
static inline void csqlite_result_null(sqlite3_context *a) { csqlite_api->result_null(a); }
static inline void csqlite_result_text64(sqlite3_context *a, const char *b, sqlite3_uint64 c, void (*d)(void*),
    unsigned char e) {
    csqlite_api->result_text64(a, b, c, d, e);
}
static inline void csqlite_result_blob64(sqlite3_context *a, const void *b, sqlite3_uint64 c, void (*d)(void*)) {
    csqlite_api->result_blob64(a, b, c, d);
}
static inline int csqlite_result_zeroblob64(sqlite3_context *a, sqlite3_uint64 b) {
    return csqlite_api->result_zeroblob64(a, b);
}
static inline void csqlite_result_value(sqlite3_context *a, sqlite3_value *b) { csqlite_api->result_value(a, b); }
static inline void csqlite_result_pointer(sqlite3_context *a, void *b, const char *c, void (*d)(void*)) {
    csqlite_api->result_pointer(a, b, c, d);
}
static inline void csqlite_result_subtype(sqlite3_context *a, unsigned int b) { csqlite_api->result_subtype(a, b); }
static inline void csqlite_result_error(sqlite3_context *a, const char *b, int c) {
    csqlite_api->result_error(a, b, c);
}
static inline void csqlite_result_error_code(sqlite3_context *a, int b) { csqlite_api->result_error_code(a, b); }
static inline void csqlite_result_error_nomem(sqlite3_context *a) { csqlite_api->result_error_nomem(a); }
static inline void csqlite_result_error_toobig(sqlite3_context *a) { csqlite_api->result_error_toobig(a); }

/* Hooks */
static inline void *csqlite_commit_hook(sqlite3 *a, int (*b)(void*), void *c) {
    return csqlite_api->commit_hook(a, b, c);
}
static inline void *csqlite_rollback_hook(sqlite3 *a, void (*b)(void*), void *c) {
    return csqlite_api->rollback_hook(a, b, c);
}
static inline void *csqlite_update_hook(sqlite3 *a, void (*b)(void*,int ,char const*,char const*, sqlite_int64),
    void *c) {
    return csqlite_api->update_hook(a, b, c);
}

/* Virtual tables */
static inline int csqlite_create_module_v2(sqlite3 *a, const char *b, const sqlite3_module *c, void *d,
    void (*e)(void *)) {
    return csqlite_api->create_module_v2(a, b, c, d, e);
}
static inline int csqlite_drop_modules(sqlite3 *a, const char **b) { return csqlite_api->drop_modules(a, b); }
static inline int csqlite_declare_vtab(sqlite3 *a, const char *b) { return csqlite_api->declare_vtab(a, b); }
static inline int csqlite_vtab_on_conflict(sqlite3 *a) { return csqlite_api->vtab_on_conflict(a); }
static inline int csqlite_vtab_nochange(sqlite3_context *a) { return csqlite_api->vtab_nochange(a); }
static inline const char *csqlite_vtab_collation(sqlite3_index_info *a, int b) {
    return csqlite_api->vtab_collation(a, b);
}
/* SQLITE_NOTFOUND if the library is older than 3.38. */
static inline int csqlite_vtab_rhs_value(sqlite3_index_info *a, int b, sqlite3_value **c) {
#if SQLITE_VERSION_NUMBER >= 3038000
    if (csqlite_api->libversion_number() >= 3038000) return csqlite_api->vtab_rhs_value(a, b, c);
#endif
    (void)(a);
    (void)(b);
    (void)(c);
    return SQLITE_NOTFOUND;
}
/* 0 if the library is older than 3.38. */
static inline int csqlite_vtab_distinct(sqlite3_index_info *a) {
#if SQLITE_VERSION_NUMBER >= 3038000
    if (csqlite_api->libversion_number() >= 3038000) return csqlite_api->vtab_distinct(a);
#endif
    (void)(a);
    return 0;
}
/* 0 if the library is older than 3.38. */
static inline int csqlite_vtab_in(sqlite3_index_info *a, int b, int c) {
#if SQLITE_VERSION_NUMBER >= 3038000
    if (csqlite_api->libversion_number() >= 3038000) return csqlite_api->vtab_in(a, b, c);
#endif
    (void)(a);
    (void)(b);
    (void)(c);
    return 0;
}
/* SQLITE_ERROR if the library is older than 3.38. */
static inline int csqlite_vtab_in_first(sqlite3_value *a, sqlite3_value **b) {
#if SQLITE_VERSION_NUMBER >= 3038000
    if (csqlite_api->libversion_number() >= 3038000) return csqlite_api->vtab_in_first(a, b);
#endif
    (void)(a);
    (void)(b);
    return SQLITE_ERROR;
}
/* SQLITE_ERROR if the library is older than 3.38. */
static inline int csqlite_vtab_in_next(sqlite3_value *a, sqlite3_value **b) {
#if SQLITE_VERSION_NUMBER >= 3038000
    if (csqlite_api->libversion_number() >= 3038000) return csqlite_api->vtab_in_next(a, b);
#endif
    (void)(a);
    (void)(b);
    return SQLITE_ERROR;
}
static inline int csqlite_overload_function(sqlite3 *a, const char *b, int c) {
    return csqlite_api->overload_function(a, b, c);
}

/* Incremental blob I/O */
static inline int csqlite_blob_open(sqlite3 *a, const char *b, const char *c, const char *d, sqlite3_int64 e, int f,
    sqlite3_blob **g) {
    return csqlite_api->blob_open(a, b, c, d, e, f, g);
}
static inline int csqlite_blob_reopen(sqlite3_blob *a, sqlite3_int64 b) { return csqlite_api->blob_reopen(a, b); }
static inline int csqlite_blob_bytes(sqlite3_blob *a) { return csqlite_api->blob_bytes(a); }
static inline int csqlite_blob_read(sqlite3_blob *a, void *b, int c, int d) {
    return csqlite_api->blob_read(a, b, c, d);
}
static inline int csqlite_blob_write(sqlite3_blob *a, const void *b, int c, int d) {
    return csqlite_api->blob_write(a, b, c, d);
}
static inline int csqlite_blob_close(sqlite3_blob *a) { return csqlite_api->blob_close(a); }
/* SQLite's objects for a virtual table and a cursor, which must come first, followed by Swift's data. */
typedef struct csqlite_table {
    sqlite3_vtab base;
    sqlite3 *connection;
    void *host;  /* shared by the tables of the module */
    void *table; /* the Swift object */
} csqlite_table;
typedef struct csqlite_cursor {
    sqlite3_vtab_cursor base;
    void *operations;         /* the Swift functions for the value that follows in memory */
    void *run;                /* rows that the value found ahead; 0 if it never does so */
    unsigned char is_at_end;  /* whether the value has no row: SQLite asks after each step */
} csqlite_cursor;
/* A module with room for xIntegrity, which headers have since 3.44, and libraries expect in a module of version 4. */
typedef int (*csqlite_integrity)(sqlite3_vtab*, const char*, const char*, int, char**);
typedef struct csqlite_module {
    sqlite3_module base;
#if SQLITE_VERSION_NUMBER < 3044000
    csqlite_integrity xIntegrity;
#endif
} csqlite_module;
static inline void csqlite_module_set_integrity(csqlite_module *module, csqlite_integrity integrity) {
    module->base.iVersion = 4;
#if SQLITE_VERSION_NUMBER >= 3044000
    module->base.xIntegrity = integrity;
#else
    module->xIntegrity = integrity;
#endif
}
/* xIntegrity of any module; NULL if the module is of an older version. */
static inline csqlite_integrity csqlite_module_integrity(const sqlite3_module *module) {
    if (module->iVersion < 4) return 0;
#if SQLITE_VERSION_NUMBER >= 3044000
    return module->xIntegrity;
#else
    return ((const csqlite_module *)module)->xIntegrity;
#endif
}

/* A table that belongs to one of two modules, as its pointer to its own module tells, and its cursors. */
typedef struct csqlite_switched_table {
    sqlite3_vtab base;
    sqlite3_vtab *inner;
    void *host;
    void *owner; /* what keeps the other module alive; 0 for ours */
} csqlite_switched_table;
typedef struct csqlite_switched_cursor {
    sqlite3_vtab_cursor base;
    sqlite3_vtab_cursor *inner;
} csqlite_switched_cursor;

/* FTS5's interfaces as of SQLite 3.47, whatever version the headers are: a structure that a C program gets from us says
   by its version what it contains. */
typedef int (*csqlite_token_callback)(void*, int, const char*, int, int, int);
typedef int (*csqlite_fts5_query_token)(Fts5Context*, int, int, const char**, int*);
typedef int (*csqlite_fts5_column_locale)(Fts5Context*, int, const char**, int*);
typedef int (*csqlite_fts5_tokenize_v2)(Fts5Context*, const char*, int, const char*, int, void*, csqlite_token_callback);
typedef struct csqlite_fts5_extension_api {
    Fts5ExtensionApi base;
#if SQLITE_VERSION_NUMBER < 3045000
    csqlite_fts5_query_token xQueryToken;
    csqlite_fts5_query_token xInstToken;
#endif
#if SQLITE_VERSION_NUMBER < 3047000
    csqlite_fts5_column_locale xColumnLocale;
    csqlite_fts5_tokenize_v2 xTokenize_v2;
#endif
} csqlite_fts5_extension_api;
static inline void csqlite_fts5_extension_set_version_4(csqlite_fts5_extension_api *api,
    csqlite_fts5_query_token query_token, csqlite_fts5_query_token inst_token,
    csqlite_fts5_column_locale column_locale, csqlite_fts5_tokenize_v2 tokenize) {
    api->base.iVersion = 4;
#if SQLITE_VERSION_NUMBER >= 3045000
    api->base.xQueryToken = query_token;
    api->base.xInstToken = inst_token;
#else
    api->xQueryToken = query_token;
    api->xInstToken = inst_token;
#endif
#if SQLITE_VERSION_NUMBER >= 3047000
    api->base.xColumnLocale = column_locale;
    api->base.xTokenize_v2 = tokenize;
#else
    api->xColumnLocale = column_locale;
    api->xTokenize_v2 = tokenize;
#endif
}

/* xInstToken of an interface of version 3; SQLITE_MISUSE for an older one. */
static inline int csqlite_fts5_extension_inst_token(const Fts5ExtensionApi *api, Fts5Context *context, int instance,
    int token, const char **text, int *count) {
    if (api->iVersion < 3) return SQLITE_MISUSE;
#if SQLITE_VERSION_NUMBER >= 3045000
    return api->xInstToken(context, instance, token, text, count);
#else
    return ((const csqlite_fts5_extension_api *)api)->xInstToken(context, instance, token, text, count);
#endif
}

/* The tokenizers are fts5_tokenizer_v2, which older headers lack. */
typedef int (*csqlite_fts5_create_tokenizer_v2)(fts5_api*, const char*, void*, void*, void (*)(void*));
typedef int (*csqlite_fts5_find_tokenizer_v2)(fts5_api*, const char*, void**, void**);
/* An fts5_api of version 3, and its owner. */
typedef struct csqlite_fts5_api {
    int iVersion;
    int (*xCreateTokenizer)(fts5_api*, const char*, void*, fts5_tokenizer*, void (*)(void*));
    int (*xFindTokenizer)(fts5_api*, const char*, void**, fts5_tokenizer*);
    int (*xCreateFunction)(fts5_api*, const char*, void*, fts5_extension_function, void (*)(void*));
    csqlite_fts5_create_tokenizer_v2 xCreateTokenizer_v2;
    csqlite_fts5_find_tokenizer_v2 xFindTokenizer_v2;
    void *owner;
} csqlite_fts5_api;

/* Backup */
static inline sqlite3_backup *csqlite_backup_init(sqlite3 *a, const char *b, sqlite3 *c, const char *d) {
    return csqlite_api->backup_init(a, b, c, d);
}
static inline int csqlite_backup_step(sqlite3_backup *a, int b) { return csqlite_api->backup_step(a, b); }
static inline int csqlite_backup_remaining(sqlite3_backup *a) { return csqlite_api->backup_remaining(a); }
static inline int csqlite_backup_pagecount(sqlite3_backup *a) { return csqlite_api->backup_pagecount(a); }
static inline int csqlite_backup_finish(sqlite3_backup *a) { return csqlite_api->backup_finish(a); }

/* Virtual file systems */
static inline sqlite3_vfs *csqlite_vfs_find(const char *a) { return csqlite_api->vfs_find(a); }
static inline int csqlite_vfs_register(sqlite3_vfs *a, int b) { return csqlite_api->vfs_register(a, b); }
static inline int csqlite_vfs_unregister(sqlite3_vfs *a) { return csqlite_api->vfs_unregister(a); }
static inline const char *csqlite_uri_parameter(const char *a, const char *b) {
    return csqlite_api->uri_parameter(a, b);
}
static inline int csqlite_uri_boolean(const char *a, const char *b, int c) { return csqlite_api->uri_boolean(a, b,
    c); }
static inline sqlite3_int64 csqlite_uri_int64(const char *a, const char *b, sqlite3_int64 c) {
    return csqlite_api->uri_int64(a, b, c);
}
static inline const char *csqlite_uri_key(const char *a, int b) { return csqlite_api->uri_key(a, b); }

/* What Swift cannot import: variadic functions and pointer macros */

/* sqlite3_db_config for options with one switch; `result`, which may be NULL, receives the new state. */
static inline int csqlite_db_config_switch(sqlite3 *db, int option, int on, int *result) {
    int state = 0;
    int rc = csqlite_api->db_config(db, option, on, &state);
    if (result) *result = state;
    return rc;
}
/* sqlite3_vtab_config with an integer argument, which options without an argument ignore. */
static inline int csqlite_vtab_config(sqlite3 *db, int option, int value) {
    return csqlite_api->vtab_config(db, option, value);
}
/* A NUL-terminated copy of a string of `count` bytes, to be freed with csqlite_free, as zErrMsg requires. */
static inline char *csqlite_copy_string(const char *text, int64_t count) {
    char *copy = csqlite_api->malloc64((sqlite3_uint64)count + 1);
    if (!copy) return 0;
    if (count > 0) memcpy(copy, text, (size_t)count);
    copy[count] = 0;
    return copy;
}
static inline void csqlite_log(int code, const char *message) { csqlite_api->log(code, "%s", message); }
/* Text and blobs that SQLite copies at once (SQLITE_TRANSIENT). */
static inline int csqlite_bind_text_copy(sqlite3_stmt *s, int index, const char *text, uint64_t count) {
    return csqlite_api->bind_text64(s, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline int csqlite_bind_blob_copy(sqlite3_stmt *s, int index, const void *bytes, uint64_t count) {
    return csqlite_api->bind_blob64(s, index, bytes, count, SQLITE_TRANSIENT);
}
static inline void csqlite_result_text_copy(sqlite3_context *c, const char *text, uint64_t count) {
    csqlite_api->result_text64(c, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline void csqlite_result_blob_copy(sqlite3_context *c, const void *bytes, uint64_t count) {
    csqlite_api->result_blob64(c, bytes, count, SQLITE_TRANSIENT);
}
/* Text and blobs that stay where they are until the statement is rebound, reset by the caller, or finalized. */
static inline int csqlite_bind_text_static(sqlite3_stmt *s, int index, const char *text, uint64_t count) {
    return csqlite_api->bind_text64(s, index, text, count, SQLITE_STATIC, SQLITE_UTF8);
}
static inline int csqlite_bind_blob_static(sqlite3_stmt *s, int index, const void *bytes, uint64_t count) {
    return csqlite_api->bind_blob64(s, index, bytes, count, SQLITE_STATIC);
}

#endif
