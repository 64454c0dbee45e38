import ConcordanceSQLite
import ConcordanceText

/// Tokenizers that are not in use at the moment.
///
/// A tokenizer computes the foldings of a block of Unicode when it first meets a character of the block, which takes
/// longer than tokenizing the text of a hit. So pages reuse tokenizers.
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
