import CSQLite
import ConcordanceSQLite

/// BM25 with parameters and bonuses as auxiliary functions of FTS5.
///
/// ```swift
/// try ConcordanceRanking.register(on: db)
/// // SELECT * FROM documents WHERE documents MATCH ?
/// //     ORDER BY concordance_rank(documents, 0.9, 0.4, 2.0, 0.2, 0.1, 10.0, 1.0)
/// // INSERT INTO documents(documents, rank) VALUES ('rank', 'concordance_rank(0.9, 0.4, 2.0, 0.2, 0.1, 10.0, 1.0)')
/// ```
///
/// `concordance_rank(table, k1, b, k3, phraseBonus, proximityBonus, weight...)` is −1 times the score of the row, as
/// FTS5's `bm25` is, so that the best rows come first in ascending order. With k1 = 1.2, b = 0.75, k3 infinite and no
/// bonus, which are the values of arguments that are NULL or left out, it equals `bm25(table, weight...)`.
///
/// `concordance_explain` takes the same arguments and says how the score came about, as JSON.
public enum ConcordanceRanking {
    /// The name of the function that scores.
    public static let name = "concordance_rank"
    /// The name of the function that explains a score.
    public static let explainName = "concordance_explain"

    /// Registers both functions on a connection.
    ///
    /// - Throws: `DatabaseError`.
    public static func register(on db: Database) throws {
        try register(library: try FTS5Connection.of(db).library)
    }

    /// Registers both functions on a connection of another library, which may be gone when this returns: nothing of it
    /// is kept.
    ///
    /// - Parameter connection: An open `sqlite3*`, which no other thread uses meanwhile.
    /// - Throws: `DatabaseError`.
    public static func register(on connection: OpaquePointer) throws {
        try register(library: FTS5Library(connection: connection))
    }

    private static func register(library: FTS5Library) throws {
        for (name, function) in [(name, rank), (explainName, explain)] {
            let code = library.add(function: name, function: function)
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
                let explanation = try RowExplanation(row, context, scorer, arguments)
                ResultContext(result).set(explanation.json)
            } catch {
                csqlite_result_error_code(result, error.code)
            }
        }
    }
}
