import ConcordanceSQLite

/// `concordance_is_current(t)`: 1 if the index of the row is that of the texts which the row has now, 0 if it is that
/// of others, NULL if the row has no texts.
///
/// It tokenizes the texts, and compares the number of tokens in each column and a 32-bit hash of the tokens with their
/// places: one in four billion other texts with as many tokens passes by chance, and such a text can be constructed.
/// Stored values are compared as they are.
enum CurrencyFunction {
    static func call(_ context: ExtensionContext, _ arguments: BorrowedValues, _ result: ResultContext) throws {
        guard let cursor = context.host as? TableCursor, let isCurrent = try cursor.isCurrent() else { return }
        result.set(Int64(isCurrent ? 1 : 0))
    }
}

extension TableCursor {
    /// Whether the index of the row is that of its texts; nil if it has none.
    fileprivate func isCurrent() throws -> Bool? {
        guard table.content.hasTexts, let texts = try contentStatement() else { return nil }
        guard let document = try findDocument() else { return false }
        let builder = DocumentBuilder(columnCount: options.columns.count, terms: table.index.buffer.terms)
        builder.beginHash()
        try table.add(texts, to: builder)
        let live = try snapshot.segments[document.segment]
        let segment = live.segment
        let number = Int(document.document)
        guard builder.fingerprint == (try segment.fingerprint(at: number)) else { return false }
        guard try live.values.has(builder.values.bytes, ofDocument: number) else { return false }
        return try segment.withColumnLengths { lengths in
            try segment.columnLengths(at: number, into: lengths)
            return lengths.indices.allSatisfy { builder.length(ofColumn: $0) == lengths[$0] }
        }
    }
}
