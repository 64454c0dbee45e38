import Foundation

/// A word as somebody wrote it, and the word that was meant.
public struct Misspelling {
    public var wrong: String
    public var right: String
    public var source: String

    /// The pairs of `spelling/pairs.tsv`; nil where it is absent.
    ///
    /// Its pairs from Norvig's list are cut out of a Python dictionary in the wrong places:
    /// `'aranged` for `'account'`, with the rest of the line between. Each misspelling is assigned to the last key before
    /// it, if the two are no further apart than misspellings are (`isLikely`). The others, whose keys the file has lost,
    /// are left out.
    public static func all() -> [Misspelling]? {
        let url = SharedFiles.folder.appendingPathComponent("spelling/pairs.tsv")
        guard let text = try? String(contentsOf: url, encoding: .utf8) else { return nil }
        var pairs: [Misspelling] = []
        var group = ""
        var key = ""
        for line in text.split(separator: "\n").dropFirst() {
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard cells.count == 3 else { continue }
            var (wrong, right, source) = (cells[0], cells[1], cells[2])
            if source.hasPrefix("norvig") {
                source = "norvig"
                if right != group {
                    group = right
                    key = right.split(separator: "'").last.map(String.init) ?? ""
                }
                let parts = wrong.split(separator: ":", omittingEmptySubsequences: false)
                if parts.count > 1 { key = bare(parts[0]) }
                wrong = bare(parts[parts.count - 1])
                right = key
                guard !wrong.isEmpty, isLikely(wrong, right) else { continue }
            }
            if !right.isEmpty { pairs.append(Misspelling(wrong: wrong, right: right, source: source)) }
        }
        return pairs
    }

    private static func bare(_ text: Substring) -> String {
        text.trimmingCharacters(in: CharacterSet(charactersIn: "',}"))
    }

    /// Whether at most two of five letters were edited.
    private static func isLikely(_ wrong: String, _ right: String) -> Bool {
        let (left, other) = (Array(wrong), Array(right))
        var row = Array(0...other.count)
        for i in left.indices {
            var diagonal = row[0]
            row[0] = i + 1
            for j in other.indices {
                let above = row[j + 1]
                row[j + 1] = min(min(above, row[j]) + 1, diagonal + (left[i] == other[j] ? 0 : 1))
                diagonal = above
            }
        }
        return row[other.count] * 5 <= max(left.count * 2, 5)
    }
}
