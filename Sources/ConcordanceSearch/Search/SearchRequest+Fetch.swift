import ConcordanceSQLite
import ConcordanceText

extension SearchRequest {
    /// Runs the request in the open transaction, or else in one read transaction.
    ///
    /// It runs one statement for the hits, one for their rows, and one for the texts of fields that are not columns of
    /// the rows; and, if the request needs them, statements for the total, for facets, and for the position of a
    /// cursor.
    ///
    /// - Throws: `SearchIndexError.notInstalled` if the database does not have the index; `superseded` if the installed
    ///   definition lacks a field that the search needs; `noSuchColumn` if the request names a column that the indexed
    ///   table does not have; `noSuchField`; `queryTooDeep`; `foreignCursor`; `damaged`; `DatabaseError` for SQL that
    ///   SQLite rejects. A row that cannot be decoded is not an error, but one of `SearchPage.failures`.
    public func fetch(_ db: Database) throws -> SearchPage<Record> {
        try db.reading(parameters.definition) { try SearchContext(self, $0, in: db).page() }
    }

    /// Returns the number of rows that match.
    ///
    /// It runs `SELECT count(*) …`, which ranks no row.
    public func fetchCount(_ db: Database) throws -> Int {
        try db.reading(parameters.definition) { try SearchContext(self, $0, in: db).count() }
    }

    /// Hits of this search that came without their texts, with these.
    package func readTexts(
        of hits: [SearchHit<Record>], _ db: Database
    ) throws -> [SearchHit<Record>] {
        if hits.isEmpty { return [] }
        return try db.reading(parameters.definition) { try SearchContext(self, $0, in: db).readTexts(of: hits) }
    }
}

/// One run of a search.
struct SearchContext<Record: Sendable> {
    private let request: SearchRequest<Record>
    private let db: Database
    private let tables: SearchedTables
    private let stages: SearchStages
    private let query: SearchQuery

    private var parameters: SearchParameters { request.parameters }
    /// The SQL of matches with the words of the query.
    var sql: SearchSQL { stages.exact.sql }

    init(_ request: SearchRequest<Record>, _ tables: SearchedTables, in db: Database) throws {
        self.request = request
        self.db = db
        self.tables = tables
        query = request.parameters.matching == .any ? request.query.matchingAny : request.query
        stages = try SearchStages(query, request.parameters, tables, in: db)
    }

    func page() throws -> SearchPage<Record> {
        let limit = parameters.limit
        var (found, whole) = try matches()
        // One match more than the page holds tells whether there is a next page.
        let hasMore = found.count > limit
        found.removeLast(max(found.count - limit, 0))
        // Swift creates a key path into a generic type each time it is used.
        let content = try content(of: found.map { $0.id })
        let explanations = try explanations(found)
        let exactPresentation = HitPresentation(parameters.definition, stages.exact.phrases)
        let similarPresentation = whole.isSimilar ? HitPresentation(parameters.definition, whole.phrases) : nil
        var hits: [SearchHit<Record>] = []
        hits.reserveCapacity(found.count)
        var failures: [FailedHit] = []
        for (index, match) in found.enumerated() {
            // An index that other programs have written to may hold rows that the table does not have.
            guard let row = content.rows[index] else { continue }
            let presentation = match.isSimilar ? similarPresentation ?? exactPresentation : exactPresentation
            do {
                hits.append(
                    SearchHit(
                        record: try request.decode(row), id: match.id, score: match.score, group: match.group,
                        explanation: explanations[match.id], texts: content.texts[index], presentation: presentation))
            } catch {
                failures.append(FailedHit(id: match.id, error: error))
            }
        }
        let next = hasMore && parameters.readsTexts ? cursor(behind: found, content) : nil
        let isWhole = parameters.cursor == nil && !hasMore && parameters.grouping == nil && limit > 0
        return SearchPage(
            hits: hits, total: isWhole ? SearchTotal(count: found.count, isExact: true) : try total(of: whole),
            next: next, hasMore: hasMore, query: stages.understoodQuery(whole, found: !found.isEmpty),
            droppedWords: stages.relaxed.dropped, facets: try facets(of: whole),
            isComplete: try IndexRecord.isReady(parameters.definition.name, tables, in: db)
                && !IndexChanges.arePending(parameters.definition.name, tables, in: db)
                && tables.isFollowed(parameters.definition.name, in: db)
                && tables.hasFields(of: parameters.definition, in: db), failures: failures)
    }

    // MARK: Matches

    /// A match on a page.
    private struct Match {
        let id: Int64
        let score: Double
        let values: [PlaceValue]
        var group: SearchGroup?
        /// Whether it matches only with typos, and so comes after those with the very words.
        var isSimilar = false

