import ConcordanceText

extension IndexSchema {
    /// The full-text table.
    var table: String { definition.name }
    /// The view with what the full-text table must hold.
    var sourceView: String { definition.name + "_source" }

    /// The view's column with the rowid of the full-text table. No field can have this name.
    static let viewRowID = "rowid"

    /// `CREATE VIRTUAL TABLE "name" USING fts5(…)`
    func createTableSQL(name: String) -> String {
        """
        CREATE VIRTUAL TABLE \(name.quotedDatabaseIdentifier) \
        USING \(definition.engine.moduleName)(\(moduleArguments.joined(separator: ", ")))
        """
    }

    /// `CREATE VIEW "name"(rowid, …) AS SELECT …`: NULL as an empty text in each indexed field.
    func createViewSQL(name: String) -> String {
        let columns = [Self.viewRowID] + definition.fields.map(\.name.quotedDatabaseIdentifier)
        return """
            CREATE VIEW \(name.quotedDatabaseIdentifier)(\(columns.joined(separator: ", "))) AS
            SELECT
              \(([sourceRowIDSQL] + fieldSQL).joined(separator: ",\n  "))
            FROM \(source.quotedDatabaseIdentifier)
            """
    }

    /// The rowid of the source table in the view: `"reminders".rowid`.
    var sourceRowIDSQL: String { "\(source.quotedDatabaseIdentifier).\(rowID.quotedDatabaseIdentifier)" }

    /// What the content of the index depends on. Two definitions with one fingerprint have the same content.
    var fingerprint: String { [createTableSQL(name: ""), createViewSQL(name: "")].joined(separator: "\n") }
}

extension ResolvedRelation {
    /// The texts of the related rows of one source row as one text:
    ///
    /// ```sql
    /// (SELECT group_concat(text, ',') FROM (
    ///   SELECT r2."title" AS text FROM "reminderTags" AS r1 JOIN "tags" AS r2 ON r2."id" = r1."tagID"
    ///   WHERE r1."reminderID" = "reminders"."id" ORDER BY r1.rowid, r2.rowid))
    /// ```
    ///
    /// SQLite keeps the order of a subquery for group_concat (`ORDER BY` inside the call came with 3.44 only).
    func sql(source: String) -> String {
        let aliases = steps.indices.map { Self.alias($0, source: source) }
        var from = ""
        var conditions: [String] = []
        for (index, step) in steps.enumerated() {
            let previous = index == 0 ? source.quotedDatabaseIdentifier : aliases[index - 1]
            let equalities = step.joins.map {
                """
                \(aliases[index]).\($0.own.quotedDatabaseIdentifier) = \(previous).\($0.previous.quotedDatabaseIdentifier)
                """
            }.joined(separator: " AND ")
            let table = "\(step.table.quotedDatabaseIdentifier) AS \(aliases[index])"
            if index == 0 {
                from = table
                conditions.append(equalities)
            } else {
                from += " JOIN \(table) ON \(equalities)"
            }
        }
        let last = aliases.last ?? ""
        var order = order.map { ["\(last).\($0.quotedDatabaseIdentifier)"] } ?? []
        for (index, step) in steps.enumerated() {
            order += step.rowOrder.map { "\(aliases[index]).\($0.quotedDatabaseIdentifier)" }
        }
        let text = "\(last).\(column.quotedDatabaseIdentifier)"
        let sorting = order.isEmpty ? "" : " ORDER BY \(order.joined(separator: ", "))"
        return """
            (SELECT group_concat(text, \(separator.quotedDatabaseString)) FROM (
                SELECT CAST(\(text) AS TEXT) AS text FROM \(from)
                WHERE \(conditions.joined(separator: " AND "))\(sorting)))
            """
    }

    /// The name of a step in the query: `r1`, `r2`; longer where the source table is called so.
    static func alias(_ index: Int, source: String) -> String {
        let name = "r\(index + 1)"
        return source.equalsIgnoringASCIICase(name) ? name + "_" : name
    }
}
