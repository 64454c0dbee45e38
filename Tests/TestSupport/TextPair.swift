import Foundation

/// A line of the files of pairs beside the tests of languages: what is typed, and a text that it finds, or does not.
///
/// `Tests/MeCab` and the benchmarks, which are packages of their own, have this file by a link.
public struct TextPair: Sendable {
    /// The code of a language, or the name of an analyzer.
    public let group: String
    public let query: String
    public let text: String
    /// Why the one finds the other, `different` or `apart` where it does not.
    public let reason: String

    /// Whether the query should find the text.
    public var meets: Bool { reason != "different" && reason != "apart" }

    /// The pairs of a file, in tab-separated lines behind a heading.
    public static func all(in file: URL) throws -> [TextPair] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst().compactMap { line in
            let parts = line.split(separator: "\t").map(String.init)
            return parts.count < 4 ? nil : TextPair(group: parts[0], query: parts[1], text: parts[2], reason: parts[3])
        }
    }
}