        init(id: Int64, score: Double, isSimilar: Bool) {
            self.id = id
            self.score = score
            self.isSimilar = isSimilar
            values = []
        }

        /// The columns of `SearchSQL.orderedPage` and `SearchSQL.place`.
        init(_ statement: Statement, valueCount: Int, isGrouped: Bool) {
            id = statement.int64(at: 0)
            score = statement.double(at: 1)
            values = (0..<valueCount).map { PlaceValue(statement, at: 2 + $0) }
            if isGrouped {
                group = SearchGroup(
                    value: statement.databaseValue(at: 2 + valueCount),
                    // The column between the two is the place in the group.
                    count: Int(clamping: statement.int64(at: 4 + valueCount)))
            }
        }
    }

    /// The matches of the page and one more, and the stage that has all matches of this page and of those before and
    /// after it.
    private func matches() throws -> (found: [Match], whole: SearchStage) {
        let limit = parameters.limit == .max ? parameters.limit : parameters.limit + 1
        let cursor = parameters.cursor
        guard stages.mayForgive else {
            return (try matches(stages.exact, behind: cursor, limit: limit), stages.exact)
        }
        guard sql.isByRelevance else {
            let isSimilar = try cursor?.isSimilar ?? (stages.exact.count(limit: 1) == 0)
            let stage = isSimilar ? try stages.similar() : stages.exact
            return (try matches(stage, behind: cursor, limit: limit), stage)
        }
        if let cursor, cursor.isSimilar {
            return (try matches(stages.others(), behind: cursor, limit: limit), try stages.similar())
        }
        let found = try matches(stages.exact, behind: cursor, limit: limit)
        guard cursor == nil, found.count < parameters.roomLimit, stages.hasOthers(behind: found.count) else {
            return (found, stages.exact)
        }
        let others = try matches(stages.others(), behind: nil, limit: limit == .max ? limit : limit - found.count)
        return others.isEmpty ? (found, stages.exact) : (found + others, try stages.similar())
    }

    private func matches(_ stage: SearchStage, behind cursor: SearchCursor?, limit: Int) throws -> [Match] {
        let start = try cursor.map { try place(of: $0, in: stage) }
        if stage.sql.isByRelevance {
            return try stage.filter.page(after: start?.place, without: start?.seen ?? [], limit: limit)
                .map { Match(id: $0.id, score: $0.score, isSimilar: stage.isSimilar) }
        }
        let page = stage.sql.orderedPage(
            after: start?.place, without: start?.seen ?? [], limit: limit, try stage.filter.access(limit: nil))
        return try matches(page, isGrouped: parameters.grouping != nil, isSimilar: stage.isSimilar)
    }

    private func matches(_ sql: SQL, isGrouped: Bool = false, isSimilar: Bool) throws -> [Match] {
        var matches: [Match] = []
        try db.cachedStatement(sql: sql.sql).forEachRow(arguments: sql.arguments) { statement in
            var match = Match(statement, valueCount: parameters.orderings.count, isGrouped: isGrouped)
            match.isSimilar = isSimilar
            matches.append(match)
        }
        return matches
    }

    /// Rows by their first column, without that column.
    private func keyed(_ sql: SQL) throws -> [(Int64, Row)] {
        try Row.fetchAll(db, literal: sql).map { row in
            (try row.decode(Int64.self, at: 0), row.slice(1..<row.count))
        }
    }

    /// What is read of the rows of a page.
    private struct PageContent {
        /// Rows of the indexed table; nil where it has none.
        var rows: [Row?] = []
        /// The values of the fields; nil where the full-text table has none.
        var texts: [HitTexts?] = []
    }

    private func content(of ids: [Int64]) throws -> PageContent {
        guard !ids.isEmpty else { return PageContent() }
        let lookup = try RowLookup(sql.row, in: db)
        let rows = try ids.map { try lookup.step(to: $0) ? try Row.decode(lookup.statement) : nil }
        guard parameters.readsTexts else { return PageContent(rows: rows, texts: rows.map { _ in nil }) }
        var fields = FieldTexts(parameters.definition, sql, like: rows.lazy.compactMap(\.self).first, in: db)
        let texts = try zip(ids, rows).map { id, row in try row.flatMap { try fields.texts(of: id, row: $0) } }
        return PageContent(rows: rows, texts: texts)
    }

    func readTexts(of hits: [SearchHit<Record>]) throws -> [SearchHit<Record>] {
        let content = try content(of: hits.map { $0.id })
        return zip(hits, content.texts).map { hit, texts in
            var hit = hit
            hit.texts = texts
            return hit
        }
    }

