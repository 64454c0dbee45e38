import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText

/// The SQL that notes every change of the tables that an index reads, whatever statement or program makes it.
///
/// Each of these tables has triggers. They write to plain tables only, so that a program without this library can
/// execute them, and name no other table and as few columns as possible, so that `ALTER TABLE` does not fail because of
/// them:
///
/// - After a row was inserted, deleted, or updated, the change is noted in the table `…_changes`: the place of the row
///   in the index, and the values that lead back from there to source rows. For the source table that is the rowid; for
///   a related table, the old and new values of the columns that it is joined by. `IndexChanges` follows the note: at
///   once on a connection of this library, otherwise later, from the rows as they are then. Every place on a path at
///   which something has changed is noted. The one nearest to the source is enough to find the source row, because the
///   path from there on is unchanged. The content of an entry is never computed from OLD and NEW: it is read.
/// - REPLACE deletes rows without firing triggers (unless `recursive_triggers` is on). So before a row is inserted or
///   updated, the rows that it conflicts with are recorded in the table `…_pending`. At that point nothing tells
///   whether the statement will replace, ignore or fail.
/// - Once the row is there, pending rows that no longer exist, or whose place it took, are noted as deleted. A row that
///   still exists may be one that an outer statement has yet to replace, so it stays pending; the last eight are kept.
///
/// Trigger bodies do not use `OR REPLACE` or `OR IGNORE`, which the conflict clause of the outer statement would
/// override. Unlike the rest of a trigger, its `UPDATE OF` list may name columns that do not exist: so it contains all
/// names of the rowid, and columns can still be dropped.
struct IndexTriggers {
    let schema: IndexSchema
    let names: IndexNames
    let tables: [SyncedTable]
    /// How many columns identify a row of the tables, and how many values lead back from one.
    private let keyCount: Int
    private let linkCount: Int

    init(_ schema: IndexSchema, names: IndexNames, in db: Database) throws {
        self.schema = schema
        self.names = names
        tables = try SyncedTable.all(of: schema, in: db)
        keyCount = tables.map(\.rowColumns.count).max() ?? 1
        linkCount = tables.flatMap(\.places).compactMap { $0.steps.last?.joins.count }.max() ?? 0
    }

    /// The table of changes, in the order in which they were made: the place of the row, and the values that lead back
    /// from there.
    var changesTable: SchemaObject {
        let columns = ["id INTEGER PRIMARY KEY", "place INTEGER NOT NULL"] + changeKeys
        return SchemaObject(
            kind: .table, name: names.changes,
            sql: "CREATE TABLE \(names.changes.quotedDatabaseIdentifier)(\(columns.joined(separator: ", ")))")
    }

    /// For each place, a query for the rowids of the source rows that a change belongs to, given its values.
    var waysBack: [String] {
        tables.flatMap { table in table.places.map { wayBack(from: $0, of: table) } }
    }

    /// The table of rows that may be replaced: the place, the row's key, and the values that lead back from it.
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
        let columns = table.updatedColumns.map { " OF " + $0.map(\.quotedDatabaseIdentifier).joined(separator: ", ") }
        var triggers = [
            trigger("insert", "AFTER INSERT", on: table, body: table.places.map { note("NEW", at: $0, of: table) }),
            trigger("delete", "AFTER DELETE", on: table, body: table.places.map { note("OLD", at: $0, of: table) }),
            trigger(
                "update", "AFTER UPDATE\(columns ?? "")", on: table,
                body: table.places.flatMap { place in
                    let isOther = keys(of: place).map { difference(of: $0, in: table) }.joined(separator: " OR ")
                    return [note("OLD", at: place, of: table), note("NEW", at: place, of: table, where: isOther)]
                }),
        ]
        for isUpdate in [false, true] {
            let notes = table.places.map { place in
                (place, table.silentConflicts(at: place, updating: isUpdate).map { "(\($0))" })
            }.filter { !$0.1.isEmpty }
            if notes.isEmpty { continue }
            triggers += replaceTriggers(on: table, notes, isUpdate: isUpdate)
        }
        if table.isInCycle {
            // Deleting a replaced row can also delete the row whose update replaced it, which then fires no other
            // trigger.
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
        let named = isUpdate ? table.conflictSources.map { "NEW.\($0.quotedDatabaseIdentifier)" } : []
        let reading = named.isEmpty ? [] : ["  SELECT \(named.joined(separator: ", "));"]
        return [
            trigger(
                "before\(event)", "BEFORE \(word)", on: table,
                when: """
                    EXISTS (
                    SELECT 1 FROM \(name)
                    WHERE (\(all.joined(separator: "\n    OR ")))\(isOther))
                    """,
                body: reading + [trim] + body),
            replacedTrigger(isUpdate ? .update : .insert, on: table),
        ]
    }

    private enum Event: String {
        case insert, update, delete
    }

    /// Notes pending rows that no longer exist as deleted.
    private func replacedTrigger(_ event: Event, on table: SyncedTable) -> SchemaObject {
        let pending = names.pending.quotedDatabaseIdentifier
        let isGone = isGone(table, at: table.places, after: event)
        return trigger(
            "replacedBy\(event.rawValue.capitalized)", "AFTER \(event.rawValue.uppercased())", on: table,
            when: "EXISTS (SELECT 1 FROM \(pending) WHERE \(isGone))",
            body: table.places.map { place in
                let values = place.steps.isEmpty ? keyColumns.prefix(1) : linkColumns.prefix(keys(of: place).count)
                return note(
                    values.map { "\(pending).\($0)" }, at: place,
                    from: "FROM \(pending) WHERE \(self.isGone(table, at: [place], after: event))")
            } + ["  DELETE FROM \(pending) WHERE \(isGone);"])
    }

