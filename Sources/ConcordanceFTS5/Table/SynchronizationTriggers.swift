import ConcordanceSQLite

/// The SQL that applies every change of a content table to an FTS5 table, whatever statement makes it.
///
/// FTS5 removes a row from its index by the texts that it was indexed with. Triggers read them from OLD, except those
/// of rows that REPLACE deletes: no trigger fires for them, unless `recursive_triggers` is on. So:
///
/// - Before a row is inserted or updated, each row that it conflicts with is noted, with its rowid and texts, in the
///   table `…_pending`. At that point nothing tells whether the statement will replace, ignore, update or fail.
/// - After any change, noted rows that no longer exist, or whose rowid the new row has, are removed from the index.
///
/// A note says what the index holds of a row: when triggers follow an update of the row, they update the note, and
/// before a deletion that fires triggers, they discard it. So an unneeded note does no harm. The last eight are kept,
/// since a statement inside another must not discard those of the outer one. A note is valid in the call of
/// `sqlite3_step()` that made it, during which, as SQLite documents, the current time does not change: later, rows may
/// have been renumbered, and the index rebuilt.
///
/// Trigger bodies do not use `OR REPLACE` or `OR IGNORE`, which the conflict clause of the outer statement would
/// override. They name tables without their schema, as SQLite requires.
struct SynchronizationTriggers {
    private let names: SynchronizationNames
    private let content: SynchronizedTable
    /// The indexed columns.
    private let columns: [String]

    private let index: String
    private let source: String
    private let pending: String
    private let rowID: String

    init(table: QualifiedName, content: SynchronizedTable, columns: [String]) {
        names = SynchronizationNames(QualifiedName(table.name, in: content.schema))
        self.content = content
        self.columns = columns
        index = table.name.quotedDatabaseIdentifier
        source = content.name.quotedDatabaseIdentifier
        pending = names.pending.name.quotedDatabaseIdentifier
        rowID = content.rowID.quotedDatabaseIdentifier
    }

    /// The statements that create all of this.
    var sql: [String] {
        let tables = ["CREATE TABLE \(names.pending.sql)(n INTEGER PRIMARY KEY, time, \(noteColumns))"]
        // An index, even an empty one, keeps VACUUM from renumbering the rows.
        let indexes = content.keepsRowIDs ? [] : ["CREATE INDEX \(names.rowIDs.sql) ON \(source)(0) WHERE 0"]
        return tables + indexes + [
            beforeInsert, beforeUpdate, beforeDelete, afterInsert, afterDelete, afterUpdate, afterReplacingUpdate,
        ]
    }

    // MARK: Before a change

    private var beforeInsert: String {
        trigger(.beforeInsert, "BEFORE INSERT", when: conflicts(), [trim(), note()])
    }

    private var beforeUpdate: String {
        let isOther = "\(source).\(rowID) IS NOT OLD.\(rowID)"
        // What follows from a row's new number may need the old one before the trigger after the update runs.
        let isRenumbered = "OLD.\(rowID) IS NOT NEW.\(rowID)"
        let hasNote = "EXISTS (SELECT 1 FROM \(pending) WHERE id = OLD.\(rowID))"
        let read = content.keys.flatMap(\.columnsRead).reduce(into: [String]()) { names, name in
            if !names.contains(name) { names.append(name) }
        }
        let named = content.conflictSources.map { "NEW.\($0.quotedDatabaseIdentifier)" }
        return trigger(
            .beforeUpdate,
            named.isEmpty
                ? "BEFORE UPDATE OF \(read.map(\.quotedDatabaseIdentifier).joined(separator: ", "))" : "BEFORE UPDATE",
            when: "\(conflicts(isOther))\n  OR \(isRenumbered) AND \(hasNote)",
            (named.isEmpty ? [] : ["SELECT \(named.joined(separator: ", "));"])
                + [trim(or: "id = OLD.\(rowID) AND \(isRenumbered)"), note(isOther)])
    }

    private var beforeDelete: String {
        let isNoted = "id = OLD.\(rowID)"
        return trigger(
            .beforeDelete, "BEFORE DELETE", when: "EXISTS (SELECT 1 FROM \(pending) WHERE \(isNoted))",
            ["DELETE FROM \(pending) WHERE \(isNoted);"])
    }

    /// Whether there are rows that share something with NEW that must be unique.
    private func conflicts(_ condition: String? = nil) -> String {
        let condition = condition.map { " AND \($0)" } ?? ""
        return content.keys.map { "EXISTS (SELECT 1 FROM \(source) WHERE \($0.matchesNew)\(condition))" }
            .joined(separator: "\n  OR ")
    }

    /// Notes these rows. Each key has a query of its own, which uses its index.
    private func note(_ condition: String? = nil) -> String {
        let values = ([content.rowID] + columns).map { "\(source).\($0.quotedDatabaseIdentifier)" }
        let rows = content.keys.map { "SELECT \(source).\(rowID) FROM \(source) WHERE \($0.matchesNew)" }
        let condition = condition.map { "\n    AND \($0)" } ?? ""
        return """
            INSERT INTO \(pending)(time, \(noteColumns))
              SELECT \(now), \(values.joined(separator: ", ")) FROM \(source)
              WHERE \(source).\(rowID) IN (
                \(rows.joined(separator: "\n    UNION ALL ")))\(condition)
                AND NOT EXISTS (SELECT 1 FROM \(pending) WHERE time = \(now) AND id = \(source).\(rowID));
            """
    }

