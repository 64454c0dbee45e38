import CConcordanceSQLiteLink
import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText
import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("Ranked cursor")
struct RankedCursorTests {
    private static let weights: [[Double]] = [[], [2, 0.5], [10, 5, 1]]

    private struct Fixture {
        let db: Database
        let index: InvertedIndex
        let options: TableOptions
        let words = ["a", "ab", "abc", "b", "bc", "c", "ca", "d"]

        init(_ random: inout SeededGenerator) throws {
            db = try Database(path: ":memory:")
            try db.execute(sql: "CREATE TABLE t_data(id INTEGER PRIMARY KEY, block BLOB)")
            let store = try BlockStore(database: db, schema: "main", table: "t")
            var options = TableOptions()
            options.columns = ["x", "y", "z"].map { .init(name: $0) }
            options.prefixes = Bool.random(using: &random) ? [1, 2] : []
            self.options = options
            try InvertedIndex.create(store: store, shape: options.shape)
            index = InvertedIndex(store: store, shape: options.shape)
            for rowID in 1...Int64.random(in: 20...400, using: &random) {
                try insert(rowID * 3 % 401, using: &random)
                if Int.random(in: 0..<120, using: &random) == 0 { try index.flush() }
            }
            try index.flush()
            for rowID in Int64(0)..<60 where Int.random(in: 0..<3, using: &random) == 0 {
                try insert(rowID, using: &random)
            }
        }

        /// Adds a row, or replaces it.
        private func insert(_ rowID: Int64, using random: inout SeededGenerator) throws {
            let columns = options.columns.map { _ in
                (0..<Int.random(in: 0..<8, using: &random)).compactMap { _ in words.randomElement(using: &random) }
            }
            try index.insert(rowID) { builder in
                for (number, column) in columns.enumerated() {
                    for word in column {
                        Array(word.utf8).withUnsafeBufferPointer { builder.add($0, column: number, isColocated: false) }
                    }
                }
            }
        }

        func text(depth: Int, using random: inout SeededGenerator) -> String {
            func part() -> String { text(depth: depth - 1, using: &random) }
            if depth > 0 {
                switch Int.random(in: 0..<5, using: &random) {
                case 0: return "(\(part())) NOT (\(part()))"
                case 1, 2: return "(\(part())) AND (\(part()))"
                default: return "(\(part())) OR (\(part()))"
                }
            }
            let some = (0..<3).compactMap { _ in words.randomElement(using: &random) }
            switch Int.random(in: 0..<11, using: &random) {
            case 7: return "\(some[0]) + \(some[1]) + \(some[2])"
            case 8: return "{x y}: ^ \(some[0]) + \(some[0])"
            case 0: return "\(some[0])*"
            case 1: return "\(some[0]) + \(some[1])"
            case 2: return "NEAR(\(some[0]) \(some[1]), 2)"
            case 3: return "^\(some[0])"
            case 4: return "{y z}: \(some[0])"
            case 5: return "- x: \(some[0])*"
            case 6: return "x: \(some[0]) + \(some[1])*"
            default: return some[0]
            }
        }
    }

    /// Rankings, from FTS5's to those that use everything.
    private static func ranking(using random: inout SeededGenerator) -> Ranking {
        var ranking = Ranking(weights: weights.randomElement(using: &random) ?? [])
        guard Int.random(in: 0..<3, using: &random) > 0 else { return ranking }
        ranking.parameters.k1 = [0, 0.9, 1.2, 3].randomElement(using: &random) ?? 1.2
        ranking.parameters.b = [0, 0.4, 0.75, 1].randomElement(using: &random) ?? 0.75
        ranking.parameters.k3 = [0, 2, .infinity].randomElement(using: &random) ?? .infinity
        ranking.parameters.phraseBonus = [0, 0, 0.3, 2].randomElement(using: &random) ?? 0
        ranking.parameters.proximityBonus = [0, 0.3, 0.3, 5].randomElement(using: &random) ?? 0
        if Bool.random(using: &random) { ranking.fieldB = [0.75, 0, 1] }
        return ranking
    }

    /// All rows with their scores, sorted: by the cursor in rowid order, the places of each row, and the formulas.
    private func rows(_ query: BoundQuery, _ ranking: Ranking) throws -> [(rowID: Int64, score: Double)] {
        let snapshot = query.snapshot
        let rowCount = Double(snapshot.rowCount)
        let parameters = ranking.parameters
        let (k1, k3) = (parameters.k1, parameters.k3)
        let scorer = try RowScorer(query)
        let idfs = try query.expression.phrases.indices.map {
            BM25.inverseDocumentFrequency(
                rowCount: snapshot.rowCount, documentFrequency: try query.documentFrequency(ofPhrase: $0))
        }
        func saturated(_ frequency: Double, _ norm: Double) -> Double {
            frequency == 0 ? 0 : (frequency * (k1 + 1)) / (frequency + norm)
        }
        var rows: [(rowID: Int64, score: Double)] = []
        let matches = try query.makeMatches(descending: false, rowIDs: Int64.min...Int64.max)
        while try matches.next() {
            let document = matches.document
            let segment = snapshot.segments[document.segment].segment
            func weight(_ column: UInt32) throws -> Double {
                let weight = Int(column) < ranking.weights.count ? ranking.weights[Int(column)] : 1
                guard let b = ranking.fieldB?[Int(column)] else { return weight }
                let length = Double(try segment.columnLength(at: Int(document.document), column: Int(column)))
                return weight / (1 - b + b * length / (Double(snapshot.totalTokens[Int(column)]) / rowCount))
            }
            let length = Double(try segment.length(at: Int(document.document)))
            let average = Double(snapshot.totalTokens.reduce(0, +)) / rowCount
            let norm =
                ranking.fieldB == nil ? k1 * (1 - parameters.b + parameters.b * length / average) : k1
            var score = 0.0
            for phrase in idfs.indices {
                var frequency = 0.0
                try query.forEachColumn(at: document, ofPhrase: phrase) { column, count in
                    frequency += try weight(column) * Double(count)
                }
                let factor = k3 == .infinity ? 1 : (k3 + 1) / (k3 + scorer.repetitions[phrase])
                score += idfs[phrase] * factor * saturated(frequency, norm)
            }
            score += try bonus(query, document, scorer, parameters, weight) { saturated($0, norm) }
            rows.append((matches.rowID, -1.0 * score))
        }
        return rows.sorted { $0.score != $1.score ? $0.score < $1.score : $0.rowID < $1.rowID }
    }