    private func explanations(_ found: [Match]) throws -> [Int64: ScoreExplanation] {
        guard parameters.isExplained else { return [:] }
        let similar = found.filter { $0.isSimilar }
        var explanations = try explanations(found.filter { !$0.isSimilar }, stages.exact)
        if !similar.isEmpty {
            explanations.merge(try self.explanations(similar, stages.similar())) { first, _ in first }
        }
        return explanations
    }

    private func explanations(_ found: [Match], _ stage: SearchStage) throws -> [Int64: ScoreExplanation] {
        guard stage.compiled.isRanked, !found.isEmpty else { return [:] }
        let definition = parameters.definition
        let rows = try keyed(stage.sql.values(of: SQL(raw: definition.explainCall), found.map { $0.id }))
        let json = Dictionary(rows) { first, _ in first }.compactMapValues { $0[0] as String? }
        var explanations: [Int64: ScoreExplanation] = [:]
        for match in found {
            guard let json = json[match.id] else { continue }
            var explanation = try definition.explanation(from: json, texts: stage.compiled.explainedTexts)
            if !parameters.boosts.isEmpty {
                explanation.boost = explanation.matchScore == 0 ? 1 : match.score / explanation.matchScore
            }
            explanations[match.id] = explanation
        }
        return explanations
    }

    // MARK: Places

    /// Where a page starts.
    private struct Start {
        let place: SearchCursor.Place
        /// Hits that were already shown, although they may come after that place.
        let seen: [Int64]
    }

    private func cursor(behind found: [Match], _ content: PageContent) -> SearchCursor? {
        guard let last = found.last else { return nil }
        let alike = found.indices.filter { found[$0].isSimilar == last.isSimilar }
        let anchors = alike.suffix(SearchCursor.anchorLimit).reversed().map { index in
            SearchCursor.Anchor(id: found[index].id, contentHash: Self.contentHash(content, index, found[index].values))
        }
        return SearchCursor(
            orderHash: sql.orderHash(of: query),
            place: SearchCursor.Place(values: last.values, score: last.score, id: last.id), anchors: anchors,
            isSimilar: last.isSimilar)
    }

    /// What the place of a match depends on, apart from the rest of the index.
    private static func contentHash(_ content: PageContent, _ index: Int, _ values: [PlaceValue]) -> Int64 {
        var hash = XXHash64()
        for value in content.rows[index]?.databaseValues ?? [] { hash.combine(value) }
        for value in content.texts[index]?.values ?? [] { hash.combine(value) }
        for value in values { value.combine(into: &hash) }
        return hash.value
    }

    /// The place of a cursor in the present state of the index: that of its last unchanged hit.
    private func place(of cursor: SearchCursor, in stage: SearchStage) throws -> Start {
        guard cursor.orderHash == sql.orderHash(of: query), cursor.place.values.count == parameters.orderings.count
        else {
            throw SearchIndexError.foreignCursor(index: parameters.definition.name)
        }
        var seen: [Int64] = []
        for anchor in cursor.anchors {
            if let match = try matches(stage.sql.place(of: anchor.id), isSimilar: stage.isSimilar).first {
                if Self.contentHash(try content(of: [anchor.id]), 0, match.values) == anchor.contentHash {
                    let place = SearchCursor.Place(values: match.values, score: match.score, id: match.id)
                    return Start(place: place, seen: seen)
                }
            }
            seen.append(anchor.id)
        }
        return Start(place: cursor.place, seen: seen)
    }

    // MARK: Counts

    /// The number of rows that match: those that the pages of the search hold.
    func count() throws -> Int {
        let exact = try stages.exact.count(limit: nil)
        guard stages.mayForgive, exact < (sql.isByRelevance ? parameters.roomLimit : 1),
            stages.hasOthers(behind: exact)
        else { return exact }
        return try stages.similar().count(limit: nil)
    }

    private func total(of stage: SearchStage) throws -> SearchTotal? {
        switch parameters.counting {
        case .none: return nil
        case .exact: return SearchTotal(count: try stage.count(limit: nil), isExact: true)
        case .upTo(let limit):
            let limit = max(limit, 0)
            let count = try stage.count(limit: limit == .max ? limit : limit + 1)
            return SearchTotal(count: min(count, limit), isExact: count <= limit)
        }
    }

    private func facets(of stage: SearchStage) throws -> [SearchFacet] {
        if parameters.facets.isEmpty { return [] }
        var found = try parameters.facets.map { try storedFacet($0, of: stage) }
        let others = found.indices.filter { found[$0] == nil }
        for (index, facet) in zip(others, try facets(others.map { parameters.facets[$0] }, of: stage)) {
            found[index] = facet
        }
        return found.compactMap(\.self)
    }

