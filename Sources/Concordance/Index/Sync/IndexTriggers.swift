import ConcordanceText

/// The SQL that keeps a full-text table equal to its view, whatever statement changes the tables that the view reads.
///
/// Three kinds of triggers stand on each such table:
///
/// - After a row was inserted, deleted, or updated in a column that the view reads, the entries of the source rows that
///   belong to it are made anew from the view: for the source table the row itself, for a related table what the way
///   back from the row's old and new values leads to. Of the places on that way at which the row may stand the nearest
///   to the source is enough, since the way from there on is as it was; so all of them are tried. Nested changes, those
///   of cascades and of other triggers, may break the way before the trigger runs; then the nested change of the row
///   nearest to the source finds it. What an entry must be is never computed from OLD and NEW: it is read.
/// - REPLACE deletes rows without telling triggers (unless `recursive_triggers` is on). So before a row is inserted or
///   updated, those that it conflicts with are noted in the table `…_pending`, with the columns that lead back to the
///   source. Nothing tells at that point whether the statement replaces, ignores or fails.
/// - After the row is there, noted rows that are gone, or whose place it took, are treated as deleted ones. A noted row
///   that still exists may be one that an outer statement has yet to replace, so it stays; the eight last are kept.
///
/// Trigger bodies use no `OR REPLACE` and `OR IGNORE`: the conflict clause of the outer statement would override them.
/// There are no `UPDATE OF` lists, which pass over `UPDATE … SET rowid`.
struct IndexTriggers {
    let schema: IndexSchema
    let names: IndexNames
    let tables: [SyncedTable]
    private let keyCount: Int
    private let linkCount: Int

    init(_ schema: IndexSchema, names: IndexNames, in db: Database) throws {
        self.schema = schema
        self.names = names
        tables = try SyncedTable.all(of: schema, in: db)
        keyCount = tables.map(\.rowColumns.count).max() ?? 1
        linkCount = tables.flatMap(\.places).compactMap { $0.steps.last?.joins.count }.max() ?? 0
    }

    /// The table of noted rows: the place in the view, the row's key, and the columns that lead back from it.
    var pendingTable: SchemaObject {
        let columns = keyColumns.prefix(keyCount) + linkColumns.prefix(linkCount)
        return SchemaObject(
            kind: .table, name: names.pending,
            sql: """
                CREATE TABLE \(names.pending.quotedDatabaseIdentifier)(n INTEGER PRIMARY KEY, place, \
                \(columns.joined(separator: ", ")))
                """)
    }

    /// The triggers of all tables.
    var triggers: [SchemaObject] { tables.flatMap(triggers(of:)) }

    // MARK: Triggers

    private func triggers(of table: SyncedTable) -> [SchemaObject] {
        let changed = table.columnsRead.map { difference(of: $0, in: table) }.joined(separator: "\n    OR ")
        var triggers = [
            trigger("insert", "AFTER INSERT", on: table, body: reindex(rows(of: table, ["NEW"]))),
            trigger("delete", "AFTER DELETE", on: table, body: reindex(rows(of: table, ["OLD"]))),
            trigger(
                "update", "AFTER UPDATE", on: table, when: changed, body: reindex(rows(of: table, ["OLD", "NEW"]))),
        ]
        for isUpdate in [false, true] {
            let notes = table.places.map { place in
                (place, table.silentConflicts(at: place, updating: isUpdate).map { "(\($0))" })
            }.filter { !$0.1.isEmpty }
            if notes.isEmpty { continue }
            triggers += replaceTriggers(on: table, notes, isUpdate: isUpdate)
        }
        if table.isInCycle {
            // A row that was replaced can take the row with it whose update replaced it, which then has no other trigger.
            triggers.append(replacedTrigger(.delete, on: table))
        }
        return triggers
    }

