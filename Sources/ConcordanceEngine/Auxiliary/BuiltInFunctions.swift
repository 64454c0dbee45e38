import CConcordanceSQLite
import ConcordanceFTS5
import ConcordanceSQLite

/// FTS5's auxiliary functions, FTS3's `matchinfo`, those of `ConcordanceRanking`, and `concordance_is_current`, for
/// tables of ours (https://www.sqlite.org/fts5.html#_auxiliary_functions_).
enum BuiltInFunctions {
    /// Adds the functions that nobody has replaced.
    static func register(in registry: ExtensionRegistry) throws {
        try registry.add(builtInFunction: "bm25") { _, context, result, count, values in
            BuiltInFunctions.call(context, result, count, values, RankFunctions.bm25)
        }
        try registry.add(builtInFunction: ConcordanceRanking.name) { _, context, result, count, values in
            BuiltInFunctions.call(context, result, count, values, RankFunctions.rank)
        }
        try registry.add(builtInFunction: ConcordanceRanking.explainName) { _, context, result, count, values in
            BuiltInFunctions.call(context, result, count, values, RankFunctions.explain)
        }
        try registry.add(builtInFunction: "highlight") { _, context, result, count, values in
            BuiltInFunctions.call(context, result, count, values, HighlightFunction.call)
        }
        try registry.add(builtInFunction: "snippet") { _, context, result, count, values in
            BuiltInFunctions.call(context, result, count, values, SnippetFunction.call)
        }
        try registry.add(builtInFunction: "concordance_is_current") { _, context, result, count, values in
            BuiltInFunctions.call(context, result, count, values, CurrencyFunction.call)
        }
        try registry.add(builtInFunction: "matchinfo") { _, context, result, count, values in
            BuiltInFunctions.call(context, result, count, values, MatchInformation.call)
        }
        try registry.add(builtInFunction: "fts5_get_locale") { _, context, result, count, values in
            BuiltInFunctions.call(context, result, count, values) { context, arguments, result in
                guard arguments.count == 1, arguments[0].type == SQLITE_INTEGER else {
                    throw failure("fts5_get_locale() takes a table and the number of a column")
                }
                _ = try context.checkColumn(Int(arguments[0].int64))
                result.setNull()
            }
        }
    }

    /// Runs one of them, whose errors the statement throws.
    @inline(__always)
    private static func call(
        _ context: OpaquePointer?, _ result: OpaquePointer?, _ count: Int32,
        _ values: UnsafeMutablePointer<OpaquePointer?>?,
        _ function: (ExtensionContext, BorrowedValues, ResultContext) throws -> Void
    ) {
        guard let context else { return csqlite_result_error_code(result, SQLITE_MISUSE) }
        do {
            try function(
                ExtensionContext.of(context), BorrowedValues(count: count, start: values), ResultContext(result))
        } catch {
            Database.fail(result, with: error)
        }
    }
}
