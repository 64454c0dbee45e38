import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText
import Foundation
import TestSupport

@testable import ConcordanceEngine

/// Splits at everything that is not a letter or digit; in `a|b`, `b` is a synonym of `a`.
final class SynonymTokenizer: Tokenizer, FTS5CustomTokenizer {
    static let name = "synonyms"

    init() {}
    init(db: Database, arguments: [String]) {}

    func tokenize(
        _ text: UnsafeBufferPointer<UInt8>, for reason: TokenizationReason, into sink: TokenSink
    ) -> Int32 {
        var start = 0
        while start < text.count {
            var end = start
            while end < text.count, text[end] > 0x2F, text[end] != UInt8(ascii: "|") { end += 1 }
            if end > start, let base = text.baseAddress {
                let flags: TokenFlags = start > 0 && text[start - 1] == UInt8(ascii: "|") ? .colocated : []
                let code = sink.emit(base + start, count: end - start, flags: flags, start: start, end: end)
                if code != 0 { return code }
            }
            start = end + 1
        }
        return 0
    }

    func tokenize(
        context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization, pText: UnsafePointer<CChar>?, nText: Int32,
        tokenCallback: FTS5TokenCallback?
    ) -> Int32 {
        guard let pText, let tokenCallback else { return 0 }
        return pText.withMemoryRebound(to: UInt8.self, capacity: Int(nText)) {
            tokenize(
                UnsafeBufferPointer(start: $0, count: Int(nText)), for: tokenization,
                into: TokenSink(context: context, callback: tokenCallback))
        }
    }
}

/// The same rows in an index and in an FTS5 table `f` of the same database.
final class QueryHarness {
    let index: IndexHarness
    let options: TableOptions
    let tokenizer = SynonymTokenizer()
    /// The matches of every row whose rowid it divides are read.
    var stride: Int64 = 1

    init(columns: [String], detail: TableOptions.Detail, prefixes: [Int]) throws {
        var options = TableOptions()
        options.columns = columns.map { TableOptions.Column(name: $0) }
        options.detail = detail
        options.prefixes = prefixes
        self.options = options
        index = try IndexHarness(in: TemporaryFolder(), shape: options.shape)
        index.db.add(tokenizer: SynonymTokenizer.self)
        try index.db.add(auxiliaryFunction: FTS5AuxiliaryFunction("matches", Self.describe))
        try index.db.add(auxiliaryFunction: FTS5AuxiliaryFunction("frequencies", Self.countRows))
        let prefix = prefixes.isEmpty ? "" : ", prefix='\(prefixes.map(String.init).joined(separator: " "))'"
        try index.db.execute(
            sql: """
                CREATE VIRTUAL TABLE f USING fts5(\(columns.joined(separator: ", ")), tokenize='synonyms', \
                detail=\(detail)\(prefix))
                """)
    }

    // MARK: Rows

    func insert(_ rowID: Int64, _ texts: [String]) throws {
        try index.insert(rowID, texts.map(tokens))
        let places = texts.map { _ in "?" }.joined(separator: ", ")
        try index.db.execute(
            sql: "REPLACE INTO f(rowid, \(options.columns.map(\.name).joined(separator: ", "))) VALUES (?, \(places))",
            arguments: StatementArguments([rowID.databaseValue] + texts.map(\.databaseValue)))
    }

    func delete(_ rowID: Int64) throws {
        try index.delete(rowID, text: index.documents[rowID])
        try index.db.execute(sql: "DELETE FROM f WHERE rowid = ?", arguments: [rowID])
    }

    private func tokens(_ text: String) -> [ModelToken] {
        (tokenizer as any Tokenizer).tokens(in: text).map { ModelToken(text: $0.text, isColocated: $0.isColocated) }
    }

    // MARK: What FTS5 says

    /// Where phrases match in a row.
    private struct Match {
        var instances: [(phrase: Int, column: Int, offset: Int)] = []
        var columns: [Int: String] = [:]