    private func trim(or condition: String? = nil) -> String {
        "DELETE FROM \(pending) WHERE n <= (SELECT max(n) FROM \(pending)) - 8\(condition.map { " OR \($0)" } ?? "");"
    }

    // MARK: After a change

    private var afterInsert: String {
        trigger(.afterInsert, "AFTER INSERT", removeReplaced("id = NEW.\(rowID)") + [insertNew])
    }

    private var afterDelete: String {
        trigger(.afterDelete, "AFTER DELETE", removeReplaced() + [deleteOld])
    }

    private var afterUpdate: String {
        let texts = zip(noteTexts, columns).map { "\($0) = NEW.\($1.quotedDatabaseIdentifier)" }
        let follow = "UPDATE \(pending) SET \(texts.joined(separator: ", ")) WHERE id = NEW.\(rowID);"
        return trigger(
            .afterUpdate, "AFTER UPDATE", when: "(\(contents("OLD"))) IS NOT (\(contents("NEW")))",
            removeReplaced(takenByUpdate) + [deleteOld, insertNew] + (columns.isEmpty ? [] : [follow]))
    }

    /// An update that changes no text can also replace a row.
    private var afterReplacingUpdate: String {
        trigger(
            .afterReplacingUpdate, "AFTER UPDATE",
            when: "EXISTS (SELECT 1 FROM \(pending) WHERE \(isReplaced(takenByUpdate)))", removeReplaced(takenByUpdate))
    }

    private var takenByUpdate: String { "id = NEW.\(rowID) AND NEW.\(rowID) IS NOT OLD.\(rowID)" }

    /// Removes noted rows from the index that no longer exist, or whose rowid the new row has.
    private func removeReplaced(_ isTaken: String? = nil) -> [String] {
        [
            """
            INSERT INTO \(index)(\(index), \(indexColumns))
              SELECT 'delete', \(noteColumns) FROM \(pending)
              WHERE \(isReplaced(isTaken));
            """,
            "DELETE FROM \(pending)\n  WHERE \(isReplaced(isTaken));",
        ]
    }

    private func isReplaced(_ isTaken: String?) -> String {
        let isGone = "NOT EXISTS (SELECT 1 FROM \(source) WHERE \(source).\(rowID) = \(pending).id)"
        return "time = \(now) AND \(isTaken.map { "(\(isGone) OR \($0))" } ?? isGone)"
    }

    private var deleteOld: String {
        "INSERT INTO \(index)(\(index), \(indexColumns)) VALUES ('delete', \(values("OLD")));"
    }

    private var insertNew: String { "INSERT INTO \(index)(\(indexColumns)) VALUES (\(values("NEW")));" }

    // MARK: Parts

    private var now: String { "julianday('now')" }
    private var noteTexts: [String] { columns.indices.map { "c\($0)" } }
    private var noteColumns: String { (["id"] + noteTexts).joined(separator: ", ") }
    private var indexColumns: String { (["rowid"] + columns.map(\.quotedDatabaseIdentifier)).joined(separator: ", ") }

    private func values(_ row: String) -> String {
        ([content.rowID] + columns).map { "\(row).\($0.quotedDatabaseIdentifier)" }.joined(separator: ", ")
    }

    /// What the index holds of a row. FTS5 sees the text of a value, so texts are compared: 1 differs from 1.0, and no
    /// collation makes a equal to A.
    private func contents(_ row: String) -> String {
        let texts = columns.map { "CAST(\(row).\($0.quotedDatabaseIdentifier) AS TEXT) COLLATE BINARY" }
        return (["\(row).\(rowID)"] + texts).joined(separator: ", ")
    }

    private func trigger(
        _ trigger: SynchronizationNames.Trigger, _ event: String, when condition: String? = nil, _ body: [String]
    ) -> String {
        """
        CREATE TRIGGER \(names.trigger(trigger).sql) \(event) ON \(source)\(condition.map { "\nWHEN \($0)" } ?? "")
        BEGIN
        \(body.map { "  " + $0 }.joined(separator: "\n"))
        END
        """
    }
}

/// The names of the objects that keep an FTS5 table in step with its content.
struct SynchronizationNames {
    /// A trigger, by the suffix of its name.
    enum Trigger: String, CaseIterable {
        case afterInsert = "ai"
        case afterDelete = "ad"
        case afterUpdate = "au"
        case afterReplacingUpdate = "ar"
        case beforeInsert = "bi"
        case beforeDelete = "bd"
        case beforeUpdate = "bu"
    }

    private let table: QualifiedName

    init(_ table: QualifiedName) { self.table = table }

    /// The table of the rows that a statement may be about to replace.
    var pending: QualifiedName { name("pending") }

    /// The empty index of a content table without any index.
    var rowIDs: QualifiedName { name("rowids") }

    func trigger(_ trigger: Trigger) -> QualifiedName { name(trigger.rawValue) }

    private func name(_ end: String) -> QualifiedName { table.sibling("__\(table.name)_\(end)") }
}
