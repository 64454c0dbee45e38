import DifferentialFuzzing

/// All that a case recorded from FTS5 may find otherwise in another module.
enum ConformanceMapping {
    /// Cases that assert FTS5's private storage, and why that does not exist elsewhere.
    static let exclusions: [String: String] = [:]

    /// What a module gave, in FTS5's words.
    static func normalize(_ result: SQLResult, of module: FullTextModule) -> SQLResult { result }
}