    private func replaceTriggers(
        on table: SyncedTable, _ notes: [(place: SyncedTable.Place, conflicts: [String])], isUpdate: Bool
    ) -> [SchemaObject] {
        let (event, word) = isUpdate ? ("Update", "UPDATE") : ("Insert", "INSERT")
        let name = table.table.name.quotedDatabaseIdentifier
        let isOther = isUpdate ? "\n    AND NOT (\(isRow("OLD", of: table)))" : ""
        var all: [String] = []
        for condition in notes.flatMap(\.conflicts) where !all.contains(condition) { all.append(condition) }
        let pending = names.pending.quotedDatabaseIdentifier
        let body = notes.map { place, conflicts in
            let links = place.steps.last?.joins.map(\.own) ?? []
            let values = (table.rowColumns + links).map { "\(name).\($0.quotedDatabaseIdentifier)" }
            let columns = keyColumns.prefix(table.rowColumns.count) + linkColumns.prefix(links.count)
            return """
                  INSERT INTO \(pending)(place, \(columns.joined(separator: ", ")))
                  SELECT \(place.number), \(values.joined(separator: ", ")) FROM \(name)
                  WHERE (\(conflicts.joined(separator: "\n    OR ")))\(isOther);
                """
        }
        let places = table.places.map { String($0.number) }.joined(separator: ", ")
        let trim =
            "  DELETE FROM \(pending)\n  WHERE place IN (\(places)) AND n <= (SELECT max(n) FROM \(pending)) - 8;"
        return [
            trigger(
                "before\(event)", "BEFORE \(word)", on: table,
                when: """
                    EXISTS (
                    SELECT 1 FROM \(name)
                    WHERE (\(all.joined(separator: "\n    OR ")))\(isOther))
                    """,
                body: [trim] + body),
            replacedTrigger(isUpdate ? .update : .insert, on: table),
        ]
    }

    private enum Event: String {
        case insert, update, delete
    }

    /// Treats noted rows that are gone as deleted ones.
    private func replacedTrigger(_ event: Event, on table: SyncedTable) -> SchemaObject {
        let pending = names.pending.quotedDatabaseIdentifier
        let isGone = isGone(table, after: event)
        return trigger(
            "replacedBy\(event.rawValue.capitalized)", "AFTER \(event.rawValue.uppercased())", on: table,
            when: "EXISTS (SELECT 1 FROM \(pending) WHERE \(isGone))",
            body: reindex(.query(noted(in: table, where: isGone))) + ["  DELETE FROM \(pending) WHERE \(isGone);"])
    }

    private func trigger(
        _ event: String, _ time: String, on table: SyncedTable, when condition: String? = nil, body: [String]
    ) -> SchemaObject {
        let name = "\(names.table)_\(table.table.name)_\(event)"
        let index = schema.definition.name.quotedDatabaseIdentifier.split(whereSeparator: \.isNewline)
            .joined(separator: " ")
        return SchemaObject(
            kind: .trigger, name: name,
            sql: """
                CREATE TRIGGER \(name.quotedDatabaseIdentifier)
                -- Generated by Concordance for the search index \(index). install() makes it anew: do not edit.
                \(time) ON \(table.table.name.quotedDatabaseIdentifier)\(condition.map { "\nWHEN \($0)" } ?? "")
                BEGIN
                \(body.joined(separator: "\n"))
                END
                """)
    }

    // MARK: Conditions

    private var keyColumns: [String] { (1...max(1, keyCount)).map { "key\($0)" } }
    private var linkColumns: [String] { (1...max(1, linkCount)).map { "link\($0)" } }

    /// Whether a column was changed. `IS NOT` alone would take the column's collation, and an integer for the equal real
    /// number, which only a column without affinity can hold beside it.
    private func difference(of column: String, in table: SyncedTable) -> String {
        let name = column.quotedDatabaseIdentifier
        let collation = table.collatedColumns.contains(column) ? " COLLATE BINARY" : ""
        let difference = "OLD.\(name)\(collation) IS NOT NEW.\(name)"
        guard table.affinity(of: column) == .blob else { return difference }
        return "\(difference)\n    OR typeof(OLD.\(name)) IS NOT typeof(NEW.\(name))"
    }

    /// Whether a row of the table is that of OLD.
    private func isRow(_ row: String, of table: SyncedTable) -> String {
        let name = table.table.name.quotedDatabaseIdentifier
        return table.rowColumns.map { $0.quotedDatabaseIdentifier }
            .map { "\(name).\($0) IS \(row).\($0)" }.joined(separator: " AND ")
    }

    /// Whether a noted row of the table is there no more, or the row of NEW has taken its place.
    private func isGone(_ table: SyncedTable, after event: Event) -> String {
        let pending = names.pending.quotedDatabaseIdentifier
        let name = table.table.name.quotedDatabaseIdentifier
        let columns = table.rowColumns.map(\.quotedDatabaseIdentifier)
        let exists = zip(columns, keyColumns).map { "\(name).\($0) = \(pending).\($1)" }.joined(separator: " AND ")
        var isGone = "NOT EXISTS (SELECT 1 FROM \(name) WHERE \(exists))"
        if event != .delete {
            isGone +=
                "\n    OR " + zip(columns, keyColumns).map { "NEW.\($0) = \(pending).\($1)" }.joined(separator: " AND ")
        }
        if event == .update {
            // A row that is updated where it is has not taken a place.
            isGone += " AND NOT (" + columns.map { "OLD.\($0) IS NEW.\($0)" }.joined(separator: " AND ") + ")"
        }
        let places = table.places.map { String($0.number) }.joined(separator: ", ")
        return "\(pending).place IN (\(places)) AND (\n    \(isGone))"
    }

