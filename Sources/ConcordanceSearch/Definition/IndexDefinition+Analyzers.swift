import ConcordanceText

// A full-text table has one tokenizer. Where the fields of an index have different analyzers, the texts of all but one
// of these begin with a marker that tells the tokenizer which analyzer to use; see `FieldMarker`.
extension IndexDefinition {
    static func distinctAnalyzers(of fields: [FieldDefinition], _ common: Analyzer) -> [Analyzer] {
        var analyzers: [Analyzer] = []
        let used = fields.filter(\.isIndexed).map { $0.analyzer ?? common }
        for analyzer in used.filter({ $0 == common }) + used where !analyzers.contains(analyzer) {
            analyzers.append(analyzer)
        }
        return analyzers.isEmpty ? [common] : analyzers
    }

    /// The number of the field's marker; 0 for none.
    func markerNumber(of field: FieldDefinition) -> Int {
        guard field.isIndexed, distinctAnalyzers.count > 1 else { return 0 }
        return distinctAnalyzers.firstIndex(of: analyzer(of: field)) ?? 0
    }

    /// The text that precedes the field's text in the full-text table, and must precede each string that is looked up
    /// in it; empty for most fields.
    ///
    /// ```swift
    /// // SELECT rowid FROM documents WHERE documents MATCH 'title : "…maisons"', with the marker for …
    /// if let title = noteTexts.definition.field("title") {
    ///     let pattern = "title : \"\(noteTexts.definition.marker(of: title))maisons\""
    /// }
    /// ```
    ///
    /// A field has a marker only if it has an analyzer of its own and the fields of the index do not all share one.
    public func marker(of field: FieldDefinition) -> String { FieldMarker.text(markerNumber(of: field)) }
}
