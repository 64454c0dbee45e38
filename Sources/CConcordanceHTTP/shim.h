// MHD_start_daemon takes its options as variadic arguments, which Swift cannot pass.
#include <sys/types.h>
#include <sys/socket.h>
#include <stdint.h>
#include <microhttpd.h>

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
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
        MHD_OPTION_URI_LOG_CALLBACK, options->begin, options->context,
        MHD_OPTION_NOTIFY_COMPLETED, options->complete, options->context,
        MHD_OPTION_END);
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

/// A response with a copy of these bytes.
static inline struct MHD_Response *concordance_http_response(const void *bytes, size_t count) {
    return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}
