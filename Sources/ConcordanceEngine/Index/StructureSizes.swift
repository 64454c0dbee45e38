import ConcordanceSQLite

/// How many bytes a structure of an index uses, without the overhead of SQLite's pages.
package struct StructureSize: Hashable, Sendable {
    /// What it holds.
    package let name: String
    /// Bytes of its rows.
    package let byteCount: Int
    /// How many rows of `<t>_data` it has.
    package let pageCount: Int
}

extension ConcordanceModule {
    /// The sizes of the structures that a table's index has.
    ///
    /// `SELECT id >> 28 & 15, count(*), sum(length(block)) FROM <table>_data GROUP BY 1`, which reads no block.
    ///
    /// - Throws: `DatabaseError`, also if there is no such table.
    package static func structureSizes(of table: String, in db: Database) throws -> [StructureSize] {
        let data = "\(table)_data".quotedDatabaseIdentifier
        var sizes: [String: (bytes: Int, pages: Int)] = [:]
        try db.makeStatement(
            sql: """
                SELECT iif(id >> 32 > 0, id >> 28 & 15, -1), count(*), sum(length(block)) FROM \(data) GROUP BY 1
                """
        ).forEachRow { row in
            let name = UInt8(exactly: row.int64(at: 0)).map(name) ?? "state"
            sizes[name, default: (0, 0)].pages += Int(clamping: row.int64(at: 1))
            sizes[name, default: (0, 0)].bytes += Int(clamping: row.int64(at: 2))
        }
        return names.compactMap { name in
            sizes[name].map { StructureSize(name: name, byteCount: $0.bytes, pageCount: $0.pages) }
        }
    }

    private static let names = [
        "positions", "postings", "bounds", "dictionary", "documents", "values", "removed documents", "small segments",
        "state",
    ]

    private static func name(ofStream stream: UInt8) -> String {
        switch SegmentStream(rawValue: stream) {
        case .header: "small segments"
        case .dictionary, .dictionaryIndex: "dictionary"
        case .postings: "postings"
        case .skips, .skipGroups: "bounds"
        case .positions: "positions"
        case .rowIDs, .lengths, .columnLengths, .fingerprints: "documents"
        case .values: "values"
        case nil: "removed documents"
        }
    }
}
