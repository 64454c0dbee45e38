/// Random queries of every form that a full-text table answers.
struct RandomQuery {
    let schema: RandomSchema
    private let expressions: RandomExpression
    private let typoExpressions: RandomExpression
    private let similarity: RandomSimilarQuery
    private let conditions: RandomCondition
    private let countsFacets: Bool

    /// - Parameter countsFacets: Whether stored values may be counted, if the module stores any.
    init(_ schema: RandomSchema, countsFacets: Bool) {
        self.schema = schema
        // `FullTextModule.valued` stores none in these tables.
        self.countsFacets = countsFacets && !schema.valueColumns.isEmpty && !schema.isTrigram
        expressions = RandomExpression(schema: schema)
        typoExpressions = RandomExpression(schema: schema, allowsTypos: true)
        similarity = RandomSimilarQuery(schema: schema)
        conditions = RandomCondition(schema: schema)
    }

    func make(_ chance: inout Chance) -> FuzzStep {
        let hasHits = schema.hasScores
        let forms: [(weight: Int, (inout Chance) -> FuzzStep)] = [
            (22, matches), (hasHits ? 16 : 0, ranked), (hasHits ? 10 : 0, scored), (hasHits ? 12 : 0, auxiliary),
            (8, counted), (8, joined), (8, vocabulary),
            (6, scanned), (schema.isTrigram ? 20 : 3, pattern), (4, mistaken),
            (similarity.isPossible ? 8 : 0, similar), (hasHits ? 4 : 0, rankedWithTypos),
            (schema.valueColumns.isEmpty ? 0 : 30, valued), (countsFacets ? 8 : 0, faceted),
        ]
        let form = chance.weighted(forms)
        return form(&chance)
    }

    // MARK: Parts

    private func literal(_ chance: inout Chance, isScored: Bool = false) -> String {
        expressions.make(&chance, isScored: isScored).sqlLiteral
    }

    /// A condition on what matches, in one of its forms.
    private func match(_ chance: inout Chance, isScored: Bool) -> String {
        switch chance.int(0...(schema.detail == "column" ? 14 : 19)) {
        case 0...13: return "t MATCH \(literal(&chance, isScored: isScored))"
        case 14: return "t = \(literal(&chance, isScored: isScored))"
        case 15...16: return "\(chance.pick(schema.quotedColumns)) MATCH \(literal(&chance, isScored: isScored))"
        case 17 where !isScored: return "\(chance.pick(schema.quotedColumns)) = \(chance.word().textExpression)"
        case 18:
            return "t MATCH \(literal(&chance, isScored: isScored)) AND t MATCH \(literal(&chance, isScored: isScored))"
        default:
            return
                "t MATCH \(literal(&chance, isScored: isScored)) AND \(chance.pick(schema.quotedColumns)) MATCH \(literal(&chance, isScored: isScored))"
        }
    }

    private func rowIDBound(_ chance: inout Chance) -> String {
        let low = chance.percent(98) ? RandomHistory.rowID(&chance) : Int.max
        switch chance.int(0...7) {
        case 0: return "rowid = \(low)"
        case 1: return "rowid >= \(low)"
        case 2: return "rowid < \(low)"
        case 3: return "rowid BETWEEN \(low) AND \(low &+ chance.int(0...20))"
        case 4: return "rowid IN (\(low), 3, 8, 5)"
        case 5: return "rowid > \(low).5"
        case 6: return "rowid <= '\(low)'"
        default: return "rowid > \(low) AND rowid <> 7"
        }
    }

    private func condition(_ chance: inout Chance, isScored: Bool) -> String {
        let match = match(&chance, isScored: isScored)
        return chance.percent(25) ? "\(match) AND \(rowIDBound(&chance))" : match
    }

    private func limit(_ chance: inout Chance) -> String {
        switch chance.int(0...9) {
        case 0...4: ""
        case 5...7: " LIMIT \(chance.pick([1, 2, 3, 5, 10, 20, 21, 100, 0, -1]))"
        case 8: " LIMIT \(chance.int(1...8)) OFFSET \(chance.int(0...6))"
        default: " LIMIT \(chance.pick([1, 10, 64, 300])) OFFSET \(chance.pick([0, 19, 20, 64, 100, 400]))"
        }
    }

