import CConcordanceSQLite
import ConcordanceSQLite

/// The result of an SQL script: the rows of all its statements up to the one that failed.
package struct SQLResult: Equatable, Sendable {
    package var rows: [[SQLValue]] = []
    package var error: String?

    /// The result code; 0 if nothing failed.
    package var code: Int32 = 0

    package init(rows: [[SQLValue]] = [], error: String? = nil) {
        self.rows = rows
        self.error = error
    }

    package var isSuccess: Bool { error == nil }
}

extension SQLResult: CustomStringConvertible {
    /// The first rows, or the error.
    package var description: String {
        if let error { return "error \(code): \(error)" }
        let first = rows.prefix(20).map { row in "(\(row.map(\.description).joined(separator: ", ")))" }
        let rest = rows.count > 20 ? " … \(rows.count) rows" : ""
        return first.isEmpty ? "no rows" : first.joined(separator: " ") + rest
    }
}

/// A connection that runs scripts as SQLite's own shell does: statement by statement, ended by the first error.
package final class SQLSession {
    package let database: Database

    /// How many rows a script may return before it fails, since a broken index may return rows without end.
    package static let maximumRowCount = 100_000

    package init(path: String, setUp: (Database) throws -> Void = { _ in }) throws {
        var configuration = Configuration()
        configuration.defensive = false
        configuration.trustedSchema = true
        configuration.foreignKeysEnabled = false
        configuration.busyTimeout = 0
        database = try Database(path: path, configuration: configuration)
        // With extended codes, FTS5 does not know a conflict, and INSERT OR IGNORE fails.
        csqlite_extended_result_codes(try database.sqliteConnection, 0)
        try setUp(database)
    }

    package func close() throws { try database.close() }

    package func run(_ sql: String) -> SQLResult {
        var result = SQLResult()
        do {
            let connection = try database.sqliteConnection
            sql.withCString { start in
                var text: UnsafePointer<CChar>? = start
                while let current = text, current.pointee != 0, result.isSuccess {
                    text = Self.runFirst(current, connection, &result)
                }
            }
        } catch {
            result.error = "\(error)"
            result.code = SQLITE_MISUSE
        }
        return result
    }

    /// Runs the first statement of the text; returns the text after it.
    private static func runFirst(
        _ text: UnsafePointer<CChar>, _ connection: OpaquePointer, _ result: inout SQLResult
    ) -> UnsafePointer<CChar>? {
        var statement: OpaquePointer?
        var tail: UnsafePointer<CChar>?
        var code = csqlite_prepare_v3(connection, text, -1, 0, &statement, &tail)
        if code == SQLITE_OK, let statement {
            repeat {
                code = csqlite_step(statement)
                if code == SQLITE_ROW { result.rows.append(row(of: statement)) }
            } while code == SQLITE_ROW && result.rows.count < maximumRowCount
        }
        if code == SQLITE_ROW {
            result.error = "more than \(maximumRowCount) rows"
            result.code = SQLITE_TOOBIG
        } else if code != SQLITE_OK && code != SQLITE_DONE {
            result.error = csqlite_errmsg(connection).map { String(cString: $0) } ?? ""
            result.code = csqlite_errcode(connection)
        }
        csqlite_finalize(statement)
        return tail
    }

    private static func row(of statement: OpaquePointer) -> [SQLValue] {
        (0..<csqlite_column_count(statement)).map { column in
            switch csqlite_column_type(statement, column) {
            case SQLITE_INTEGER: .integer(csqlite_column_int64(statement, column))
            case SQLITE_FLOAT: .real(csqlite_column_double(statement, column))
            case SQLITE_TEXT: .text(bytes(csqlite_column_text(statement, column), statement, column))
            case SQLITE_BLOB: .blob(bytes(csqlite_column_blob(statement, column), statement, column))
            default: .null
            }
        }
    }

    private static func bytes(
        _ start: UnsafeRawPointer?, _ statement: OpaquePointer, _ column: Int32
    ) -> [UInt8] {
        guard let start else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(csqlite_column_bytes(statement, column))))
    }
}
