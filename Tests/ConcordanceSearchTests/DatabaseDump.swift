import Concordance

/// Everything in a database, for comparison before and after.
enum DatabaseDump {
    /// The schema and every row of every table of `main`, shadow tables included.
    static func of(_ db: Database) throws -> [String] {
        var lines: [String] = []
        for row in try Row.fetchAll(db, sql: "SELECT type, name, tbl_name, sql FROM main.sqlite_schema ORDER BY 1, 2") {
            lines.append("\(row)")
            guard row["type"] as String? == "table", let name: String = row["name"] else { continue }
            let rows = try Row.fetchAll(db, sql: "SELECT * FROM main.\(name.quotedDatabaseIdentifier)")
            lines += rows.map { "  \($0)" }
        }
        return lines
    }
}
