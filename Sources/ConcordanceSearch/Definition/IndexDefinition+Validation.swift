import CConcordanceSQLite
import ConcordanceSQLite
import ConcordanceText

/// Finds what is wrong with a definition whatever the database.
extension IndexDefinition {
    /// - Throws: `SearchIndexError.invalidIndex` and `invalidField`.
    func validate() throws(SearchIndexError) {
        try validateName()
        if let repeatedElement {
            throw invalid(
                "it has two elements \(repeatedElement); keep one, and give single fields analyzers of their own")
        }
        guard fields.contains(where: \.isIndexed) else {
            throw invalid("it has no searchable field; add a Field without unindexed()")
        }
        if let error = analysis.languageError { throw invalid("the language of its rows cannot be read: \(error)") }
        try validateFieldNames()
        for field in fields { try validate(field) }
        try validatePrefixes()
        try checkRanking()
        if engine == .fts5, content.secureDelete, csqlite_libversion_number() < 3_042_000 {
            throw invalid("FTS5's 'secure-delete' requires SQLite 3.42; use Concordance's engine, or leave it out")
        }
        guard distinctAnalyzers.count <= FieldMarker.count + 1 else {
            throw invalid(
                "its fields have \(distinctAnalyzers.count) different analyzers, and the limit is "
                    + "\(FieldMarker.count + 1); let some fields share one")
        }
    }

    private func validateName() throws(SearchIndexError) {
        guard !name.isEmpty, !name.utf8.contains(0) else {
            throw invalid("its name \(String(reflecting: name)) must not be empty or contain a NUL character")
        }
        let lowercased = name.lowercasedASCII
        if lowercased == SearchEngine.rankColumn {
            throw invalid("the engine reserves the name \(name); choose another")
        }
        for prefix in ["sqlite_", "concordance_"] where lowercased.hasPrefix(prefix) {
            throw invalid("names that begin with \(prefix) are reserved for SQLite and this library; choose another")
        }
        for suffix in IndexNames.reservedSuffixes where lowercased.hasSuffix(suffix) {
            throw invalid("names that end in \(suffix) are reserved for indexes that are being rebuilt; choose another")
        }
    }

    private func validateFieldNames() throws(SearchIndexError) {
        var seen: Set<String> = []
        for field in fields {
            guard !field.name.isEmpty, !field.name.utf8.contains(0) else {
                throw invalid(field, "its name must not be empty or contain a NUL character")
            }
            let key = field.name.lowercasedASCII
            if [SearchEngine.rankColumn, "rowid", name.lowercasedASCII].contains(key) {
                throw invalid(field, "the full-text table reserves that name; choose another with named(_:)")
            }
            guard seen.insert(key).inserted else {
                throw invalid(field, "another field has that name; choose another with named(_:)")
            }
        }
    }

    private func validate(_ field: FieldDefinition) throws(SearchIndexError) {
        do {
            _ = try Analyzer(components: analyzer(of: field).components)
        } catch {
            throw invalid(field, "its analyzer has no descriptor: \(error)")
        }
        if analyzer(of: field).description.utf8.contains(0) {
            throw invalid(field, "its analyzer contains a NUL character, which SQL does not allow")
        }
        if field.isValue, engine == .fts5 {
            throw invalid(field, "FTS5 stores no values; use Concordance's engine, or Field with unindexed()")
        }
        switch field.source {
        case .column: break
        case .related(let relation): try validate(relation, of: field)
        case .expression(let expression):
            if expression.utf8.contains(0) { throw invalid(field, "its expression contains a NUL character") }
        case .invalid(let error): throw invalid(field, error.description)
        }
    }

    private func validate(_ relation: Relation, of field: FieldDefinition) throws(SearchIndexError) {
        guard !relation.steps.isEmpty else { throw invalid(field, "its relation has no steps") }
        if relation.separator.utf8.contains(0) { throw invalid(field, "its separator contains a NUL character") }
        for step in relation.steps {
            guard let columns = step.columns else { continue }
            guard !columns.own.isEmpty, columns.own.count == columns.previous.count else {
                throw invalid(
                    field,
                    "the step to \(step.table) pairs \(columns.own.count) columns with "
                        + "\(columns.previous.count); name the same number on both sides, at least one")
            }
        }
    }

    private func validatePrefixes() throws(SearchIndexError) {
        let lengths = Set(analysis.prefixes)
        if let length = lengths.sorted().first(where: { !SearchEngine.prefixLengths.contains($0) }) {
            throw invalid(
                "it has prefixes of \(length) characters; a length is from \(SearchEngine.prefixLengths.lowerBound) to "
                    + "\(SearchEngine.prefixLengths.upperBound)")
        }
        if lengths.count > SearchEngine.prefixLimit {
            throw invalid(
                "it has \(lengths.count) prefix lengths, and the limit is \(SearchEngine.prefixLimit)")
        }
    }

    private func invalid(_ reason: String) -> SearchIndexError { .invalidIndex(name, reason: reason) }

    private func invalid(_ field: FieldDefinition, _ reason: String) -> SearchIndexError {
        .invalidField(field.name, index: name, reason: reason)
    }
}