        func text(_ phraseCount: Int) -> String {
            let instances = instances.sorted { ($0.column, $0.offset, $0.phrase) < ($1.column, $1.offset, $1.phrase) }
                .map { "\($0.phrase).\($0.column).\($0.offset)" }
            return instances.joined(separator: " ") + " / "
                + (0..<phraseCount).map { columns[$0] ?? "" }.joined(separator: " ")
        }

        func merging(_ other: Match) -> Match {
            Match(instances: instances + other.instances, columns: columns.merging(other.columns) { $1 })
        }
    }

    /// What FTS5 says about a phrase, or phrases near each other, alone; combined into what a query matches. In queries
    /// of several operators, FTS5 itself shows phrases of an AND or NEAR that does not match the row, and omits others,
    /// depending on where its iterators happen to be.
    private func matches(of node: QueryNode, in expression: QueryExpression) throws -> [Int64: Match] {
        switch node {
        case .nothing: return [:]
        case .near(let group): return try matches(of: group, in: expression)
        case .and(let nodes):
            let all = try nodes.map { try matches(of: $0, in: expression) }
            return all.dropFirst().reduce(all[0]) { left, right in
                Dictionary(
                    uniqueKeysWithValues: left.compactMap { key, match in
                        right[key].map { (key, match.merging($0)) }
                    })
            }
        case .or(let nodes):
            return try nodes.reduce(into: [:]) {
                $0.merge(try matches(of: $1, in: expression)) { $0.merging($1) }
            }
        case .not(let left, let right):
            let excluded = try matches(of: right, in: expression)
            return try matches(of: left, in: expression).filter { excluded[$0.key] == nil }
        }
    }

    private func matches(of group: NearGroup, in expression: QueryExpression) throws -> [Int64: Match] {
        let sql = "SELECT rowid, matches(f) FROM f WHERE f MATCH ?"
        var result: [Int64: Match] = [:]
        for row in try Row.fetchAll(index.db, sql: sql, arguments: [text(of: group, in: expression)]) {
            let text = String.fromDatabaseValue(row[1] ?? .null) ?? ""
            let parts = text.components(separatedBy: " / ")
            var match = Match()
            for instance in parts[0].split(separator: " ") {
                let numbers = instance.split(separator: ".").compactMap { Int($0) }
                match.instances.append((group.phrases[numbers[0]], numbers[1], numbers[2]))
            }
            for (member, columns) in parts[1].components(separatedBy: " ").enumerated() where !columns.isEmpty {
                match.columns[group.phrases[member]] = columns
            }
            if let rowID = Int64.fromDatabaseValue(row[0] ?? .null) { result[rowID] = match }
        }
        return result
    }

