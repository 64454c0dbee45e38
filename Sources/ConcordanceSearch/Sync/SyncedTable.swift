import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText

/// A table that an index reads, and its places on the paths from a row of the source table.
struct SyncedTable: Sendable {
    /// A place on such a path.
    struct Place: Sendable {
        /// Distinguishes the places of an index in the table of rows about to be replaced.
        let number: Int
        /// The steps up to this table; none for the source table itself.
        let steps: [ResolvedStep]
        /// The collations of the columns that the last step joins by.
        let collations: [String]
    }

    let table: TableSchema
    let places: [Place]
    /// The columns that the index reads, including the rowid if it matters, in the order of the table.
    let columnsRead: [String]
    /// The columns whose collation treats different texts as equal, which matters when OLD and NEW are compared.
    let collatedColumns: Set<String>
    /// Whether foreign keys lead from the table, directly or through others, back to it: deleting one of its rows may
    /// then change or delete another.
    let isInCycle: Bool
    /// The columns of NEW that a trigger before an update must name to read what rows conflict by.
    let conflictSources: [String]
    private let keys: [UniqueKey]

    /// The columns that identify a row.
    var rowColumns: [String] { table.rowOrder }

    /// The columns whose update matters; nil if every update does, as when a column is generated from others.
    var updatedColumns: [String]? {
        let read = table.columns.filter { columnsRead.contains($0.name) }
        guard read.allSatisfy({ $0.kind == .ordinary }) else { return nil }
        let rowIDs = ["rowid", "_rowid_", "oid"] + [table.rowIDColumn].compactMap(\.self)
        return columnsRead + rowIDs.filter { !columnsRead.contains($0) }
    }

    /// All tables that the index reads, the source table first.
    static func all(of schema: IndexSchema, in db: Database) throws -> [SyncedTable] {
        var order: [String] = [schema.source]
        var places: [String: [[ResolvedStep]]] = [schema.source: [[]]]
        for relation in schema.relations {
            for length in relation.steps.indices.map({ $0 + 1 }) {
                let steps = Array(relation.steps.prefix(length))
                let table = steps[length - 1].table
                if places[table] == nil { order.append(table) }
                // Fields with the same path share its places.
                let known = places[table, default: []]
                if !known.contains(where: { $0.map(\.identity) == steps.map(\.identity) }) {
                    places[table, default: []].append(steps)
                }
            }
        }
        var number = 0
        return try order.map { name in
            let table = try SyncedTable(name, at: places[name] ?? [], from: number, of: schema, in: db)
            number += table.places.count
            return table
        }
    }

    private init(
        _ name: String, at ways: [[ResolvedStep]], from number: Int, of schema: IndexSchema, in db: Database
    ) throws {
        let table = try TableSchema(name, for: schema.definition.name, in: db)
        try Self.validate(table, for: schema.definition.name)
        self.table = table
        places = try ways.enumerated().map { offset, steps in
            Place(
                number: number + offset, steps: steps,
                collations: try (steps.last?.joins ?? []).map { try db.collation(of: $0.own, in: name) })
        }
        let read = schema.columnsRead[name] ?? []
        columnsRead = ([table.rowID].compactMap(\.self) + table.columns.map(\.name)).filter(read.contains)
        collatedColumns = try Set(
            columnsRead.filter { try !db.collation(of: $0, in: name).equalsIgnoringASCIICase("BINARY") })
        keys = try UniqueKey.all(of: table.name, in: "main", rowID: table.rowID, db)
        conflictSources = try UniqueKey.sourcesOfGeneratedColumns(in: keys, of: name, in: "main", db)
        isInCycle = try Self.isInCycle(name, in: db)
    }

    private static func isInCycle(_ name: String, in db: Database) throws -> Bool {
        let pairs = try Row.fetchAll(
            db,
            sql: """
                SELECT lower(m.name), lower(f."table")
                FROM main.sqlite_schema AS m, pragma_foreign_key_list(m.name, 'main') AS f WHERE m.type = 'table'
                """
        ).map { row in (from: row[0] as String? ?? "", to: row[1] as String? ?? "") }
        var reached: Set<String> = []
        var next = [name.lowercasedASCII]
        while let table = next.popLast() {
            for pair in pairs where pair.from == table && reached.insert(pair.to).inserted { next.append(pair.to) }
        }
        return reached.contains(name.lowercasedASCII)
    }

    private static func validate(_ table: TableSchema, for index: String) throws(SearchIndexError) {
        var reason: String?
        if ["old", "new"].contains(where: { table.name.equalsIgnoringASCIICase($0) }) {
            reason = "in triggers, that name refers to a row; rename the table"
        }
        if let reason { throw .unsupportedTable(table.name, index: index, reason: reason) }
    }

    /// Conditions for the rows that a new row, or a row's new values, would replace without anything else reporting the
    /// loss: a statement that resolves a conflict by REPLACE deletes them without firing delete triggers.
    ///
    /// A key that determines the path back to the source rows needs no care: the new row belongs to the same ones as
    /// the replaced one.
    ///
    /// - Parameter updating: Whether the new values come from an update rather than an insert.
    func silentConflicts(at place: Place, updating: Bool) -> [String] {
        keys.filter { key in
            guard let columns = key.columns else { return true }
            // The replaced row may delete the updated one with it; then no trigger fires for the update.
            if updating && isInCycle { return true }
            let isRead = { (column: UniqueKey.Column) in columnsRead.contains(column.name) }
            // Triggers ignore updates of columns that the index does not read.
            let isWatched = key.isRowID ? columns.contains(where: isRead) : columns.allSatisfy(isRead)
            if updating && !isWatched { return true }
            let way = place.steps.last?.joins.map(\.own) ?? [table.rowID ?? ""]
            return !way.allSatisfy { own in columns.contains { $0.name == own && $0.joinsAlike } }
        }
        .map(\.matchesNew)
    }
}

extension ResolvedStep {
    /// Identifies a step: where it leads, and by which columns.
    var identity: [String] { [table] + joins.flatMap { [$0.own, $0.previous] } }
}
