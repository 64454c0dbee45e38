// MHD_start_daemon takes its options as variadic arguments, which Swift cannot pass.
#include <sys/types.h>
#include <sys/socket.h>
#include <stdint.h>
#include <strings.h>
#include <microhttpd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

/// The options of a daemon.
struct concordance_http_options {
    /// A listening socket; the daemon closes it.
    int listening_socket;
    unsigned int connection_limit;
    /// Concurrent connections from one address; 0 for no limit.
    unsigned int address_limit;
    /// Seconds without a byte after which a connection is closed.
    unsigned int timeout;
    /// Bytes of memory for a connection: the request's line and headers must fit.
    size_t connection_memory;
    MHD_AccessHandlerCallback handle;
    /// Called with the target of each request before its headers are read; returns the request's state.
    void *(*begin)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_RequestCompletedCallback complete;
    void *context;
};

/// Starts a daemon with a thread of its own, which waits for all connections; NULL if it cannot start.
static inline struct MHD_Daemon *concordance_http_start(const struct concordance_http_options *options) {
    return MHD_start_daemon(
        MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_SUSPEND_RESUME, 0, NULL, NULL, options->handle,
        options->context,
        MHD_OPTION_LISTEN_SOCKET, options->listening_socket,
        MHD_OPTION_CONNECTION_LIMIT, options->connection_limit,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, options->address_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, options->timeout,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, options->connection_memory,
        // What the library refuses itself it answers with a page for people, so it is left to the server as far as can be:
        // a missing Host, spaces in the target.
        MHD_OPTION_STRICT_FOR_CLIENT, 0,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
        MHD_OPTION_URI_LOG_CALLBACK, options->begin, options->context,
        MHD_OPTION_NOTIFY_COMPLETED, options->complete, options->context,
        MHD_OPTION_END);
}

/// Has the C library's allocator share its memory among threads, and give large blocks back when they are freed. By default
/// GNU's keeps memory for each thread that has ever been busy, and takes ever larger blocks from what it keeps.
static inline void concordance_http_share_memory(void) {
#if defined(__GLIBC__)
    mallopt(M_ARENA_MAX, 2);
    mallopt(M_MMAP_THRESHOLD, 512 << 10);
    mallopt(M_TRIM_THRESHOLD, 2 << 20);
#endif
}

/// Gives freed memory back to the system: after work that has taken much of it, and is seldom done.
static inline void concordance_http_return_memory(void) {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

/// The address of a connection's client; NULL if it is unknown.
static inline const struct sockaddr *concordance_http_client(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info == NULL ? NULL : info->client_addr;
}

/// Bytes of a request's line and headers.
static inline size_t concordance_http_header_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info == NULL ? 0 : info->header_size;
}

// Constants and functions that take them: they are enumerations, which Swift names in ways that differ with the library's
// version.

static inline enum MHD_Result concordance_http_yes(void) { return MHD_YES; }
static inline enum MHD_Result concordance_http_no(void) { return MHD_NO; }

/// A header of a request; NULL if it has none of that name.
static inline const char *concordance_http_header(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/// A name, and how many headers have it.
struct concordance_http_count {
    const char *name;
    int count;
};

static inline enum MHD_Result concordance_http_note(
    void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
    struct concordance_http_count *sought = (struct concordance_http_count *)context;
    (void)kind;
    (void)value;
    if (strcasecmp(name, sought->name) == 0) sought->count++;
    return MHD_YES;
}

/// How many headers of a request have a name.
static inline int concordance_http_header_count(struct MHD_Connection *connection, const char *name) {
    struct concordance_http_count sought = {name, 0};
    MHD_get_connection_values(connection, MHD_HEADER_KIND, concordance_http_note, &sought);
    return sought.count;
}

/// A response with a copy of these bytes.
static inline struct MHD_Response *concordance_http_response(const void *bytes, size_t count) {
    return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}