    private func weights(_ chance: inout Chance) -> String {
        guard chance.percent(60) else { return "" }
        return (0..<chance.int(1...schema.columns.count)).map { _ in
            ", "
                + chance.pick([
                    "1.0", "10.0", "0.5", "2", "0", "0.001", "5.25", "-1.0", "NULL", "'3'", "-0.25", "1e6", "1e-9",
                    "-100",
                ])
        }.joined()
    }

    /// The result of an auxiliary function for a row. NULL as a mark crashes FTS5.
    private func auxiliaryCall(_ chance: inout Chance, isScan: Bool = false) -> String {
        // For a column that does not exist, FTS5 reports in a scan that it is out of memory.
        let isColumn = isScan || schema.content == .unsynchronized || chance.percent(95)
        let column = isColumn ? chance.int(0...schema.columns.count - 1) : schema.columns.count
        let marks = chance.pick(["'[', ']'", "'<b>', '</b>'", "'', ''"])
        switch chance.int(0...9) {
        case _ where schema.hasOverlaps && !schema.isTrigram && !isScan: return scoreCall(&chance)
        case 0...3: return "highlight(t, \(column), \(marks))"
        case 4...8:
            let place = chance.percent(40) ? -1 : column
            let size = chance.pick([1, 2, 3, 5, 8, 15, 64, 0, -1, 65])
            return "snippet(t, \(place), \(marks), \(chance.pick(["'...'", "'…'", "''"])), \(size))"
        default: return scoreCall(&chance)
        }
    }

    private func scoreCall(_ chance: inout Chance) -> String {
        if chance.percent(75) { return "bm25(t\(weights(&chance)))" }
        let name = chance.pick(["concordance_rank", "concordance_rank", "concordance_explain"])
        let parameters = chance.pick([
            // FTS5 does not tell its functions which phrases are equal, or readings of one word.
            "", ", 1.2, 0.75, NULL, 0, 0", ", 0.9, 0.4, NULL, 0.5, 0", ", NULL, NULL, NULL, 2, 0",
        ])
        return "\(name)(t\(parameters)\(parameters.isEmpty ? "" : weights(&chance)))"
    }

    // MARK: Forms

    private func matches(_ chance: inout Chance) -> FuzzStep {
        let order = chance.pick(["", "", " ORDER BY rowid", " ORDER BY rowid DESC", " ORDER BY rowid ASC"])
        let hasHits = schema.hasScores
        let columns = chance.pick(["rowid", "rowid", "rowid, *", "*"] + (hasHits ? ["rowid, rank"] : []))
        let isScored = columns.hasSuffix("rank")
        if chance.percent(8) {
            return FuzzStep(
                "SELECT \(columns) FROM t(\(literal(&chance, isScored: isScored)))\(order)\(limit(&chance))")
        }
        return FuzzStep(
            "SELECT \(columns) FROM t WHERE \(condition(&chance, isScored: isScored))\(order)\(limit(&chance))")
    }

    private func ranked(_ chance: inout Chance) -> FuzzStep {
        var direction = chance.pick(["", "", "", " DESC", " ASC", ", rowid DESC", " DESC, rowid"])
        var condition = condition(&chance, isScored: true)
        if chance.percent(20) {
            let function =
                chance.percent(90) ? "bm25(\(weights(&chance).dropFirst(2)))" : chance.pick(["nosuch()", "bm25", "x("])
            // If FTS5 does not provide the order itself, it notices that the function is missing only if a row matches.
            if function == "nosuch()" { direction = "" }
            condition += " AND rank MATCH \(function.sqlLiteral)"
        }
        let source = chance.percent(10) ? "t(\(literal(&chance, isScored: true)))" : "t WHERE \(condition)"
        return FuzzStep(
            "SELECT rowid, rank FROM \(source) ORDER BY rank\(direction)\(limit(&chance))", .scored(column: 1))
    }

