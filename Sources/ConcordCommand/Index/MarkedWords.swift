import Concordance
import ConcordanceText

/// Which words of a query are marked in texts: words such as "the" only in phrases, or if the query has no others.
enum MarkedWords {
    /// The words that are not marked in a document in this language: its stop words, and those of English, in which
    /// most queries about programs are written.
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
