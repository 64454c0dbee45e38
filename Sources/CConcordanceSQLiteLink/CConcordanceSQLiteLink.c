// The table of the library that an app links, installed before `main`. Extensions leave this target out.

#include <sqlite3ext.h>
#include "CConcordanceSQLiteLink.h"

extern int csqlite_use(const sqlite3_api_routines *table);

static const sqlite3_api_routines linked_library = {
    /* Library */
    .libversion = sqlite3_libversion,
    .libversion_number = sqlite3_libversion_number,
    .sourceid = sqlite3_sourceid,
    .errstr = sqlite3_errstr,
    .complete = sqlite3_complete,
    .compileoption_used = sqlite3_compileoption_used,
    .keyword_check = sqlite3_keyword_check,
    /* Memory */
    .malloc64 = sqlite3_malloc64,
    .realloc64 = sqlite3_realloc64,
    .free = sqlite3_free,
    .msize = sqlite3_msize,
    .memory_used = sqlite3_memory_used,
    .memory_highwater = sqlite3_memory_highwater,
    .release_memory = sqlite3_release_memory,
    /* Connections */
    .open_v2 = sqlite3_open_v2,
    .close = sqlite3_close,
    .close_v2 = sqlite3_close_v2,
    .busy_timeout = sqlite3_busy_timeout,
    .busy_handler = sqlite3_busy_handler,
    .interruptx = sqlite3_interrupt,
    .progress_handler = sqlite3_progress_handler,
    .extended_result_codes = sqlite3_extended_result_codes,
    .errcode = sqlite3_errcode,
    .extended_errcode = sqlite3_extended_errcode,
    .errmsg = sqlite3_errmsg,
#if SQLITE_VERSION_NUMBER >= 3038000
    .error_offset = sqlite3_error_offset,
#endif
    .system_errno = sqlite3_system_errno,
    .changes64 = sqlite3_changes64,
    .total_changes64 = sqlite3_total_changes64,
    .last_insert_rowid = sqlite3_last_insert_rowid,
    .set_last_insert_rowid = sqlite3_set_last_insert_rowid,
    .get_autocommit = sqlite3_get_autocommit,
    .txn_state = sqlite3_txn_state,
    .db_readonly = sqlite3_db_readonly,
    .db_filename = sqlite3_db_filename,
    .db_status = sqlite3_db_status,
    .limit = sqlite3_limit,
    .exec = sqlite3_exec,
    .trace_v2 = sqlite3_trace_v2,
    .set_authorizer = sqlite3_set_authorizer,
    .table_column_metadata = sqlite3_table_column_metadata,
    .wal_checkpoint_v2 = sqlite3_wal_checkpoint_v2,
    .wal_autocheckpoint = sqlite3_wal_autocheckpoint,
    .wal_hook = sqlite3_wal_hook,
    .db_cacheflush = sqlite3_db_cacheflush,
    .db_release_memory = sqlite3_db_release_memory,
    .next_stmt = sqlite3_next_stmt,
    .file_control = sqlite3_file_control,
#if !defined(__APPLE__) /* absent from the library that Apple ships */
    .load_extension = sqlite3_load_extension,
#endif
#if SQLITE_VERSION_NUMBER >= 3039000
    .serialize = sqlite3_serialize,
#endif
#if SQLITE_VERSION_NUMBER >= 3039000
    .deserialize = sqlite3_deserialize,
#endif
    .status64 = sqlite3_status64,
    /* Statements */
    .prepare_v3 = sqlite3_prepare_v3,
    .finalize = sqlite3_finalize,
    .reset = sqlite3_reset,
    .clear_bindings = sqlite3_clear_bindings,
    .step = sqlite3_step,
    .sql = sqlite3_sql,
    .expanded_sql = sqlite3_expanded_sql,
    .db_handle = sqlite3_db_handle,
    .stmt_readonly = sqlite3_stmt_readonly,
    .stmt_busy = sqlite3_stmt_busy,
    .stmt_isexplain = sqlite3_stmt_isexplain,
    .stmt_status = sqlite3_stmt_status,
    .data_count = sqlite3_data_count,
    .bind_parameter_count = sqlite3_bind_parameter_count,
    .bind_parameter_index = sqlite3_bind_parameter_index,
    .bind_parameter_name = sqlite3_bind_parameter_name,
    .bind_int64 = sqlite3_bind_int64,
    .bind_double = sqlite3_bind_double,
    .bind_null = sqlite3_bind_null,
    .bind_value = sqlite3_bind_value,
    .bind_text64 = sqlite3_bind_text64,
    .bind_blob64 = sqlite3_bind_blob64,
    .bind_zeroblob64 = sqlite3_bind_zeroblob64,
    .bind_pointer = sqlite3_bind_pointer,
    /* Columns */
    .column_count = sqlite3_column_count,
    .column_name = sqlite3_column_name,
    .column_decltype = sqlite3_column_decltype,
    .column_database_name = sqlite3_column_database_name,
    .column_table_name = sqlite3_column_table_name,
    .column_origin_name = sqlite3_column_origin_name,
    .column_type = sqlite3_column_type,
    .column_int64 = sqlite3_column_int64,
    .column_double = sqlite3_column_double,
    .column_text = sqlite3_column_text,
    .column_blob = sqlite3_column_blob,
    .column_bytes = sqlite3_column_bytes,
    .column_value = sqlite3_column_value,
    /* Values */
    .value_type = sqlite3_value_type,
    .value_numeric_type = sqlite3_value_numeric_type,
    .value_int64 = sqlite3_value_int64,
    .value_double = sqlite3_value_double,
    .value_text = sqlite3_value_text,
    .value_blob = sqlite3_value_blob,
    .value_bytes = sqlite3_value_bytes,
    .value_pointer = sqlite3_value_pointer,
    .value_subtype = sqlite3_value_subtype,
    .value_nochange = sqlite3_value_nochange,
    .value_frombind = sqlite3_value_frombind,
    .value_dup = sqlite3_value_dup,
    .value_free = sqlite3_value_free,
#if SQLITE_VERSION_NUMBER >= 3040000
#if !defined(__APPLE__) /* macOS 14.2, iOS 17.2: newer than the oldest that the package supports */
    .value_encoding = sqlite3_value_encoding,
#endif
#endif
    /* Functions and their results */
    .create_function_v2 = sqlite3_create_function_v2,
    .create_window_function = sqlite3_create_window_function,
    .create_collation_v2 = sqlite3_create_collation_v2,
    .user_data = sqlite3_user_data,
    .context_db_handle = sqlite3_context_db_handle,
    .aggregate_context = sqlite3_aggregate_context,
    .get_auxdata = sqlite3_get_auxdata,
    .set_auxdata = sqlite3_set_auxdata,
    .result_int64 = sqlite3_result_int64,
    .result_double = sqlite3_result_double,
    .result_null = sqlite3_result_null,
    .result_text64 = sqlite3_result_text64,
    .result_blob64 = sqlite3_result_blob64,
    .result_zeroblob64 = sqlite3_result_zeroblob64,
    .result_value = sqlite3_result_value,
    .result_pointer = sqlite3_result_pointer,
    .result_subtype = sqlite3_result_subtype,
    .result_error = sqlite3_result_error,
    .result_error_code = sqlite3_result_error_code,
    .result_error_nomem = sqlite3_result_error_nomem,
    .result_error_toobig = sqlite3_result_error_toobig,
    /* Hooks */
    .commit_hook = sqlite3_commit_hook,
    .rollback_hook = sqlite3_rollback_hook,
    .update_hook = sqlite3_update_hook,
    /* Virtual tables */
    .create_module_v2 = sqlite3_create_module_v2,
    .drop_modules = sqlite3_drop_modules,
    .declare_vtab = sqlite3_declare_vtab,
    .vtab_on_conflict = sqlite3_vtab_on_conflict,
    .vtab_nochange = sqlite3_vtab_nochange,
    .vtab_collation = sqlite3_vtab_collation,
#if SQLITE_VERSION_NUMBER >= 3038000
    .vtab_rhs_value = sqlite3_vtab_rhs_value,
#endif
#if SQLITE_VERSION_NUMBER >= 3038000
    .vtab_distinct = sqlite3_vtab_distinct,
#endif
#if SQLITE_VERSION_NUMBER >= 3038000
    .vtab_in = sqlite3_vtab_in,
#endif
#if SQLITE_VERSION_NUMBER >= 3038000
    .vtab_in_first = sqlite3_vtab_in_first,
#endif
#if SQLITE_VERSION_NUMBER >= 3038000
    .vtab_in_next = sqlite3_vtab_in_next,
#endif
    .overload_function = sqlite3_overload_function,
    /* Incremental blob I/O */
    .blob_open = sqlite3_blob_open,
    .blob_reopen = sqlite3_blob_reopen,
    .blob_bytes = sqlite3_blob_bytes,
    .blob_read = sqlite3_blob_read,
    .blob_write = sqlite3_blob_write,
    .blob_close = sqlite3_blob_close,
    /* Backup */
    .backup_init = sqlite3_backup_init,
    .backup_step = sqlite3_backup_step,
    .backup_remaining = sqlite3_backup_remaining,
    .backup_pagecount = sqlite3_backup_pagecount,
    .backup_finish = sqlite3_backup_finish,
    /* Virtual file systems */
    .vfs_find = sqlite3_vfs_find,
    .vfs_register = sqlite3_vfs_register,
    .vfs_unregister = sqlite3_vfs_unregister,
    .uri_parameter = sqlite3_uri_parameter,
    .uri_boolean = sqlite3_uri_boolean,
    .uri_int64 = sqlite3_uri_int64,
    .uri_key = sqlite3_uri_key,
    /* Variadic */
    .db_config = sqlite3_db_config,
    .vtab_config = sqlite3_vtab_config,
    .log = sqlite3_log,
};

int csqlite_link(void) { return csqlite_use(&linked_library); }

__attribute__((constructor)) static void link_before_main(void) { csqlite_link(); }
