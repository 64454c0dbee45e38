import ConcordanceFTS5
import TestSupport

@testable import ConcordanceEngine

/// Random documents in segments, and random queries, with every answer computed the long way.
struct RankingModel {
    struct Document {
        var rowID: Int64
        var segment: Int
        /// The numbers of the terms in each column.
        var columns: [[Int]]
        var isDeleted = false
        /// Its number in its segment.
        var number: UInt32 = 0

        var length: Int { columns.reduce(0) { $0 + $1.count } }
    }

    /// A phrase of one term.
    struct Phrase {
        var term: Int
        var columns: ColumnSet?
    }

    let columnCount: Int
    let termCount: Int
    let segmentCount: Int
    var documents: [Document] = []

    static func key(_ term: Int) -> [UInt8] { [0] + Array("term\(term)".utf8) }

    /// - Parameter maximumLength: Short documents have equal scores.
    init(documentCount: Int, maximumLength: Int, using random: inout SeededGenerator) {
        columnCount = Bool.random(using: &random) ? 1 : Int.random(in: 2...18, using: &random)
        termCount = Int.random(in: 2...12, using: &random)
        segmentCount = Int.random(in: 1...4, using: &random)
        var rowID: Int64 = -50
        for _ in 0..<documentCount {
            rowID += Int64.random(in: 1...3, using: &random)
            var columns = Array(repeating: [Int](), count: columnCount)
            for _ in 0..<Int.random(in: 1...maximumLength, using: &random) {
                // Squared, so that some terms are much more frequent than others.
                let share = Double.random(in: 0..<1, using: &random)
                let column = Int.random(in: 0..<min(columnCount, 2), using: &random)
                let other = Int.random(in: 0..<10, using: &random) == 0
                columns[other ? columnCount - 1 : column].append(Int(share * share * Double(termCount)))
            }
            documents.append(
                Document(
                    rowID: rowID, segment: Int.random(in: 0..<segmentCount, using: &random), columns: columns,
                    isDeleted: Int.random(in: 0..<8, using: &random) == 0))
        }
    }

    /// Writes the segments, which read from the memory as long as they are used, and gives each document its number.
    mutating func write(to memory: MemoryStore) throws -> [LiveSegment] {
        let store = memory.store
        let shape = IndexShape(columnCount: columnCount, hasPositions: true, prefixes: [])
        return try (0..<segmentCount).map { segment in
            let members = documents.indices.filter { documents[$0].segment == segment }
            for (number, index) in members.enumerated() { documents[index].number = UInt32(number) }
            var model = SegmentModel(shape: shape)
            model.documents = members.map { index in
                SegmentModel.Document(
                    rowID: documents[index].rowID, columnLengths: documents[index].columns.map { UInt32($0.count) },
                    fingerprint: 0)
            }
            let keys = (0..<termCount).map { ($0, Self.key($0)) }.sorted { $0.1.lexicographicallyPrecedes($1.1) }
            model.terms = keys.map { term, key in
                let postings = members.compactMap { posting(of: term, in: documents[$0]) }
                return SegmentModel.Term(key: key, adjustment: 0, postings: postings)
            }
            let info = try model.write(id: UInt32(segment + 2), to: store)
            let deleted = members.filter { documents[$0].isDeleted }.map { documents[$0].number }
            return LiveSegment(
                Manifest.Entry(info: info, stamp: 0, deletedCount: deleted.count),
                segment: try Segment(info, shape: shape, store: store),
                deletions: Deletions.none.adding(deleted, documentCount: members.count))
        }
    }

    private func posting(of term: Int, in document: Document) -> SegmentModel.Posting? {
        var posting = SegmentModel.Posting(document: document.number, columns: [], positions: [])
        for (column, terms) in document.columns.enumerated() {
            let offsets = terms.indices.filter { terms[$0] == term }
            guard !offsets.isEmpty else { continue }
            posting.columns.append(ColumnFrequency(column: UInt32(column), count: UInt32(offsets.count)))
            posting.positions += offsets.map { Position(column: UInt32(column), offset: UInt32($0)) }
        }
        return posting.columns.isEmpty ? nil : posting
    }

    // MARK: - Answers

    var live: [Document] { documents.filter { !$0.isDeleted } }

    func columns(of phrase: Phrase, in document: Document) -> [Int] {
        document.columns.enumerated().flatMap { column, terms in
            phrase.columns?.contains(column) == false
                ? [] : Array(repeating: column, count: terms.count { $0 == phrase.term })
        }
    }

    func frequency(of phrase: Phrase, in document: Document, _ weights: [Double]) -> Double {
        columns(of: phrase, in: document).reduce(0) { $0 + ($1 < weights.count ? weights[$1] : 1) }
    }

    func documentFrequency(of phrase: Phrase) -> Int {
        live.count { !columns(of: phrase, in: $0).isEmpty }
    }

    func statistics(_ query: RankingModelQuery, _ weights: [Double], _ order: RankOrder) -> RankingStatistics {
        RankingStatistics(
            norms: LengthNorms(BM25(rowCount: live.count, tokenCount: Int64(live.reduce(0) { $0 + $1.length }))),
            phraseWeights: query.phrases.map {
                BM25.inverseDocumentFrequency(rowCount: live.count, documentFrequency: documentFrequency(of: $0))
            }, weights: ColumnWeights(weights), order: order)
    }