    private func scored(_ chance: inout Chance) -> FuzzStep {
        let call = scoreCall(&chance)
        let order = chance.pick(["", " ORDER BY 2", " ORDER BY 2, rowid", " ORDER BY \(call)", " ORDER BY 2 DESC"])
        let comparison: FuzzComparison = order.isEmpty ? .ordered : .scored(column: 1)
        return FuzzStep(
            "SELECT rowid, \(call) FROM t WHERE \(condition(&chance, isScored: true))\(order)\(limit(&chance))",
            comparison)
    }

    private func auxiliary(_ chance: inout Chance) -> FuzzStep {
        // FTS5 writes texts twice where trigrams of several phrases overlap.
        if schema.isTrigram {
            let match = "t MATCH '\(chance.pickZipf(Vocabulary.trigrams))\(chance.pick(["", "", "*"]))'"
            return FuzzStep("SELECT rowid, \(auxiliaryCall(&chance)) FROM t WHERE \(match)\(limit(&chance))")
        }
        let order = chance.pick(["", "", " ORDER BY rowid DESC"])
        let calls = (0...chance.int(0...1)).map { _ in auxiliaryCall(&chance) }.joined(separator: ", ")
        if chance.percent(20) {
            return FuzzStep(
                "SELECT rowid, rank, \(calls) FROM t WHERE \(condition(&chance, isScored: true)) ORDER BY rank\(limit(&chance))",
                .scored(column: 1))
        }
        return FuzzStep(
            "SELECT rowid, \(calls) FROM t WHERE \(condition(&chance, isScored: true))\(order)\(limit(&chance))")
    }

    private func counted(_ chance: inout Chance) -> FuzzStep {
        let what = chance.pick(["count(*)", "count(*)", "max(rowid)", "min(rowid)", "count(*), sum(rowid), max(rowid)"])
        return FuzzStep("SELECT \(what) FROM t WHERE \(condition(&chance, isScored: false))")
    }

    private func similar(_ chance: inout Chance) -> FuzzStep {
        FuzzStep(action: .similar(similarity.make(&chance)), comparison: .unordered)
    }

    private func rankedWithTypos(_ chance: inout Chance) -> FuzzStep {
        let match = typoExpressions.make(&chance, isScored: true).sqlLiteral
        let bound = chance.percent(15) ? " AND \(rowIDBound(&chance))" : ""
        return FuzzStep(
            action: .engine("SELECT rowid, rank FROM t WHERE t MATCH \(match)\(bound) ORDER BY rank\(limit(&chance))"),
            comparison: .scored(column: 1))
    }

    // MARK: Columns that are not indexed

    private func valuedCondition(_ chance: inout Chance, isScored: Bool) -> String {
        let word = "t MATCH '\(chance.pickZipf(Vocabulary.letters))'"
        let match = chance.percent(40) ? word : condition(&chance, isScored: isScored)
        let values = conditions.make(&chance)
        return chance.percent(80) ? "\(match) AND \(values)" : "\(values) AND \(match)"
    }

    /// Conditions on such columns beside a MATCH, and orders by them.
    private func valued(_ chance: inout Chance) -> FuzzStep {
        let column = chance.pick(schema.valueColumns)
        switch chance.int(0...11) {
        case 0...2:
            let order = chance.pick(["", "", " ORDER BY rowid", " ORDER BY rowid DESC"])
            let columns = chance.pick(["rowid", "rowid, \(column)", "*"])
            return FuzzStep(
                "SELECT \(columns) FROM t WHERE \(valuedCondition(&chance, isScored: false))\(order)\(limit(&chance))")
        case 3...5:
            let direction = chance.pick(["", "", "", ", rowid", " DESC"])
            return FuzzStep(
                "SELECT rowid, rank FROM t WHERE \(valuedCondition(&chance, isScored: true)) "
                    + "ORDER BY rank\(direction)\(limit(&chance))", .scored(column: 1))
        case 6...7:
            let order = conditions.order(by: column, &chance)
            let rest = chance.pick(["", "", ", rowid", ", rowid DESC", ", \(chance.pick(schema.valueColumns))"])
            return FuzzStep(
                "SELECT rowid, \(column) FROM t WHERE \(orderedCondition(&chance)) "
                    + "ORDER BY \(order)\(rest)\(limit(&chance))")
        case 8...9:
            let order = conditions.order(by: column, &chance)
            let rest = chance.pick(["", "", ", rowid", " DESC"])
            return FuzzStep(
                "SELECT rowid, \(column), rank FROM t WHERE \(orderedCondition(&chance, isScored: true)) "
                    + "ORDER BY \(order), rank\(rest)\(limit(&chance))", .scored(column: 2))
        case 10: return valueAggregate(column, &chance)
        default: return valueJoin(column, &chance)
        }
    }