    private func text(of group: NearGroup, in expression: QueryExpression) -> String {
        let phrases = group.phrases.map { number in
            let phrase = expression.phrases[number]
            let terms = phrase.terms.map { term in
                let tokens = [term.bytes] + term.synonyms.reversed()
                let text = tokens.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "|")
                return "\"\(text)\"\(term.isPrefix ? "*" : "")"
            }
            return (phrase.isInitial ? "^" : "") + terms.joined(separator: " + ")
        }
        let text =
            phrases.count == 1 ? phrases[0] : "NEAR(\(phrases.joined(separator: " ")), \(group.distance))"
        guard let columns = group.columns?.columns else { return text }
        // A filter with no column in it is an inverted one.
        let names = columns.map { options.columns[$0].name }
        return names.isEmpty
            ? "- {\(options.columns.map(\.name).joined(separator: " "))} : \(text)"
            : "{\(names.joined(separator: " "))} : \(text)"
    }

    /// Where phrases match: for each instance its phrase, column and offset; for each phrase its columns.
    private static let describe: FTS5AuxiliaryFunction.Body = { context, _ in
        let instances = try (0..<context.instanceCount).map { number in
            let instance = try context.instance(number)
            return "\(instance.phrase).\(instance.column).\(instance.offset)"
        }
        let columns = try (0..<context.phraseCount).map { phrase in
            try context.columns(withPhrase: phrase).map(String.init).joined(separator: ",")
        }
        return withoutRepeats(instances).joined(separator: " ") + " / " + columns.joined(separator: " ")
    }

    /// A list of prefixes has a place for each of the tokens there that begin with the prefix; if the query has
    /// synonyms, FTS5 has the place once or more often.
    private static func withoutRepeats(_ instances: [String]) -> [String] {
        instances.indices.filter { $0 == 0 || instances[$0] != instances[$0 - 1] }.map { instances[$0] }
    }

    /// How many rows each phrase matches by itself.
    private static let countRows: FTS5AuxiliaryFunction.Body = { context, _ in
        try (0..<context.phraseCount).map { phrase in
            var count = 0
            try context.forEachRow(matchingPhrase: phrase) { _ in
                count += 1
                return true
            }
            return String(count)
        }.joined(separator: " ")
    }

    /// The result of a query: rows in both orders with their matches, or an error.
    struct Answer: Equatable {
        var error: String?
        var rows: [String] = []
        var descendingRows: [Int64] = []
        var boundedRows: [Int64] = []
        var frequencies = ""
    }

    func askFTS5(_ text: String, bounds: ClosedRange<Int64>) -> Answer {
        do {
            let db = index.db
            var answer = Answer()
            let rowIDs = try Int64.fetchAll(
                db, sql: "SELECT rowid FROM f WHERE f MATCH ? ORDER BY rowid", arguments: [text])
            let expression = try QueryCompiler(options: options, tokenizer: tokenizer).compile(text, column: nil)
            let matches = try expression.root.map { try self.matches(of: $0, in: expression) } ?? [:]
            answer.rows = rowIDs.map { rowID in
                let isShown = rowID % stride == 0
                return
                    "\(rowID): \(matches[rowID].map { isShown ? $0.text(expression.phrases.count) : "" } ?? "no match")"
            }
            answer.descendingRows = try Int64.fetchAll(
                db, sql: "SELECT rowid FROM f WHERE f MATCH ? ORDER BY rowid DESC", arguments: [text])
            answer.boundedRows = try Int64.fetchAll(
                db, sql: "SELECT rowid FROM f WHERE f MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid",
                arguments: [text, bounds.lowerBound, bounds.upperBound])
            let frequencies = "SELECT frequencies(f) FROM f WHERE f MATCH ? LIMIT 1"
            answer.frequencies = try String.fetchOne(db, sql: frequencies, arguments: [text]) ?? ""
            return answer
        } catch let error as DatabaseError {
            return Answer(error: error.message)
        } catch {
            return Answer(error: "\(error)")
        }
    }

    // MARK: What the index says

    func askIndex(_ text: String, bounds: ClosedRange<Int64>) throws -> Answer {
        do {
            let expression = try QueryCompiler(options: options, tokenizer: tokenizer).compile(text, column: nil)
            let query = try BoundQuery(expression, snapshot: index.index.snapshot())
            var answer = Answer()
            let matches = try query.makeMatches(descending: false, rowIDs: .min ... .max)
            var references: [(Int64, DocumentReference)] = []
            while try matches.next() { references.append((matches.rowID, matches.document)) }
            answer.rows = try references.map { "\($0): \($0 % stride == 0 ? try describe(query, $1) : "")" }
            answer.descendingRows = try rowIDs(query, descending: true, .min ... .max)
            answer.boundedRows = try rowIDs(query, descending: false, bounds)
            let descendingBounded = try rowIDs(query, descending: true, bounds)
            if descendingBounded != answer.boundedRows.reversed() { answer.error = "\(descendingBounded)" }
            if !references.isEmpty {
                answer.frequencies = try expression.phrases.indices
                    .map { String(try query.documentFrequency(ofPhrase: $0)) }.joined(separator: " ")
            }
            return answer
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            return Answer(error: error.message)
        }
    }

    private func rowIDs(_ query: BoundQuery, descending: Bool, _ bounds: ClosedRange<Int64>) throws -> [Int64] {
        let matches = try query.makeMatches(descending: descending, rowIDs: bounds)
        var result: [Int64] = []
        while try matches.next() { result.append(matches.rowID) }
        return result
    }

    private func describe(_ query: BoundQuery, _ document: DocumentReference) throws -> String {
        var instances: [(Position, Int)] = []
        var columns: [String] = []
        for phrase in query.expression.phrases.indices {
            let positions = try positionArray { try query.instances(at: document, ofPhrase: phrase, into: $0) }
            instances += positions.map { ($0, phrase) }
            var frequencies: [ColumnFrequency] = []
            try query.columns(at: document, ofPhrase: phrase, into: &frequencies)
            columns.append(frequencies.map { String($0.column) }.joined(separator: ","))
        }
        instances.sort { ($0.0.rawValue, $0.1) < ($1.0.rawValue, $1.1) }
        let names = Self.withoutRepeats(instances.map { "\($0.1).\($0.0.column).\($0.0.offset)" })
        return names.joined(separator: " ") + " / "
            + columns.joined(separator: " ")
    }
}