    /// All rows in order with their scores, as FTS5 computes them.
    func ranked(_ query: RankingModelQuery, _ weights: [Double], _ order: RankOrder) -> [(rowID: Int64, score: Double)]
    {
        let average = Double(live.reduce(0) { $0 + $1.length }) / Double(live.count)
        let idfs = query.phrases.map {
            BM25.inverseDocumentFrequency(rowCount: live.count, documentFrequency: documentFrequency(of: $0))
        }
        let rows = live.compactMap { document -> (rowID: Int64, score: Double)? in
            guard query.matches(query.root, document, self) else { return nil }
            let counting = query.countingPhrases(query.root, document, self)
            var score = 0.0
            for (number, phrase) in query.phrases.enumerated() {
                let f = counting.contains(number) ? frequency(of: phrase, in: document, weights) : 0
                score +=
                    idfs[number]
                    * ((f * (1.2 + 1.0)) / (f + 1.2 * (1 - 0.75 + 0.75 * Double(document.length) / average)))
            }
            return (document.rowID, score)
        }
        return rows.sorted {
            let keys = (order.key($0.score), order.key($1.score))
            return keys.0 != keys.1 ? keys.0 > keys.1 : $0.rowID < $1.rowID
        }
    }
}

/// A random query: groups of one phrase, or of two that must both occur.
struct RankingModelQuery {
    var phrases: [RankingModel.Phrase] = []
    var root = QueryNode.nothing

    /// Words are near each other wherever they are in a row.
    private static let distance = 1 << 40

    init(_ phrase: RankingModel.Phrase) {
        phrases = [phrase]
        root = .near(NearGroup(phrases: [0], distance: Self.distance))
    }

    init(_ model: RankingModel, depth: Int, using random: inout SeededGenerator) {
        root = makeNode(model, depth: depth, using: &random)
    }

    private mutating func makeNode(
        _ model: RankingModel, depth: Int, using random: inout SeededGenerator
    ) -> QueryNode {
        guard depth > 0 else { return makeLeaf(model, using: &random) }
        let isWide = depth == 1 && Int.random(in: 0..<6, using: &random) == 0
        let count = Int.random(in: isWide ? 5...16 : 2...4, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return makeLeaf(model, using: &random)
        case 1:
            return .not(
                makeNode(model, depth: depth - 1, using: &random), makeNode(model, depth: depth - 1, using: &random))
        case 2...4: return .and((0..<count).map { _ in makeNode(model, depth: depth - 1, using: &random) })
        default: return .or((0..<count).map { _ in makeNode(model, depth: depth - 1, using: &random) })
        }
    }

    private mutating func makeLeaf(_ model: RankingModel, using random: inout SeededGenerator) -> QueryNode {
        let count = Int.random(in: 0..<5, using: &random) == 0 ? 2 : 1
        var leaf: [Int] = []
        for _ in 0..<count {
            var columns: ColumnSet?
            if Int.random(in: 0..<4, using: &random) == 0 {
                columns = ColumnSet(columns: (0..<model.columnCount).filter { _ in Bool.random(using: &random) })
            }
            leaf.append(phrases.count)
            phrases.append(.init(term: Int.random(in: 0..<model.termCount, using: &random), columns: columns))
        }
        return .near(NearGroup(phrases: leaf, distance: Self.distance))
    }

    /// The query as the engine has it. Some words have a synonym that no document has, so that their documents are
    /// found beforehand.
    var expression: QueryExpression {
        QueryExpression(
            root: root,
            phrases: phrases.enumerated().map { number, phrase in
                let term = QueryTerm(
                    bytes: Array(RankingModel.key(phrase.term).dropFirst()),
                    synonyms: number % 5 == 4 ? [Array("absent".utf8)] : [])
                return QueryPhrase(terms: [term], columns: phrase.columns)
            })
    }

    func matches(_ node: QueryNode, _ document: RankingModel.Document, _ model: RankingModel) -> Bool {
        switch node {
        case .nothing: false
        case .near(let group):
            group.phrases.allSatisfy { !model.columns(of: phrases[$0], in: document).isEmpty }
        case .and(let nodes): nodes.allSatisfy { matches($0, document, model) }
        case .or(let nodes): nodes.contains { matches($0, document, model) }
        case .not(let matching, let excluded):
            matches(matching, document, model) && !matches(excluded, document, model)
        }
    }

    /// The phrases whose group matches together with all nodes above it, and is not to the right of a NOT.
    func countingPhrases(
        _ node: QueryNode, _ document: RankingModel.Document, _ model: RankingModel
    ) -> Set<Int> {
        guard matches(node, document, model) else { return [] }
        switch node {
        case .nothing: return []
        case .near(let group): return Set(group.phrases)
        case .and(let nodes), .or(let nodes):
            return nodes.reduce(into: []) { $0.formUnion(countingPhrases($1, document, model)) }
        case .not(let matching, _): return countingPhrases(matching, document, model)
        }
    }
}
