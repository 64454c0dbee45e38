import Concordance

/// Which words of a query are marked in texts: those such as "the" only where there are no others, or in a phrase.
enum MarkedWords {
    /// What is not marked in a document in this language: its stop words, and those of the language that most queries about
    /// programs are in.
    static func leftOut(in language: String?) -> Set<String> {
        guard let language = language.flatMap({ TextLanguage(rawValue: $0) }), language != .english else {
            return DocumentRanking.functionWords
        }
        return stopWords[language] ?? DocumentRanking.functionWords
    }

    private static let stopWords = Dictionary(
        uniqueKeysWithValues: TextLanguage.allCases.map {
            ($0, DocumentRanking.functionWords.union(StopWords.language($0).words))
        })
}
