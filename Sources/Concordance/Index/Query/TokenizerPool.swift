import ConcordanceSQLite
import ConcordanceText

/// Tokenizers that no search and no highlighter uses at the moment.
///
/// A tokenizer works out what each block of Unicode folds to when a text first has a character of it, which takes longer
/// than the text of a hit does. So one page after another uses the same tokenizers.
final class TokenizerPool: Sendable {
    static let shared = TokenizerPool()

    private let idle = Locked<[(analyzer: Analyzer, tokenizer: any Tokenizer)]>([])

    /// More than the analyzers of an app's indexes, twice over.
    private static let limit = 16

    /// A tokenizer for the caller alone, until it is given back.
    func take(_ analyzer: Analyzer) -> any Tokenizer {
        let known = idle.withLock { idle in
            idle.lastIndex { $0.analyzer == analyzer }.map { idle.remove(at: $0).tokenizer }
        }
        return known ?? analyzer.makeTokenizer()
    }

    func giveBack(_ tokenizer: any Tokenizer, of analyzer: Analyzer) {
        idle.withLock { idle in
            if idle.count == Self.limit { idle.removeFirst() }
            idle.append((analyzer, tokenizer))
        }
    }
}
