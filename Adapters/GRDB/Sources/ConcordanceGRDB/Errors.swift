import ConcordanceSQLite
import GRDB

/// Runs `body`, and turns SQLite's errors into GRDB's.
func translatingErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch let error as ConcordanceSQLite.DatabaseError {
        throw GRDB.DatabaseError(
            resultCode: GRDB.ResultCode(rawValue: error.extendedResultCode.rawValue), message: error.message,
            sql: error.sql)
    }
}
