/// How the results of a step are compared.
package enum FuzzComparison: Equatable, Sendable, Codable {
    /// Row by row.
    case ordered
    /// Rows in any order.
    case unordered
    /// Row by row, but rows whose scores, in this column, differ only by rounding may change places.
    case scored(column: Int)
}

/// A step of a script, done on both sides.
package struct FuzzStep: Equatable, Sendable, Codable {
    package enum Action: Equatable, Sendable, Codable {
        /// Statements, written for FTS5.
        case sql(String)
        /// Statements that FTS5 does not know, executed if both sides are the engine.
        case engine(String)
        /// Counts rows by the values of a column that is stored if the module stores values.
        case facets(FacetQuery)
        /// Looks for words that may have typos.
        case similar(SimilarQuery)
        /// Closes the connection and opens the file again.
        case reopen
        /// Converts the table, which is FTS5's on both sides until then, to one of the module.
        case convert
    }

    package var action: Action
    package var comparison: FuzzComparison

    /// Which of the two connections does it.
    package var connection = 0

    package init(action: Action, comparison: FuzzComparison = .ordered) {
        self.action = action
        self.comparison = comparison
    }

    package init(_ sql: String, _ comparison: FuzzComparison = .ordered) {
        self.init(action: .sql(sql), comparison: comparison)
    }
}

/// A history of a random table and queries on it.
package struct FuzzScript: Equatable, Sendable, Codable {
    package var steps: [FuzzStep]

    /// Whether the database is a file; otherwise it is in memory, with one connection.
    package var isFile: Bool

    /// Whether the index may differ from its texts, which an integrity check reports; otherwise FTS5 reports damage
    /// only if it has damaged its own index, or considers it damaged.
    package var mayBeDamaged = false

    /// Statements that FTS5 3.40 does not know, which the module gets instead of others that do the same.
    package var substitutions: [String: String] = [:]

    package init(steps: [FuzzStep], isFile: Bool) {
        self.steps = steps
        self.isFile = isFile
    }

    /// The random script of a seed.
    package init(seed: UInt64) {
        var chance = Chance(seed: seed)
        var schema = RandomSchema(&chance)
        isFile = schema.database.isEmpty && chance.percent(25)
        mayBeDamaged = schema.content == .unsynchronized
        substitutions = schema.substitutions
        steps = schema.statements.map { FuzzStep($0) }
        let hasSecond = isFile && chance.percent(60)
        // Beside a rollback journal, a writer stops readers when its pages are more than the cache holds.
        if hasSecond || isFile && chance.percent(30) { steps.insert(FuzzStep("PRAGMA journal_mode = WAL"), at: 0) }
        if chance.percent(15) {
            let pragma = chance.pick(Self.pragmas)
            schema.isUTF16 = pragma.contains("UTF-16")
            steps.insert(FuzzStep(pragma), at: 0)
        }
        // Set once only: FTS5 uses the old function's name after it is freed when this or another setting changes.
        let setsRank = chance.percent(15)
        if setsRank {
            let function = chance.pick(["bm25()", "bm25(10.0, 5.0)", "bm25(0, 1)", "bm25", "x(", "bm25(-1)"])
            steps.append(FuzzStep("INSERT INTO t(t, rank) VALUES ('rank', '\(function)')"))
        }
        var history = RandomHistory(
            schema, isFile: isFile, changesSettings: !setsRank, avoidsFailures: hasSecond,
            mergesOften: chance.percent(15))
        if history.mergesOften || chance.percent(20) {
            steps.append(contentsOf: RandomBulk.statements(schema, &chance).map { FuzzStep($0) })
        }
        let length = chance.weighted([(60, 25), (30, 60), (10, 200)])
        let conversion = schema.canBeConverted && !hasSecond && chance.percent(12) ? chance.int(0...length - 1) : nil
        // Converted tables have no stored values.
        let queries = RandomQuery(schema, countsFacets: conversion == nil)
        for number in 0..<length {
            if number == conversion { steps += schema.conversion.map { FuzzStep($0) } + [FuzzStep(action: .convert)] }
            var step = history.make(&chance)
            // The second connection writes no transactions of its own, so that the two seldom wait for each other, and
            // no write that can fail: it leaves a lock of FTS5's behind.
            if hasSecond && chance.percent(15), case .sql(let sql) = step.action,
                sql.hasPrefix("INSERT INTO \(schema.target)(\"")
            {
                step.connection = 1
            }
            steps.append(step)
            while chance.percent(45) {
                var query = queries.make(&chance)
                if hasSecond && chance.percent(30) { query.connection = 1 }
                steps.append(query)
            }
        }
        if conversion != nil { steps += schema.vocabulary.map { FuzzStep($0) } }
        steps.append(FuzzStep("INSERT INTO t(t) VALUES ('integrity-check')"))
        for table in ["vrow", "vcol", "vinstance", "t"] { steps.append(FuzzStep("SELECT * FROM \(table)")) }
        for _ in 0..<10 { steps.append(queries.make(&chance)) }
    }
}

extension FuzzScript {
    /// The settings of a database, before there is anything in it.
    private static let pragmas = [
        "PRAGMA encoding = 'UTF-16le'", "PRAGMA encoding = 'UTF-16be'", "PRAGMA page_size = 512",
        "PRAGMA page_size = 65536", "PRAGMA auto_vacuum = FULL", "PRAGMA secure_delete = ON", "PRAGMA cache_size = 1",
        "PRAGMA temp_store = MEMORY", "PRAGMA journal_mode = TRUNCATE",
    ]
}

extension FuzzScript: CustomStringConvertible {
    /// The script as SQL, to be pasted into SQLite's shell.
    package var description: String {
        let usesSecond = steps.contains { $0.connection == 1 }
        return steps.map { step in
            let place = usesSecond ? "/* connection \(step.connection + 1) */ " : ""
            return switch step.action {
            case .sql(let sql):
                "\(place)\(sql);" + (substitutions[sql].map { "\n-- in the other module: \($0);" } ?? "")
            case .engine(let sql): "\(place)\(sql);"
            case .facets(let query):
                "\(place)\(query.groupingSQL);\n-- of stored values: \(query.facetSQL);"
            case .similar(let query): "\(place)\(query.sql);\n-- in FTS5: by its vocabulary"
            case .reopen: "\(place)-- closed and opened again"
            case .convert: "\(place)-- converted"
            }
        }.joined(separator: "\n")
    }
}