    /// A facet that the engine counts; nil if it cannot, or there are too many values.
    private func storedFacet(_ facet: FacetRequest, of stage: SearchStage) throws -> SearchFacet? {
        guard facet.limit > 0, let values = try stage.sql.storedFacet(facet.source, in: db) else { return nil }
        var buckets: [SearchFacet.Bucket] = []
        var valueCount = 0
        do {
            try db.cachedStatement(sql: values.sql).forEachRow(arguments: values.arguments) { row in
                valueCount += 1
                guard buckets.count < facet.limit else { return }
                buckets.append(.init(value: row.databaseValue(at: 0), count: Int(clamping: row.int64(at: 1))))
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_TOOBIG {
            return nil
        }
        return SearchFacet(name: facet.name, buckets: buckets, valueCount: valueCount)
    }

    private func facets(_ requests: [FacetRequest], of stage: SearchStage) throws -> [SearchFacet] {
        if requests.isEmpty { return [] }
        let values = try requests.map { facet in
            (select: try sql.values(of: facet.source, in: db), limit: facet.limit)
        }
        var buckets = requests.map { _ in [(place: Int64, bucket: SearchFacet.Bucket)]() }
        var valueCounts = requests.map { _ in 0 }
        let facets = stage.sql.facets(values, try stage.filter.access(limit: nil))
        try db.cachedStatement(sql: facets.sql).forEachRow(arguments: facets.arguments) { row in
            let facet = Int(clamping: row.int64(at: 0))
            guard buckets.indices.contains(facet) else { return }
            valueCounts[facet] = Int(clamping: row.int64(at: 4))
            let count = Int(clamping: row.int64(at: 3))
            buckets[facet].append((row.int64(at: 1), .init(value: row.databaseValue(at: 2), count: count)))
        }
        return requests.enumerated().map { index, facet in
            SearchFacet(
                name: facet.name, buckets: buckets[index].sorted { $0.place < $1.place }.map(\.bucket),
                valueCount: valueCounts[index])
        }
    }
}

extension Database {
    /// Runs `body` in one state of the database if the index is installed, and translates errors into those of the
    /// index.
    func reading<Value>(
        _ definition: IndexDefinition, _ body: (SearchedTables) throws -> Value
    ) throws -> Value {
        try SearchSupport.register(on: self)
        do {
            return try inReadTransaction {
                let tables = try SearchedTables.current(self)
                guard try tables.exists(definition.name, in: self) else {
                    throw SearchIndexError.notInstalled(definition.name)
                }
                return try body(tables)
            }
        } catch let error as DatabaseError {
            if let known = try unknownName(in: error, definition) ?? Self.damage(error, of: definition.name) {
                throw known
            }
            throw error
        }
    }

    /// Translates an error that means that the full-text table of an index is damaged.
    private static func damage(_ error: DatabaseError, of index: String) -> SearchIndexError? {
        let message = error.message ?? ""
        let isDamaged =
            error.extendedResultCode == .SQLITE_CORRUPT_VTAB || message.hasPrefix("no such table: main.\(index)_")
            || message == "vtable constructor failed: \(index)"
        return isDamaged ? .damaged(index, reason: message) : nil
    }

    /// Translates SQLite's error about a name that it does not know.
    private func unknownName(in error: DatabaseError, _ definition: IndexDefinition) throws -> SearchIndexError? {
        let prefix = "no such column: "
        guard let message = error.message, message.hasPrefix(prefix) else { return nil }
        let name = message.dropFirst(prefix.count)
        let installed = try columns(in: definition.name, schema: "main").map(\.name)
        let missing = definition.fields.first { field in !installed.contains { $0.equalsIgnoringASCIICase(field.name) }
        }
        if missing != nil { return .superseded(definition.name) }
        let table = try SearchedTables.current(self).schema(of: definition, in: self)
        let qualifier = table.name + "."
        let column = name.hasPrefix(qualifier) ? name.dropFirst(qualifier.count) : name
        return .noSuchColumn(
            String(column), table: table.name, index: definition.name, known: table.columns.map(\.name))
    }
}

extension IndexRecord {
    /// Whether an index holds all rows.
    static func isReady(_ table: String, _ tables: SearchedTables, in db: Database) throws -> Bool {
        guard try tables.exists("concordance_indexes", in: db) else { return false }
        do {
            let sql = "SELECT state FROM main.concordance_indexes WHERE name = ? COLLATE NOCASE"
            var state: String?
            try db.cachedStatement(sql: sql).forEachRow(arguments: [table]) { state = $0.string(at: 0) }
            return state == State.ready.rawValue
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            // A table with that name belongs to something else, and says nothing about the index.
            return false
        }
    }
}