    private func orderedCondition(_ chance: inout Chance, isScored: Bool = false) -> String {
        chance.percent(50) ? condition(&chance, isScored: isScored) : valuedCondition(&chance, isScored: isScored)
    }

    private func valueAggregate(_ column: String, _ chance: inout Chance) -> FuzzStep {
        let rows = "FROM t WHERE \(valuedCondition(&chance, isScored: false))"
        return FuzzStep(
            chance.pick([
                "SELECT count(*) \(rows)", "SELECT count(*), sum(rowid) \(rows)", "SELECT max(\(column)) \(rows)",
                "SELECT min(\(column)) \(rows)", "SELECT DISTINCT \(column) \(rows) ORDER BY \(column)",
                "SELECT \(column), count(*) \(rows) GROUP BY \(column)",
            ]))
    }

    private func valueJoin(_ column: String, _ chance: inout Chance) -> FuzzStep {
        let match = "t.t MATCH \(literal(&chance))"
        let (key, first) = ("x.\(schema.key)", chance.int(1...20))
        let sql = chance.pick([
            "SELECT \(key), t.rowid FROM \(schema.target) AS x JOIN t ON t.\(column) = x.\(column) "
                + "WHERE \(match) AND \(key) BETWEEN \(first) AND \(first + 5)",
            "SELECT rowid FROM t WHERE \(match) AND rowid IN "
                + "(SELECT rowid FROM t WHERE \(valuedCondition(&chance, isScored: false)))",
            "SELECT rowid FROM t WHERE \(match) AND \(column) >= "
                + "(SELECT \(column) FROM \(schema.target) WHERE \(schema.key) = \(first))",
        ])
        return FuzzStep(sql, .unordered)
    }

    private func faceted(_ chance: inout Chance) -> FuzzStep {
        var match: String? = expressions.make(&chance, isScored: false)
        // A question about the table itself is not a query for a facet.
        if chance.percent(15) || match?.hasPrefix("*") == true { match = nil }
        let columns = schema.columns.filter { schema.unindexed.contains($0) }
        var query = FacetQuery(match: match, column: chance.pick(columns))
        if chance.percent(25) { query.bounds = chance.some(["null", "-1", "0.5", "1", "3", "7.25", "\"a\"", "\"b\""]) }
        return FuzzStep(action: .facets(query))
    }

    private func joined(_ chance: inout Chance) -> FuzzStep {
        let match = "t MATCH \(literal(&chance))"
        let other = schema.target
        let sql =
            switch chance.int(0...7) {
            case 0: "SELECT rowid FROM t WHERE rowid IN (SELECT rowid FROM t WHERE \(match))"
            case 1:
                "SELECT x.\(schema.key), t.rowid FROM \(other) AS x JOIN t ON t.rowid = x.\(schema.key) WHERE \(match)"
            case 2: "SELECT t.rowid, x.rowid FROM t, t AS x WHERE \(match) AND x.rowid = t.rowid + 1"
            case 3: "SELECT rowid FROM t WHERE rowid NOT IN (SELECT rowid FROM t WHERE \(match))"
            case 4:
                "SELECT x.\(schema.key), t.rowid FROM \(other) AS x LEFT JOIN t ON t.rowid = x.\(schema.key) AND \(match)"
            case 5:
                "SELECT \(schema.key) FROM \(other) AS x WHERE EXISTS (SELECT 1 FROM t WHERE \(match) AND rowid = x.\(schema.key))"
            case 6: "SELECT w.column1, t.rowid FROM (VALUES ('a'), ('b'), ('the')) AS w, t WHERE t MATCH w.column1"
            default:
                "SELECT rowid FROM t WHERE \(match) UNION ALL SELECT rowid FROM t WHERE t MATCH \(literal(&chance))"
            }
        return FuzzStep(sql, .unordered)
    }

