import ConcordanceSQLite
import ConcordanceText

/// Tokenizers that are currently not in use.
///
/// When a tokenizer first meets a character of a block of Unicode, it computes the foldings of that block, which takes
/// longer than tokenizing the text of a hit. So pages reuse tokenizers.
final class TokenizerPool: Sendable {
    static let shared = TokenizerPool()

    private let idle = Locked<[(analyzer: Analyzer, tokenizer: any Tokenizer)]>([])

    /// Twice as many as an app's indexes have analyzers, and more.
    private static let limit = 16

    /// A tokenizer that only the caller uses, until it is returned.
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
