import ConcordanceSQLite
import ConcordanceText

/// An FTS5 table in a query: the conditions and expressions that belong to it, as `SQL`.
///
/// ```swift
/// let documents = try db.fts5Table("documents")
/// // SELECT *, "snippet"("documents", -1, '[', ']', '…', 12) FROM "documents"
/// // WHERE "documents" MATCH '"swift"' ORDER BY "bm25"("documents", 10.0)
/// let rows = try Row.fetchAll(db, literal: """
///     SELECT *, \(documents.snippet(open: "[", close: "]", tokenCount: 12)) FROM \(documents.sql)
///     WHERE \(documents.matching(pattern)) ORDER BY \(documents.bm25(["title": 10]))
///     """)
/// ```
///
/// FTS5's functions take columns by number. `Database.fts5Table(_:)` looks the columns up, so that you can name them; a
/// table created by its initializer knows only the columns passed to it.
public struct FTS5Table: Hashable, Sendable {
    /// The name of the table.
    public let name: String
    /// `main`, `temp`, the name of an attached database, or nil.
    public let schema: String?
    /// The name that the query gives to the table, if any: `FROM documents AS d`.
    public let alias: String?
    /// All columns, in the table's order; nil if they are not known.
    public let columns: [String]?

    /// Creates a table; the columns, if given, must be all that it has, in its order.
    public init(_ name: String, in schema: String? = nil, as alias: String? = nil, columns: [String]? = nil) {
        self.name = name
        self.schema = schema
        self.alias = alias
        self.columns = columns
    }

    var qualifiedName: QualifiedName { QualifiedName(name, in: schema) }

    /// The table in a FROM clause: `"documents"`, `"main"."documents" AS "d"`.
    public var sql: SQL {
        SQL(raw: qualifiedName.sql + (alias.map { " AS " + $0.quotedDatabaseIdentifier } ?? ""))
    }

    /// The hidden column that has the table's name, which stands for the whole row.
    private var row: SQL {
        let qualifier = alias.map { $0.quotedDatabaseIdentifier + "." } ?? ""
        return SQL(raw: qualifier + name.quotedDatabaseIdentifier)
    }

    /// Returns the condition that a row matches: `"documents" MATCH ?`. For a nil pattern, as for a text without words,
    /// the condition is false: `0`.
    public func matching(_ pattern: FTS5Pattern?) -> SQL {
        guard let pattern else { return "0" }
        return "\(row) MATCH \(pattern)"
    }

    /// How well a row matches, by the table's rank function, by default `bm25` without weights: lower is better.
    public var rank: SQL { SQL(raw: (alias ?? name).quotedDatabaseIdentifier + ".rank") }

    /// Returns a condition, always true, that makes `function` compute `rank` in this query. Sorting by `rank` is
    /// faster than sorting by `bm25(_:)`.
    ///
    /// ```sql
    /// ... WHERE "documents" MATCH ? AND "documents".rank MATCH 'bm25(10.0)' ORDER BY "documents".rank
    /// ```
    ///
    /// - Throws: `FTS5Error.noSuchColumn`, `invalidOption`.
    public func ranked(by function: FTS5RankFunction) throws -> SQL {
        "\(rank) MATCH \(try function.text(for: self))"
    }

    /// Returns an expression for how well a row matches (Okapi BM25,
    /// https://www.sqlite.org/fts5.html#the_bm25_function), negated, so that the best rows come first.
    ///
    /// - Parameter weights: The weight of a match, by column; 1 for columns that are not mentioned.
    /// - Throws: `FTS5Error.noSuchColumn`.
    public func bm25(_ weights: [String: Double] = [:]) throws -> SQL {
        call("bm25", try self.weights(weights).map { $0 })
    }

    /// Returns an expression for the text of a column with each match between `open` and `close`.
    ///
    /// - Throws: `FTS5Error.noSuchColumn`.
    public func highlight(_ column: String, open: String, close: String) throws -> SQL {
        call("highlight", [try index(of: column), open, close])
    }

    /// Returns an expression for the part of a column's text with the best matches, each between `open` and `close`.
    ///
    /// - Parameters:
    ///   - column: nil for the column with the best part.
    ///   - open: The text before a match.
    ///   - close: The text after a match.
    ///   - ellipsis: The text that marks omissions.
    ///   - tokenCount: The length of the part, from 1 to 64 tokens.
    /// - Throws: `FTS5Error.noSuchColumn`.
    public func snippet(
        _ column: String? = nil, open: String, close: String, ellipsis: String = "…", tokenCount: Int = 16
    ) throws -> SQL {
        let index = try column.map { try self.index(of: $0) } ?? -1
        return call("snippet", [index, open, close, ellipsis, min(max(1, tokenCount), 64)])
    }

    /// Returns a call of an auxiliary function: `name("documents", ?, ...)`.
    public func call(_ function: String, _ arguments: [(any DatabaseValueConvertible)?] = []) -> SQL {
        arguments.reduce("\(identifier: function)(\(row)") { $0 + ", \($1)" } + ")"
    }

    /// The weights in the order of the columns, up to the last that is mentioned.
    func weights(_ weights: [String: Double]) throws -> [Double] {
        var list: [Double] = []
        for (column, weight) in weights {
            let index = try index(of: column)
            if list.count <= index { list += Array(repeating: 1, count: index + 1 - list.count) }
            list[index] = weight
        }
        return list
    }

    private func index(of column: String) throws -> Int {
        guard let index = columns?.firstIndex(where: { $0.equalsIgnoringASCIICase(column) }) else {
            throw FTS5Error.noSuchColumn(column, table: name)
        }
        return index
    }
}

extension Database {
    /// Returns an FTS5 table of the database, with its columns.
    ///
    /// - Parameters:
    ///   - name: The name of the table.
    ///   - schema: `main`, `temp`, or the name of an attached database; nil for the first that has the table.
    ///   - alias: The name that queries give to the table, if any.
    /// - Throws: `FTS5Error.noSuchTable`.
    public func fts5Table(_ name: String, in schema: String? = nil, as alias: String? = nil) throws -> FTS5Table {
        let options = try fts5Options(of: QualifiedName(name, in: schema)).options
        return FTS5Table(name, in: schema, as: alias, columns: options.columns.map(\.name))
    }
}
