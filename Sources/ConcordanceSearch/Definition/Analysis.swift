/// How the text of an index becomes its terms.
///
/// ```swift
/// Analysis(.english, prefixes: [1, 2])
/// ```
public struct Analysis: Hashable, Sendable {
    /// The analyzer of all fields that have none of their own.
    public var analyzer: Analyzer
    /// Lengths of beginnings of words, in characters, that get an index of their own: what is typed first is found
    /// quicker, for some space and time to write.
    public var prefixes: [Int]

    /// An analyzer, and the lengths of the prefix indexes.
    public init(_ analyzer: Analyzer, prefixes: [Int] = []) {
        self.analyzer = analyzer
        self.prefixes = prefixes
    }
}
