import ConcordanceFTS5
import ConcordanceSQLite

extension IndexDefinition {
    /// The function that ranks the index's table, in the form of its option `rank`, with the weights of the fields in
    /// the order of the columns: `bm25(10.0, 5.0, 1.0)`.
    ///
    /// ```sql
    /// INSERT INTO reminderTexts(reminderTexts, rank) VALUES ('rank', 'bm25(10.0, 5.0, 1.0)')
    /// ```
    package var rankFunction: String {
        ranking.isBM25
            ? "bm25(\(weights.joined(separator: ", ")))"
            : "\(ConcordanceRanking.name)(\(arguments.joined(separator: ", ")))"
    }

    /// A call of the function that explains the score of a matching row, as a JSON text for `explanation(from:)`.
    ///
    /// It needs a query of the index's table with a `MATCH` and without aggregates. It counts the rows of each phrase
    /// once per query, and reads the text of the row: select it for the rows of one page.
    ///
    /// ```sql
    /// SELECT rowid, concordance_explain("reminderTexts", 1.2, 0.75, NULL, 0.0, 0.0, 10.0, 5.0, 1.0)
    /// FROM "reminderTexts" WHERE "reminderTexts" MATCH ? AND rowid IN (…)
    /// ```
    var explainCall: String {
        "\(ConcordanceRanking.explainName)(\(name.quotedDatabaseIdentifier), \(arguments.joined(separator: ", ")))"
    }

    /// Reads what `explainCall` returned.
    ///
    /// - Parameter texts: The phrases of the query in the order of the `MATCH` expression, as they were typed; if their
    ///   number differs from the expression's, each phrase is named by the text that it matches.
    /// - Throws: `DecodingError` for any other text.
    func explanation(from json: String, texts: [String] = []) throws -> ScoreExplanation {
        try ScoreExplanation(json: json, definition: self, texts: texts)
    }

    /// Throws if a number of the ranking is not valid.
    ///
    /// - Throws: `SearchIndexError.invalidRanking`.
    func checkRanking() throws(SearchIndexError) {
        func check(_ value: Double, _ name: String, in range: ClosedRange<Double>, _ expected: String)
            throws(SearchIndexError)
        {
            if range.contains(value) { return }
            throw .invalidRanking("\(name) is \(value) and must be \(expected)", index: self.name)
        }
        // Far beyond what changes an order; products of such numbers are still finite.
        let positive = 0...1e12
        try check(ranking.k1, "k1", in: positive, "a number from 0 to 1e12")
        try check(ranking.b, "b", in: 0...1, "from 0 to 1")
        try check(ranking.k3, "k3", in: 0...Double.infinity, "a number not below 0, or infinity")
        try check(ranking.phraseBonus, "phraseBonus", in: positive, "a number from 0 to 1e12")
        try check(ranking.proximityBonus, "proximityBonus", in: positive, "a number from 0 to 1e12")
        for field in fields {
            try check(field.weight, "the weight of field \(field.name)", in: positive, "a number from 0 to 1e12")
        }
    }

    /// The arguments of `concordance_rank`. A b for each field makes the lengths of fields count; NULL stands for the b
    /// of all.
    private var arguments: [String] {
        parameters + weights + (ranking.lengths == .fields ? fields.map { _ in "NULL" } : [])
    }

    private var parameters: [String] {
        let k3 = ranking.k3.isFinite ? FTS5RankFunction.literal(ranking.k3) : "NULL"
        return [FTS5RankFunction.literal(ranking.k1), FTS5RankFunction.literal(ranking.b), k3]
            + [ranking.phraseBonus, ranking.proximityBonus].map(FTS5RankFunction.literal)
    }

    /// A field that is not searched has no matches to weigh.
    private var weights: [String] { fields.map { FTS5RankFunction.literal($0.isIndexed ? $0.weight : 0) } }
}