    /// What pairs and neighbours add to the score of a row.
    private func bonus(
        _ query: BoundQuery, _ document: DocumentReference, _ scorer: RowScorer, _ parameters: RankParameters,
        _ weight: (UInt32) throws -> Double, saturated: (Double) -> Double
    ) throws -> Double {
        var places: [Position: [Int]] = [:]
        var pairs = Array(repeating: 0.0, count: scorer.phraseCount)
        var positions: [Position] = []
        for phrase in pairs.indices {
            positions = try positionArray { try query.instances(at: document, ofPhrase: phrase, into: $0) }
            for position in positions { places[position, default: []].append(phrase) }
        }
        for (position, phrases) in places {
            for phrase in phrases where phrase > 0 {
                let size = UInt32(scorer.size[phrase - 1])
                guard position.offset >= size else { continue }
                let before = Position(column: position.column, offset: position.offset - size)
                if places[before]?.contains(phrase - 1) == true { pairs[phrase] += try weight(position.column) }
            }
        }
        var proximity = pairs.map { _ in 0.0 }
        let sorted = places.keys.sorted()
        for (left, right) in zip(sorted, sorted.dropFirst()) where left.column == right.column {
            guard let one = places[left]?.min(), let two = places[right]?.min(), scorer.word[one] != scorer.word[two]
            else { continue }
            let distance = Double(right.offset - left.offset)
            proximity[one] += try weight(left.column) * scorer.idf[two] / (distance * distance)
            proximity[two] += try weight(left.column) * scorer.idf[one] / (distance * distance)
        }
        var bonus = 0.0
        for phrase in pairs.indices {
            if phrase > 0 {
                bonus +=
                    parameters.phraseBonus * min(scorer.idf[phrase - 1], scorer.idf[phrase]) * saturated(pairs[phrase])
            }
            bonus += parameters.proximityBonus * min(1, scorer.idf[phrase]) * saturated(proximity[phrase])
        }
        return bonus
    }

    /// The only rows that count: few, so that they are looked up, or many.
    private static func rowIDs(using random: inout SeededGenerator) -> Set<Int64> {
        let count = [3, 10, 200].randomElement(using: &random) ?? 3
        return Set((0..<count).map { _ in Int64.random(in: 0..<410, using: &random) })
    }

    @Test(arguments: 0..<24)
    func `gives the matches of any query by score and rowid`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fixture = try Fixture(&random)
        let snapshot = try fixture.index.snapshot()
        let compiler = QueryCompiler(options: fixture.options, tokenizer: Unicode61Tokenizer())
        for _ in 0..<20 {
            let text = fixture.text(depth: Int.random(in: 0..<3, using: &random), using: &random)
            let ranking = Self.ranking(using: &random)
            let expression = try compiler.compile(text, column: nil)
            let all = try rows(BoundQuery(expression, snapshot: snapshot), ranking)
            let bounds = Bool.random(using: &random) ? Int64.min...Int64.max : 20...90
            let set = Bool.random(using: &random) ? nil : Self.rowIDs(using: &random)
            let expected = all.filter { bounds.contains($0.rowID) && set?.contains($0.rowID) != false }
            let query = try BoundQuery(expression, snapshot: snapshot, rows: set.map { RowSet($0.sorted()) })
            let order = Int.random(in: 0..<6, using: &random) == 0 ? RankOrder.descending : .ascending
            let cursor = try RankedCursor(bound: query, ranking: ranking, limit: 5, order: order, rowIDs: bounds)
            var found: [(rowID: Int64, score: Double)] = []
            while try cursor.next() { found.append((cursor.rowID, try cursor.rank())) }
            let message: Comment = "seed \(seed), \(text), \(ranking), \(order), \(bounds), \(set?.sorted() ?? [])"
            if ranking == Ranking(weights: ranking.weights), order == .ascending {
                #expect(found.map(\.rowID) == expected.map(\.rowID), message)
                #expect(found.map(\.score) == expected.map(\.score), message)
                continue
            }
            let scores = Dictionary(uniqueKeysWithValues: expected.map { ($0.rowID, $0.score) })
            #expect(found.map(\.rowID).sorted() == expected.map(\.rowID).sorted(), message)
            #expect(
                found.allSatisfy { row in
                    let score = scores[row.rowID] ?? .nan
                    return abs(row.score - score) <= 1e-9 * max(1, abs(score))
                }, message)
            #expect(
                zip(found, found.dropFirst()).allSatisfy { left, right in
                    left.score == right.score
                        ? left.rowID < right.rowID : (left.score < right.score) == (order == .ascending)
                }, message)
        }
    }
}
