/// The edits between two words by definition: the full table of the distances between their beginnings, with swaps of
/// neighbours, no character edited twice.
public func editDistance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
    var table = [[Int]](repeating: [Int](repeating: 0, count: right.count + 1), count: left.count + 1)
    for i in 0...left.count {
        for j in 0...right.count {
            if i == 0 || j == 0 {
                table[i][j] = i + j
                continue
            }
            var best = min(table[i - 1][j], table[i][j - 1]) + 1
            best = min(best, table[i - 1][j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1))
            if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
                best = min(best, table[i - 2][j - 2] + 1)
            }
            table[i][j] = best
        }
    }
    return table[left.count][right.count]
}

/// The typos that turn `word` into `typed`, by definition: the edits, and one more if the first characters differ.
public func typoCount(_ typed: String, of word: String) -> Int {
    editDistance(typed, word) + (typed.unicodeScalars.first == word.unicodeScalars.first ? 0 : 1)
}

/// The fewest typos that turn a beginning of `word` into `typed`.
public func typoCount(_ typed: String, ofBeginningOf word: String) -> Int {
    let scalars = Array(word.unicodeScalars)
    return (1...max(scalars.count, 1)).map { end in
        typoCount(typed, of: String(String.UnicodeScalarView(scalars.prefix(end))))
    }.min() ?? 0
}
