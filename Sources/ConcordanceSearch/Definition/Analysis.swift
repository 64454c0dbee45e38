/// How the text of an index becomes its terms.
///
/// ```swift
/// Analysis(.english, prefixes: [1, 2])
/// ```
public struct Analysis: Hashable, Sendable {
    /// The analyzer of all fields without one of their own.
    public var analyzer: Analyzer
    /// The lengths, in characters, of word beginnings that get an index of their own: the first letters of a word are
    /// then found faster, at the cost of space and slower writes.
    public var prefixes: [Int]

    /// An analyzer, and the lengths of the prefix indexes.
    public init(_ analyzer: Analyzer, prefixes: [Int] = []) {
        self.analyzer = analyzer
        self.prefixes = prefixes
    }
}