    private func vocabulary(_ chance: inout Chance) -> FuzzStep {
        let table = chance.pick(["vrow", "vcol", "vinstance"])
        let term = chance.word().textExpression
        let condition = chance.pick([
            "", "", " WHERE term = \(term)", " WHERE term >= \(term)", " WHERE term > \(term)", " WHERE term < \(term)",
            " WHERE term BETWEEN 'a' AND \(term)", " WHERE term <= \(term)",
        ])
        return FuzzStep(
            "SELECT * FROM \(table)\(condition)\(chance.pick(["", "", " ORDER BY term", " ORDER BY term DESC, 2, 3"]))")
    }

    private func scanned(_ chance: inout Chance) -> FuzzStep {
        let bound = rowIDBound(&chance)
        switch chance.int(0...6) {
        case 0: return FuzzStep("SELECT rowid, * FROM t\(limit(&chance))")
        case 1: return FuzzStep("SELECT rowid, * FROM t WHERE \(bound)\(bound.contains("IN") ? " ORDER BY rowid" : "")")
        case 2: return FuzzStep("SELECT rowid FROM t WHERE \(bound) ORDER BY rowid DESC\(limit(&chance))")
        case 3: return FuzzStep("SELECT count(*) FROM t")
        case 4: return FuzzStep("SELECT max(rowid), min(rowid) FROM t")
        case 5:
            return FuzzStep(
                "SELECT rowid, \(auxiliaryCall(&chance, isScan: true)) FROM t ORDER BY rowid\(limit(&chance))")
        default: return FuzzStep("SELECT rowid, rank FROM t ORDER BY rank\(limit(&chance))")
        }
    }

    private func pattern(_ chance: inout Chance) -> FuzzStep {
        let column = chance.pick(schema.quotedColumns)
        let part = chance.pick([
            "app", "ppl", "the", "日本語", "nai", "a", "one", "two three", "App", "été", "12", "a_p", "%ppl", "run%ing",
        ])
        let order = chance.pick(["", " ORDER BY rowid", " ORDER BY rowid DESC"])
        switch chance.int(0...3) {
        case 0...1: return FuzzStep("SELECT rowid FROM t WHERE \(column) LIKE '%\(part)%'\(order)")
        case 2: return FuzzStep("SELECT rowid FROM t WHERE \(column) GLOB '*\(part)*'\(order)")
        default:
            // A pattern without a trigram beside a MATCH crashes FTS5.
            let part = chance.pick(["app", "the", "run", "one", "appl"])
            return FuzzStep(
                "SELECT rowid FROM t WHERE \(column) LIKE '\(part)%' AND t MATCH \(literal(&chance))\(order)")
        }
    }

    /// Uses that fail, or nearly so.
    private func mistaken(_ chance: inout Chance) -> FuzzStep {
        FuzzStep(
            chance.pick([
                "SELECT rowid FROM t WHERE t MATCH 'the' OR t MATCH 'b'", "SELECT rowid FROM t WHERE t MATCH NULL",
                "SELECT rowid FROM t WHERE t MATCH 12", "SELECT rowid FROM t WHERE rank MATCH 'bm25()'",
                "SELECT highlight(t) FROM t WHERE t MATCH 'the'", "SELECT snippet(t, 0) FROM t WHERE t MATCH 'the'",
                "SELECT bm25(t) FROM t", "SELECT bm25(m) FROM t", "SELECT rank FROM t WHERE rowid = 3",
                "SELECT rowid FROM t WHERE t MATCH x'6162'", "SELECT rowid FROM t WHERE NOT (t MATCH 'a')",
                "SELECT rowid FROM t WHERE t MATCH 'the' GROUP BY bm25(t)",
                "SELECT highlight(t, 0, '[', ']') FROM t LIMIT 3", "SELECT rowid FROM t WHERE t MATCH '* nosuch'",
                "SELECT rank FROM t",
                "SELECT rowid FROM t WHERE rank < 0 AND t MATCH 'the'",
            ]))
    }
}
