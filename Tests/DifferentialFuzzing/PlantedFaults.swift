/// FTS5 with a fault, which proves that the fuzzer finds such faults.
package enum PlantedFaults {
    package static let all: [FullTextModule] = [
        fault("ROLLBACK TO does nothing") { $0.hasPrefix("ROLLBACK TO") ? "SELECT 0 WHERE 0" : $0 },
        fault("UPDATE changes a column only of the first row") { sql in
            sql.hasPrefix("UPDATE") ? sql + " AND rowid < 20" : sql
        },
        fault("diacritics stay") {
            replace($0, "USING fts5(", "USING fts5(tokenize='unicode61 remove_diacritics 0', ")
        },
        fault("weights are ignored") { replace($0, "bm25(t, ", "bm25(t, 1, ") },
        fault("LIMIT gives one row more") { $0.hasSuffix(" LIMIT 2") ? $0.dropLast() + "3" : $0 },
        fault("REPLACE ignores") { replace($0, " OR REPLACE", " OR IGNORE") },
        fault("NEAR is wider") { replace($0, ", 1)'", ", 2)'") },
        fault("snippets are longer") { replace($0, ", 5) FROM", ", 6) FROM") },
        fault("rank descending is ascending") { replace($0, "ORDER BY rank DESC", "ORDER BY rank") },
        fault("the vocabulary loses a term") { replace($0, "FROM vrow", "FROM vrow WHERE term <> 'one'") },
        fault("a bound is excluded") { replace($0, "\" >= ", "\" > ") },
        fault("facets leave out values of one row") { replace($0, "GROUP BY 1", "GROUP BY 1 HAVING count(*) > 1") },
        fault("similar words are found in some rows") {
            replace($0, "FROM vinstance WHERE term IN (", "FROM vinstance WHERE doc < 10 AND term IN (")
        },
        fault("another error") { replace($0, "nosuch : a", "nosuchcolumn : a") },
    ]

    private static func fault(_ name: String, _ translate: @escaping @Sendable (String) -> String) -> FullTextModule {
        FullTextModule(name: name, translate: translate, register: FullTextModule.fts5.register)
    }

    private static func replace(_ sql: String, _ part: String, _ other: String) -> String {
        guard let range = sql.firstRange(of: part) else { return sql }
        return sql.replacingCharacters(in: range, with: other)
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<String.Index>, with other: String) -> String {
        var copy = self
        copy.replaceSubrange(range, with: other)
        return copy
    }
}
