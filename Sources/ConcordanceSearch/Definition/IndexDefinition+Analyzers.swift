import ConcordanceText

// A full-text table has one tokenizer. Where the fields of an index have different analyzers, the texts of all but one of
// these begin with a marker, which the tokenizer goes by; see `FieldMarker`.
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

    /// What stands before the field's text in the full-text table, and must stand before each string that is looked for
    /// in it; an empty text for most fields.
    ///
    /// ```swift
    /// // SELECT rowid FROM documents WHERE documents MATCH 'title : "…maisons"', with the marker for …
    /// if let title = noteTexts.definition.field("title") {
    ///     let pattern = "title : \"\(noteTexts.definition.marker(of: title))maisons\""
    /// }
    /// ```
    ///
    /// Only fields with an analyzer of their own have one, in an index whose fields do not all have the same.
    public func marker(of field: FieldDefinition) -> String { FieldMarker.text(markerNumber(of: field)) }
}
