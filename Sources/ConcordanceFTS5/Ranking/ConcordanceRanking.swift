import CConcordanceSQLite
import ConcordanceSQLite

/// BM25 with parameters and bonuses as auxiliary functions of full-text tables.
///
/// ```
/// try ConcordanceRanking.register(on: db)
/// // SELECT * FROM documents WHERE documents MATCH ?
/// //     ORDER BY concordance_rank(documents, 0.9, 0.4, 2.0, 0.2, 0.1, 10.0, 1.0)
/// // INSERT INTO documents(documents, rank) VALUES ('rank', 'concordance_rank(0.9, 0.4, 2.0, 0.2, 0.1, 10.0, 1.0)')
/// ```
///
/// `concordance_rank(table, k1, b, k3, phraseBonus, proximityBonus, weight..., fieldB...)` is −1 times the score of the
/// row, like FTS5's `bm25`, so that the best rows come first in ascending order. With k1 = 1.2, b = 0.75, infinite k3
/// and no bonus, which are the values of arguments that are NULL or left out, it equals `bm25(table, weight...)`. There
/// is a weight for each column of the table. Arguments after these normalize hits by the lengths of their columns
/// instead of the row's (BM25F): each is the b of a column, or NULL for the general b.
///
/// `concordance_explain` takes the same arguments and returns how the score is made up, as JSON.
///
/// Tables of the module `concordance` have their own versions of both functions, and rank by the first without visiting
/// all matches.
package enum ConcordanceRanking {
    /// The name of the function that scores.
    package static let name = "concordance_rank"
    /// The name of the function that explains a score.
    package static let explainName = "concordance_explain"

    /// Registers both functions on a connection.
    ///
    /// - Throws: `DatabaseError`.
    package static func register(on db: Database) throws {
        try register(library: try FTS5Connection.of(db).library)
    }

    /// Registers both functions on a connection of another library. No reference to it is kept after this returns.
    ///
    /// - Parameter connection: An open `sqlite3*`, which no other thread uses during the call.
    /// - Throws: `DatabaseError`.
    package static func register(on connection: OpaquePointer) throws {
        try register(library: FTS5Library(connection: connection))
    }

    private static func register(library: FTS5Library) throws {
        for (name, function) in [(name, rank), (explainName, explain)] {
            let code = library.addToFTS5(function: name, function: function)
            guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        }
    }

    private static var rank: fts5_extension_function {
        { api, fts, result, count, values in
            guard let api, let fts else { return }
            let row = MatchedRow(api: api, fts: fts)
            do throws(MatchedRow.Failure) {
                let arguments = RankArguments(values, count: count)
                let score = try QueryScorer.of(row).takeUnretainedValue().score(row, arguments)
                csqlite_result_double(result, -1 * score)
            } catch {
                csqlite_result_error_code(result, error.code)
            }
        }
    }

    private static var explain: fts5_extension_function {
        { api, fts, result, count, values in
            guard let api, let fts else { return }
            let row = MatchedRow(api: api, fts: fts)
            do throws(MatchedRow.Failure) {
                let arguments = RankArguments(values, count: count)
                let scorer = try QueryScorer.of(row).takeUnretainedValue()
                let context = FTS5AuxiliaryContext(api, fts, connection: csqlite_context_db_handle(result))
                defer { context.expire() }
                ResultContext(result).set(try scorer.explain(row, context, arguments).json)
            } catch {
                csqlite_result_error_code(result, error.code)
            }
        }
    }
}

extension QueryScorer {
    fileprivate func explain(
        _ row: MatchedRow, _ context: FTS5AuxiliaryContext, _ arguments: RankArguments
    ) throws(MatchedRow.Failure) -> RowExplanation {
        _ = try score(row, arguments)
        var phrases: [RowExplanation.Phrase] = []
        for phrase in 0..<scorer.phraseCount {
            var counts = Array(repeating: 0, count: row.columnCount)
            var first: (column: Int32, offset: Int32)?
            try row.forEachPosition(ofPhrase: phrase) { column, offset in
                if counts.indices.contains(Int(column)) { counts[Int(column)] += 1 }
                if first == nil { first = (column, offset) }
            }
            let hits = counts.enumerated().filter { $0.element > 0 }.map {
                RowExplanation.Hits(
                    column: $0.offset, count: $0.element,
                    weight: arguments.weight(ofColumn: Int32(clamping: $0.offset)))
            }
            let text = first.flatMap {
                Self.text(context, column: $0.column, offset: $0.offset, size: scorer.size[phrase])
            }
            phrases.append(RowExplanation.Phrase(text: text, hits: hits))
        }
        return RowExplanation(
            scorer, arguments.parameters, norm: try norm(row, arguments), length: Int(try row.tokenCount()),
            averageLength: averageLength, phrases: phrases)
    }

    /// The text of the row where a phrase matches, as `highlight` marks it; nil if the table does not store its text.
    private static func text(
        _ context: FTS5AuxiliaryContext, column: Int32, offset: Int32, size: Int32
    ) -> String? {
        let tokens = Int(offset)..<Int(offset) + Int(max(size, 1))
        return try? context.withText(column: Int(column)) { text in
            var range: Range<Int>?
            var end = false
            try context.forEachToken(in: text) { token in
                if end || token.isColocated { return }
                if token.position >= tokens.upperBound {
                    end = true
                } else if token.position >= tokens.lowerBound {
                    range = (range?.lowerBound ?? token.range.lowerBound)..<token.range.upperBound
                }
            }
            guard let range = range?.clamped(to: 0..<text.count), !range.isEmpty else { return nil }
            return String(decoding: text[range], as: UTF8.self)
        }
    }
}
