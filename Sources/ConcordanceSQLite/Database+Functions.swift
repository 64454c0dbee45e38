import CConcordanceSQLite

extension Database {
    /// Adds a function to this connection, replacing one with the same name and number of arguments.
    /// - Throws: SQLITE_MISUSE for a name or a number of arguments that SQLite does not accept; SQLITE_BUSY while a
    ///   statement that could use the function is running.
    public func add(function: DatabaseFunction) throws {
        let implementation: FunctionContext
        switch function.implementation {
        case .scalar(let body): implementation = FunctionContext(scalar: body, aggregate: nil)
        case .aggregate(let type): implementation = FunctionContext(scalar: nil, aggregate: type)
        }
        let count = try argumentCount(of: function)
        let connection = try sqliteConnection
        let flags =
            SQLITE_UTF8 | (function.isPure ? SQLITE_DETERMINISTIC : 0)
            | (function.isInnocuous ? SQLITE_INNOCUOUS : unsafeFlags)
        let context = Unmanaged.passRetained(implementation).toOpaque()
        // SQLite calls the destructor on failure, too.
        let destroy: @convention(c) (UnsafeMutableRawPointer?) -> Void = {
            if let context = $0 { Unmanaged<FunctionContext>.fromOpaque(context).release() }
        }
        let code =
            switch function.implementation {
            case .scalar:
                csqlite_create_function_v2(
                    connection, function.name, count, flags, context,
                    { FunctionContext.call($0, $1, $2) }, nil, nil, destroy)
            case .aggregate(is any DatabaseWindowAggregate.Type):
                csqlite_create_window_function(
                    connection, function.name, count, flags, context,
                    { FunctionContext.step($0, $1, $2) }, { FunctionContext.finalize($0) },
                    { FunctionContext.value($0) }, { FunctionContext.inverse($0, $1, $2) }, destroy)
            case .aggregate:
                csqlite_create_function_v2(
                    connection, function.name, count, flags, context, nil,
                    { FunctionContext.step($0, $1, $2) }, { FunctionContext.finalize($0) }, destroy)
            }
        try check(code)
    }

    /// Removes the function with that name and number of arguments.
    public func remove(function: DatabaseFunction) throws {
        let count = try argumentCount(of: function)
        try check(
            csqlite_create_function_v2(
                try sqliteConnection, function.name, count, SQLITE_UTF8, nil, nil, nil, nil, nil))
    }

    /// SQLite's number of arguments, -1 for any.
    private func argumentCount(of function: DatabaseFunction) throws -> Int32 {
        try function.name.validateForSQLite("function")
        guard let count = function.argumentCount else { return -1 }
        guard count >= 0, let result = Int32(exactly: count) else {
            throw DatabaseError.misuse("function \(function.name) cannot take \(count) arguments")
        }
        return result
    }

    /// Makes the function or column that SQLite asks a callback for fail with `error`, which the statement rethrows.
    package static func fail(_ context: OpaquePointer?, with error: any Error) {
        setPendingCallbackError(error, on: csqlite_context_db_handle(context))
        csqlite_result_error(context, callbackText(error), -1)
        if error is DatabaseError { csqlite_result_error_code(context, callbackCode(error)) }
    }
}

/// What SQLite holds for a function: its implementation, and the C functions that lead to it.
private final class FunctionContext {
    typealias Scalar = @Sendable ([DatabaseValue]) throws -> (any DatabaseValueConvertible)?

    let scalar: Scalar?
    let aggregate: (any DatabaseAggregate.Type)?

    init(scalar: Scalar?, aggregate: (any DatabaseAggregate.Type)?) {
        self.scalar = scalar
        self.aggregate = aggregate
    }

    typealias Values = UnsafeMutablePointer<OpaquePointer?>?

    static func of(_ context: OpaquePointer?) -> FunctionContext? {
        csqlite_user_data(context).map { Unmanaged<FunctionContext>.fromOpaque($0).takeUnretainedValue() }
    }

    static func call(_ context: OpaquePointer?, _ count: Int32, _ values: Values) {
        setResult(context) { try of(context)?.scalar?(DatabaseValue.array(count, values)) }
    }

    static func step(_ context: OpaquePointer?, _ count: Int32, _ values: Values) {
        withGroup(context) { group in
            let values = DatabaseValue.array(count, values)
            try group.aggregate?.step(values)
            try group.window?.step(values)
        }
    }

    static func inverse(_ context: OpaquePointer?, _ count: Int32, _ values: Values) {
        withGroup(context) { try $0.window?.inverse(DatabaseValue.array(count, values)) }
    }

    static func value(_ context: OpaquePointer?) {
        withGroup(context) { group in setResult(context) { try group.window?.value() } }
    }

    static func finalize(_ context: OpaquePointer?) {
        // SQLite has allocated no memory for a group without rows.
        let memory = csqlite_aggregate_context(context, 0)?.assumingMemoryBound(to: UnsafeRawPointer?.self)
        guard let pointer = memory?.pointee else {
            return setResult(context) { try of(context)?.aggregate?.init().finalize() }
        }
        let group = Unmanaged<Group>.fromOpaque(pointer).takeRetainedValue()
        if !group.hasFailed { setResult(context) { try (group.window ?? group.aggregate)?.finalize() } }
    }

    /// The instance for one group of rows. The memory that SQLite allocates for the group holds a pointer to it.
    private final class Group {
        var aggregate: (any DatabaseAggregate)?
        /// Used instead of `aggregate`: it is changed in place, since copying it could cost as much as the window is
        /// long.
        var window: (any DatabaseWindowAggregate)?
        var hasFailed = false

        init(_ type: any DatabaseAggregate.Type) {
            if let type = type as? any DatabaseWindowAggregate.Type {
                window = type.init()
            } else {
                aggregate = type.init()
            }
        }
    }

    private static func withGroup(_ context: OpaquePointer?, _ body: (Group) throws -> Void) {
        let size = Int32(MemoryLayout<UnsafeRawPointer?>.size)
        guard let memory = csqlite_aggregate_context(context, size)?.assumingMemoryBound(to: UnsafeRawPointer?.self)
        else { return csqlite_result_error_nomem(context) }
        let group: Group
        if let pointer = memory.pointee {
            group = Unmanaged<Group>.fromOpaque(pointer).takeUnretainedValue()
        } else {
            guard let type = of(context)?.aggregate else { return }
            group = Group(type)
            memory.pointee = UnsafeRawPointer(Unmanaged.passRetained(group).toOpaque())
        }
        do {
            try body(group)
        } catch {
            group.hasFailed = true
            Database.fail(context, with: error)
        }
    }

    private static func setResult(
        _ context: OpaquePointer?, _ body: () throws -> (any DatabaseValueConvertible)?
    ) {
        do {
            (try body()?.databaseValueToBind() ?? .null).setResult(of: context)
        } catch {
            Database.fail(context, with: error)
        }
    }
}