    // MARK: The way back

    /// Source rows: a few by their rowids, or those of a query.
    private enum SourceRows {
        case rowIDs([String])
        case query(String)
    }

    /// Makes the entries of source rows anew.
    private func reindex(_ rows: SourceRows) -> [String] {
        let condition =
            switch rows {
            case .rowIDs(let ids) where ids.count == 1: "rowid = \(ids[0])"
            case .rowIDs(let ids): "rowid IN (\(ids.joined(separator: ", ")))"
            case .query(let query): "rowid IN (\n    \(query))"
            }
        let columns = names.columns(of: schema.definition)
        let table = names.table.quotedDatabaseIdentifier
        return [
            "  DELETE FROM \(table) WHERE \(condition);",
            """
              INSERT INTO \(table)(\(columns))
              SELECT \(columns) FROM \(names.view.quotedDatabaseIdentifier) WHERE \(condition);
            """,
        ]
    }

    /// The source rows that a row of the table, with old or new values, belongs to.
    private func rows(of table: SyncedTable, _ rows: [String]) -> SourceRows {
        let rowID = schema.rowID.quotedDatabaseIdentifier
        if table.places.allSatisfy(\.steps.isEmpty) { return .rowIDs(rows.map { "\($0).\(rowID)" }) }
        let queries = table.places.flatMap { place in
            rows.map { row in
                guard let step = place.steps.last else { return "SELECT \(row).\(rowID)" }
                let values = step.joins.map { "\(row).\($0.own.quotedDatabaseIdentifier)" }
                return sourceRows(from: place, values: values, of: table)
            }
        }
        return .query(queries.joined(separator: "\n    UNION "))
    }

    /// The source rows that noted rows of the table belong to.
    private func noted(in table: SyncedTable, where condition: String) -> String {
        let pending = names.pending.quotedDatabaseIdentifier
        return table.places.map { place in
            let isHere = "\(pending).place = \(place.number) AND \(condition)"
            guard !place.steps.isEmpty else { return "SELECT key1 FROM \(pending) WHERE \(isHere)" }
            let values = zip(linkColumns, place.collations).map {
                "\(pending).\($0) COLLATE \($1.quotedDatabaseIdentifier)"
            }
            return sourceRows(from: place, values: values, of: table, joining: pending) + " AND " + isHere
        }.joined(separator: "\n    UNION ")
    }

    /// A query for the source rows from which the way leads to the values that the last step joins by.
    private func sourceRows(
        from place: SyncedTable.Place, values: [String], of table: SyncedTable, joining other: String? = nil
    ) -> String {
        let source = schema.source.quotedDatabaseIdentifier
        let steps = place.steps
        func alias(_ index: Int) -> String { ResolvedRelation.alias(index, source: schema.source) }
        var tables = [other].compactMap(\.self)
        var conditions: [String] = []
        for index in steps.indices.reversed() {
            let previous = index == 0 ? source : alias(index - 1)
            tables.append(index == 0 ? source : "\(steps[index - 1].table.quotedDatabaseIdentifier) AS \(previous)")
            for (number, join) in steps[index].joins.enumerated() {
                let column = "\(previous).\(join.previous.quotedDatabaseIdentifier)"
                if index == steps.count - 1 {
                    conditions.append(
                        equality(
                            values[number], table.affinity(of: join.own), column,
                            affinity(of: join.previous, before: index, in: steps)))
                } else {
                    conditions.append("\(alias(index)).\(join.own.quotedDatabaseIdentifier) = \(column)")
                }
            }
        }
        return """
            SELECT \(source).\(schema.rowID.quotedDatabaseIdentifier) FROM \(tables.joined(separator: ", ")) \
            WHERE \(conditions.joined(separator: " AND "))
            """
    }

    private func affinity(of column: String, before index: Int, in steps: [ResolvedStep]) -> Affinity {
        let name = index == 0 ? schema.source : steps[index - 1].table
        return tables.first { $0.table.name == name }?.affinity(of: column) ?? .blob
    }

    /// Whether a value equals a column as the column that the value comes from would: a value of OLD or NEW has no
    /// affinity, so that a column of another affinity would be compared otherwise than in the view.
    private func equality(_ value: String, _ own: Affinity, _ column: String, _ other: Affinity) -> String {
        let equality = "\(value) = \(column)"
        switch (own, other) {
        case (.numeric, .text), (.numeric, .blob): return "(\(equality) OR \(value) = CAST(\(column) AS NUMERIC))"
        case (.text, .blob): return "(\(equality) OR \(value) = CAST(\(column) AS TEXT))"
        default: return equality
        }
    }
}
