import ConcordanceEngine
import ConcordanceSQLite

extension Database {
    /// A database with the engine, in which SQL may write to `<t>_data` and the other tables of a table.
    static func undefended(path: String = ":memory:") throws -> Database {
        var configuration = Configuration()
        configuration.defensive = false
        let db = try Database(path: path, configuration: configuration)
        try ConcordanceModule.register(on: db)
        return db
    }

    /// A copy, whose connection knows nothing of what the tables held before SQL wrote to them.
    func copyWithEngine() throws -> Database {
        let copy = try Database(path: ":memory:")
        try backup(to: copy)
        try ConcordanceModule.register(on: copy)
        return copy
    }
}
