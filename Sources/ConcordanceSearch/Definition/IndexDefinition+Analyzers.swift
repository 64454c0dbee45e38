import ConcordanceText

// A full-text table has one tokenizer. Where the fields of an index have different analyzers, the texts of all but one
// of these begin with a marker that tells the tokenizer which analyzer to use; see `FieldMarker`.
extension IndexDefinition {
    static func distinctAnalyzers(of fields: [FieldDefinition], _ analysis: Analysis) -> [Analyzer] {
        var analyzers: [Analyzer] = []
        let common = analysis.analyzer
        var used = fields.filter(\.isIndexed).map { $0.analyzer ?? common }
        if analysis.language != nil { used += used.flatMap { analyzer in analyzer.languages.map(analyzer.only) } }
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
    /// ```
    /// // SELECT rowid FROM documents WHERE documents MATCH 'title : "…maisons"', with the marker for …
    /// if let title = noteTexts.definition.field("title") {
    ///     let pattern = "title : \"\(noteTexts.definition.marker(of: title))maisons\""
    /// }
    /// ```
    ///
    /// A field has a marker only if it has an analyzer of its own and the fields of the index do not all share one.
    package func marker(of field: FieldDefinition) -> String { FieldMarker.text(markerNumber(of: field)) }

    /// What stands before each string that is looked up in a field in these languages: the marker of the field, and the
    /// mark of those among the languages that its analyzer guesses among, if there are any.
    func marker(of field: FieldDefinition, in languages: [TextLanguage]) -> String {
        marker(of: field) + LanguageMark.text(analyzer(of: field).languages.filter(languages.contains))
    }

    /// The languages that rows may name for the texts of a field; none where the field does not ask the row.
    func languages(of field: FieldDefinition) -> [TextLanguage] {
        analysis.language != nil && field.isIndexed ? analyzer(of: field).languages : []
    }

    /// The analyzer of a field in rows that name this language.
    func analyzer(of field: FieldDefinition, in language: TextLanguage?) -> Analyzer {
        guard let language, languages(of: field).contains(language) else { return analyzer(of: field) }
        return analyzer(of: field).only(language)
    }

    /// The number of the marker of a field's texts in rows that name this language.
    func markerNumber(of field: FieldDefinition, in language: TextLanguage) -> Int {
        distinctAnalyzers.firstIndex(of: analyzer(of: field, in: language)) ?? 0
    }

    /// Whether the field's texts have markers in the full-text table.
    func marksTexts(of field: FieldDefinition) -> Bool { markerNumber(of: field) != 0 || !languages(of: field).isEmpty }

    /// The language that the row of a text in the full-text table names.
    func language(of text: String, in field: FieldDefinition) -> TextLanguage? {
        guard let first = text.unicodeScalars.first else { return nil }
        return languages(of: field).first {
            FieldMarker.text(markerNumber(of: field, in: $0)).unicodeScalars.first == first
        }
    }
}

extension Analyzer {
    /// The languages that it guesses among.
    fileprivate var languages: [TextLanguage] {
        if case .guess(let languages) = tokenizer { languages } else { [] }
    }

    /// The analyzer of texts that are in one of these languages.
    fileprivate func only(_ language: TextLanguage) -> Analyzer {
        let others = languages.filter { $0.hasWords(within: language) }
        if !others.isEmpty { return Analyzer(.guess([language] + others), filters: filters) }
        return Analyzer(language.analyzer.tokenizer, filters: language.analyzer.filters + filters)
    }
}
