import CConcordanceSQLite
import ConcordanceSQLite

/// An auxiliary function of FTS5 written in Swift, which is called for a row that matches, and sees how the row
/// matches.
///
/// ```swift
/// let matchCount = FTS5AuxiliaryFunction("matchcount") { context, _ in try context.instanceCount }
/// try db.add(auxiliaryFunction: matchCount)
/// // SELECT matchcount(documents) FROM documents WHERE documents MATCH 'sqlite'
/// ```
///
/// It can rank rows as well: see `FTS5RankFunction.auxiliary`.
public struct FTS5AuxiliaryFunction: Sendable {
    /// Called with what FTS5 knows about the row and its match, and with the arguments after the table's name.
    ///
    /// If it throws an error, the statement throws the same error.
    public typealias Body =
        @Sendable (_ context: FTS5AuxiliaryContext, _ arguments: [DatabaseValue]) throws -> (
            any DatabaseValueConvertible
        )?

    /// The name in SQL. It replaces an earlier function with that name, even one of SQLite's.
    public let name: String
    fileprivate let body: Body

    /// Creates a function with any number of arguments.
    public init(_ name: String, _ body: @escaping Body) {
        self.name = name
        self.body = body
    }
}

extension Database {
    /// Adds an auxiliary function to the connection, for tables of FTS5 and of the module `concordance`.
    ///
    /// - Throws: `FTS5Error.invalidName`; `DatabaseError`.
    public func add(auxiliaryFunction function: FTS5AuxiliaryFunction) throws {
        try FTS5.add(function, library: FTS5Connection.of(self).library)
        // A compiled statement keeps the function that had the name at that time.
        freeCachedStatements()
    }
}

extension FTS5 {
    /// Adds an auxiliary function to a connection of another library.
    ///
    /// - Parameter connection: An open `sqlite3*`, which no other thread uses during the call.
    /// - Throws: `FTS5Error.invalidName`; `DatabaseError`.
    package static func add(auxiliaryFunction function: FTS5AuxiliaryFunction, to connection: OpaquePointer) throws {
        try add(function, library: FTS5Library(connection: connection))
    }

    fileprivate static func add(_ function: FTS5AuxiliaryFunction, library: FTS5Library) throws {
        try function.name.validateAsName()
        let code = library.add(
            function: function.name, makeContext: { Unmanaged.passRetained(FunctionBox(function)).toOpaque() },
            function: { api, fts, result, count, values in
                guard let api, let fts, let function = api.pointee.xUserData?(fts) else { return }
                Unmanaged<FunctionBox>.fromOpaque(function).takeUnretainedValue()
                    .call(api, fts, result, DatabaseValue.array(count, values))
            },
            destroy: { if let function = $0 { Unmanaged<FunctionBox>.fromOpaque(function).release() } })
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}

/// A function, as SQLite holds it.
private final class FunctionBox {
    private let function: FTS5AuxiliaryFunction

    init(_ function: FTS5AuxiliaryFunction) { self.function = function }

    func call(
        _ api: UnsafePointer<Fts5ExtensionApi>, _ fts: OpaquePointer, _ result: OpaquePointer?,
        _ arguments: [DatabaseValue]
    ) {
        let connection = csqlite_context_db_handle(result)
        let context = FTS5AuxiliaryContext(api, fts, connection: connection)
        defer { context.expire() }
        do {
            let value = try function.body(context, arguments)
            try (value?.databaseValueToBind() ?? .null).setResult(of: result)
        } catch {
            Database.setPendingCallbackError(error, on: connection)
            let message = "\(error)"
            csqlite_result_error(result, message, Int32(clamping: message.utf8.count))
        }
    }
}
