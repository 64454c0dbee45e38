import ConcordanceSQLite
import ConcordanceText

/// Finds completions of a typed text that the index also finds.
struct SuggestionSearch {
    private let definition: IndexDefinition
    private let dictionary: SpellingDictionary
    private let db: Database

    /// The most rows whose words are counted for one call; reading them takes a few milliseconds.
    private static let rowLimit = 200
    /// The most completions that are looked up in the index.
    private static let candidateLimit = 60
    /// The part of a text whose words are counted for one call.
    private static let textLimit = 1 << 14

    init(_ definition: IndexDefinition, _ dictionary: SpellingDictionary, in db: Database) {
        self.definition = definition
        self.dictionary = dictionary
        self.db = db
    }

    func suggestions(for text: String, limit: Int) throws -> [Suggestion] {
        guard limit > 0, text.utf8.count <= SearchQuery.textLimit, let typed = TypedWord(text, for: definition) else {
            return []
        }
        let words = try dictionary(before: typed).completions(of: typed.word, limit: Self.candidateLimit)
        var suggestions: [Suggestion] = []
        for completion in words {
            let word = SearchQuery.isOperator(completion.word) ? completion.word.lowercased() : completion.word
            let suggestion = Suggestion(text: typed.before + word, word: word, count: completion.count)
            if word.lowercased() == typed.word.lowercased() { continue }
            guard try finds(SearchQuery(suggestion.text, for: definition, isTyping: false)) else { continue }
            suggestions.append(suggestion)
            if suggestions.count == limit { break }
        }
        return suggestions
    }

    /// Whether any row matches.
    func finds(_ query: SearchQuery) throws -> Bool {
        let condition = try condition(query)
        return try Int.fetchOne(
            db, literal: "SELECT 1 FROM \(identifier: definition.name) WHERE \(condition) LIMIT 1") != nil
    }

    private func condition(_ query: SearchQuery) throws -> SQL {
        let engine = try SearchedTables.current(db).engine(of: definition, in: db)
        return try query.compiled(for: definition, keptBy: engine, AnalyzerMachines.of(db)).condition
    }

    /// The words of the rows that match the text before the typed word, if they are few; otherwise all words.
    private func dictionary(before typed: TypedWord) throws -> SpellingDictionary {
        guard let context = typed.context else { return dictionary }
        let condition = try condition(SearchQuery(context))
        let fields = definition.fields.filter(\.isIndexed).map { "\(identifier: $0.name)" as SQL }
        let rows: SQL = """
            SELECT \(fields.joined(separator: ", ")) FROM \(identifier: definition.name) WHERE \(condition) \
            LIMIT \(Self.rowLimit + 1)
            """
        let statement = try db.makeStatement(sql: rows.sql)
        try statement.setArguments(rows.arguments)
        let counter = WordCounter()
        var count = 0
        while try statement.step() {
            count += 1
            if count > Self.rowLimit { return dictionary }
            for field in fields.indices {
                statement.withBytes(at: field) { bytes in
                    let text = UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.textLimit))
                    counter.add(text.bindMemory(to: UInt8.self))
                }
            }
        }
        return counter.makeDictionary()
    }
}

/// The word that a person is typing at the end of a query.
struct TypedWord {
    /// The text before it.
    let before: String
    /// The word.
    let word: String
    /// What rows must match, apart from the completed word; nil for anything.
    let context: SearchQuery.Node?

    /// nil if the text does not end in a word, or the word is complete.
    init?(_ text: String, for definition: IndexDefinition) {
        guard let root = SearchQuery(text, for: definition).root, let typed = root.typedText,
            let token = WordTokenizer().tokens(in: typed).last, typed.utf8.count == token.range.upperBound,
            text.hasSuffix(token.text)
        else { return nil }
        word = token.text
        before = String(text.dropLast(token.text.count))
        context = root.withoutTypedWord
    }
}

extension SearchQuery {
    /// Whether a word alone would be read as an operator.
    fileprivate static func isOperator(_ word: String) -> Bool { ["AND", "OR", "NOT", "NEAR"].contains(word) }
}

extension SearchQuery.Node {
    /// The text whose last word is being typed.
    fileprivate var typedText: String? {
        switch kind {
        case .word(let text, let isPrefix), .similar(let text, let isPrefix), .phrase(let text, let isPrefix):
            isPrefix ? text : nil
        case .near(let texts, _, let isPrefix): isPrefix ? texts.last : nil
        case .fields(_, let child): child.typedText
        case .all(let children), .any(let children): children.last?.typedText
        case .excluding(let base, _): base?.typedText
        }
    }

    /// The query without the word that is being typed; nil if nothing is left.
    fileprivate var withoutTypedWord: SearchQuery.Node? {
        guard typedText != nil else { return self }
        switch kind {
        // An alternative requires nothing, and neither does what is near a word that is not known yet.
        case .word, .similar, .near, .any: return nil
        case .phrase(let text, _):
            guard let last = WordTokenizer().tokens(in: text).last else { return nil }
            let rest = String(decoding: Array(text.utf8).prefix(last.range.lowerBound), as: UTF8.self)
            return .phrase(rest, isPrefix: false)
        case .fields(let names, let child): return child.withoutTypedWord.map { .fields(names, $0) }
        case .all(let children):
            return .all(children.dropLast() + (children.last?.withoutTypedWord.map { [$0] } ?? []))
        case .excluding(let base, let others): return .excluding(base?.withoutTypedWord, others)
        }
    }
}
