import ConcordanceText

/// What a column does to the values that are put into it, as far as comparisons are concerned
/// (https://www.sqlite.org/datatype3.html, sections 3.1 and 4.2).
enum Affinity {
    /// INTEGER, REAL, NUMERIC.
    case numeric
    case text
    /// None: values stay what they are.
    case blob

    /// - Parameter type: The declared type of a column.
    init(declaredType type: String) {
        let type = type.uppercased()
        func has(_ words: String...) -> Bool { words.contains { type.contains($0) } }
        if has("INT") {
            self = .numeric
        } else if has("CHAR", "CLOB", "TEXT") {
            self = .text
        } else if has("BLOB") || type.isEmpty {
            self = .blob
        } else {
            self = .numeric
        }
    }
}

extension SyncedTable {
    /// The affinity of a column; that of the rowid is numeric.
    func affinity(of column: String) -> Affinity {
        table.columns.first { $0.name == column }.map { Affinity(declaredType: $0.type) } ?? .numeric
    }
}