/// Random texts and expressions over a small vocabulary.
struct QueryGenerator {
    var random: SeededGenerator
    var vocabulary = ["a", "ab", "abc", "b", "ba", "c", "ca", "cab", "d"]
    let columns: [String]
    /// How many words of a hundred have a synonym.
    var synonymShare = 10
    /// Whether expressions have what only `detail=full` answers.
    var hasPhrases = true

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func text(length: ClosedRange<Int>) -> String {
        (0..<number(length)).map { _ in word() }.joined(separator: " ")
    }

    private mutating func word() -> String {
        let word = pick(vocabulary)
        return synonymShare > 0 && number(0...99) < synonymShare ? "\(word)|\(pick(vocabulary))" : word
    }

    mutating func expression(depth: Int) -> String {
        guard depth > 0 else { return operand() }
        switch number(0...9) {
        case 0, 1: return "\(nested(depth)) AND \(nested(depth))"
        case 2, 3: return "\(nested(depth)) OR \(nested(depth))"
        case 4: return "\(nested(depth)) NOT \(nested(depth))"
        case 5: return "\(operand()) \(operand())"
        case 6: return "\(filter()) : (\(expression(depth: depth - 1)))"
        default: return operand()
        }
    }

    private mutating func nested(_ depth: Int) -> String {
        let inner = expression(depth: depth - 1)
        return number(0...2) == 0 ? inner : "(\(inner))"
    }

    private mutating func filter() -> String {
        let names = (0..<number(1...2)).map { _ in pick(columns) }
        return number(0...3) == 0 ? "- \(names[0])" : names.count == 1 ? names[0] : "{\(names.joined(separator: " "))}"
    }

    private mutating func operand() -> String {
        let filter = number(0...4) == 0 ? "\(self.filter()) : " : ""
        switch hasPhrases ? number(0...9) : number(0...4) {
        case 0...3: return filter + string(words: 1...1)
        case 4: return filter + (number(0...9) == 0 ? "\"\"" : string(words: 1...1, star: 100))
        case 5, 6: return filter + phrase()
        case 7: return filter + "^ " + phrase()
        default:
            let distance = number(0...2) == 0 ? "" : ", \(number(0...4))"
            let phrases = (0..<number(1...3)).map { _ in phrase() }.joined(separator: " ")
            return filter + "NEAR(\(phrases)\(distance))"
        }
    }

    private mutating func phrase() -> String {
        let parts = (0..<(number(0...3) == 0 ? 2 : 1)).map { _ in string(words: 1...3) }
        return parts.joined(separator: " + ")
    }

    private mutating func string(words: ClosedRange<Int>, star: Int = 15) -> String {
        "\"\(text(length: words))\"" + (number(0...99) < star ? "*" : "")
    }
}
