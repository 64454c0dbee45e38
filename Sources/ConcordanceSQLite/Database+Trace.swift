import CConcordanceSQLite

/// A statement that starts or ends; valid only during the call of the tracer.
public struct TraceEvent: ~Copyable {
    /// What happened.
    public enum Kind: Hashable, Sendable {
        /// The statement starts to run.
        case begin
        /// The statement ends, after this many nanoseconds.
        case end(nanoseconds: Int64)
    }

    /// What happened.
    public let kind: Kind
    fileprivate let statement: OpaquePointer?

    /// The text of the statement, with its parameters.
    public var sql: String { csqlite_sql(statement).map { String(cString: $0) } ?? "" }

    /// The text with its arguments filled in, which may be private; the plain text if that would be too long.
    public var expandedSQL: String {
        guard let text = csqlite_expanded_sql(statement) else { return sql }
        defer { csqlite_free(text) }
        return String(cString: text)
    }
}

extension Database {
    /// Calls `tracer` for each statement that starts or ends; nil stops it.
    public func trace(_ tracer: ((borrowing TraceEvent) -> Void)?) {
        self.tracer = tracer
        guard let handle else { return }
        let events = UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE)
        csqlite_trace_v2(
            handle, tracer == nil ? 0 : events,
            { event, context, statement, detail in
                guard let context, let statement else { return 0 }
                let database = Unmanaged<Database>.fromOpaque(context).takeUnretainedValue()
                let kind: TraceEvent.Kind
                if event == UInt32(SQLITE_TRACE_PROFILE) {
                    kind = .end(nanoseconds: detail?.loadUnaligned(as: Int64.self) ?? 0)
                } else {
                    kind = .begin
                }
                database.tracer?(TraceEvent(kind: kind, statement: OpaquePointer(statement)))
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
