/// What the comparison of an index with its rows has found.
public struct IndexReport: Hashable, Sendable {
    /// What the full-text engine reports about its own tables.
    public enum Structure: Hashable, Sendable {
        /// They are sound.
        case sound
        /// They are not; `rebuild` creates them again.
        case damaged(String)
        /// They were not checked.
        case unchecked
    }

    /// Rows of one kind: their number, and the first ids.
    public struct Rows: Hashable, Sendable {
        /// The number of rows.
        public internal(set) var count = 0
        /// The ids of the first 100 rows.
        public internal(set) var ids: [Int64] = []

        mutating func append(_ id: Int64) {
            count += 1
            if ids.count < 100 { ids.append(id) }
        }
    }

    /// The number of rows and entries that were compared.
    public internal(set) var rowsCompared = 0
    /// Rows that are missing from the index.
    public internal(set) var missing = Rows()
    /// Rows whose text in the index differs.
    public internal(set) var stale = Rows()
    /// Entries of the index whose rows do not exist.
    public internal(set) var surplus = Rows()
    /// Triggers and tables of the index that are missing or were changed, including a full-text table whose ranking
    /// differs from the definition; `install` repairs them.
    public internal(set) var alteredObjects: [String] = []
    /// What the full-text engine reports about its own tables.
    public internal(set) var structure = Structure.unchecked

    /// Whether no row or entry differs, and nothing is altered or damaged.
    public var isClean: Bool {
        if case .damaged = structure { return false }
        return missing.count + stale.count + surplus.count == 0 && alteredObjects.isEmpty
    }
}

extension IndexReport: CustomStringConvertible {
    public var description: String {
        func list(_ name: String, _ rows: Rows) -> String? {
            if rows.count == 0 { return nil }
            let ids = rows.ids.prefix(5).map(String.init).joined(separator: ", ")
            return "\(rows.count) \(name) (\(ids)\(rows.count > 5 ? ", …" : ""))"
        }
        var parts = [list("missing", missing), list("stale", stale), list("surplus", surplus)].compactMap(\.self)
        if !alteredObjects.isEmpty { parts.append("altered: " + alteredObjects.joined(separator: ", ")) }
        if case .damaged(let message) = structure { parts.append("damaged: " + message) }
        return "\(rowsCompared) rows compared: " + (parts.isEmpty ? "clean" : parts.joined(separator: "; "))
    }
}