    private func trigger(
        _ event: String, _ time: String, on table: SyncedTable, when condition: String? = nil, body: [String]
    ) -> SchemaObject {
        let name = "\(names.table)_\(table.table.name)_\(event)"
        return SchemaObject(
            kind: .trigger, name: name,
            sql: """
                CREATE TRIGGER \(name.quotedDatabaseIdentifier)
                -- \(names.triggerMark) install() makes it anew: do not edit.
                \(time) ON \(table.table.name.quotedDatabaseIdentifier)\(condition.map { "\nWHEN \($0)" } ?? "")
                BEGIN
                \(body.joined(separator: "\n"))
                END
                """)
    }

    // MARK: Conditions

    private var keyColumns: [String] { (1...max(1, keyCount)).map { "key\($0)" } }
    private var linkColumns: [String] { (1...max(1, linkCount)).map { "link\($0)" } }

    /// Whether a column was changed. `IS NOT` alone would use the column's collation, and would treat an integer as the
    /// same as the equal real number (only a column without affinity can hold both).
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

    /// Whether a pending row of the table no longer exists, or the row of NEW has taken its place.
    private func isGone(_ table: SyncedTable, at places: [SyncedTable.Place], after event: Event) -> String {
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
            // A row that is updated in place has not taken the place of another.
            isGone += " AND NOT (" + columns.map { "OLD.\($0) IS NEW.\($0)" }.joined(separator: " AND ") + ")"
        }
        let numbers = places.map { String($0.number) }.joined(separator: ", ")
        return "\(pending).place IN (\(numbers)) AND (\n    \(isGone))"
    }

    // MARK: Notes

    private var changeKeys: [String] { (1...max(1, linkCount)).map { "key\($0)" } }

    /// The columns of a row at a place that lead back from it: the rowid of a source row, or the columns of the last
    /// join.
    private func keys(of place: SyncedTable.Place) -> [String] {
        place.steps.last.map { $0.joins.map(\.own) } ?? [schema.rowID]
    }

    /// Notes a change of OLD or NEW.
    private func note(
        _ row: String, at place: SyncedTable.Place, of table: SyncedTable, where condition: String? = nil
    ) -> String {
        note(
            keys(of: place).map { "\(row).\($0.quotedDatabaseIdentifier)" }, at: place,
            from: condition.map { "WHERE \($0)" })
    }

    private func note(_ values: [String], at place: SyncedTable.Place, from source: String?) -> String {
        let columns = (["place"] + changeKeys.prefix(values.count)).joined(separator: ", ")
        let values = ([String(place.number)] + values).joined(separator: ", ")
        let row = source.map { "\n  SELECT \(values) \($0)" } ?? " VALUES (\(values))"
        return "  INSERT INTO \(names.changes.quotedDatabaseIdentifier)(\(columns))\(row);"
    }

    // MARK: The way back

    /// A query for the source rows that a change at a place belongs to; its parameters are the values of the note.
    private func wayBack(from place: SyncedTable.Place, of table: SyncedTable) -> String {
        guard !place.steps.isEmpty else { return "SELECT ?1" }
        let values = place.collations.enumerated().map { "?\($0 + 1) COLLATE \($1.quotedDatabaseIdentifier)" }
        return sourceRows(from: place, values: values, of: table)
    }

    /// A query for the source rows whose path leads to the values that the last step joins by.
    private func sourceRows(
        from place: SyncedTable.Place, values: [String], of ownTable: SyncedTable
    ) -> String {
        let source = schema.source.quotedDatabaseIdentifier
        let steps = place.steps
        func alias(_ index: Int) -> String { ResolvedRelation.alias(index, source: schema.source) }
        var tables: [String] = []
        var conditions: [String] = []
        for index in steps.indices.reversed() {
            let previous = index == 0 ? source : alias(index - 1)
            let table = index == 0 ? source : "\(steps[index - 1].table.quotedDatabaseIdentifier) AS \(previous)"
            tables.append("main.\(table)")
            for (number, join) in steps[index].joins.enumerated() {
                let column = "\(previous).\(join.previous.quotedDatabaseIdentifier)"
                if index == steps.count - 1 {
                    conditions.append(
                        equality(
                            values[number], ownTable.affinity(of: join.own), column,
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

    /// Whether a value equals a column under the comparison rules of the column that the value comes from: a parameter
    /// has no affinity, so a column of another affinity would be compared differently than in the source.
    private func equality(_ value: String, _ own: Affinity, _ column: String, _ other: Affinity) -> String {
        let equality = "\(value) = \(column)"
        switch (own, other) {
        case (.numeric, .text), (.numeric, .blob): return "(\(equality) OR \(value) = CAST(\(column) AS NUMERIC))"
        case (.text, .blob): return "(\(equality) OR \(value) = CAST(\(column) AS TEXT))"
        default: return equality
        }
    }
}
