/// Names in SQL that differ between FTS5 and another module, replaced as whole words.
package struct ModuleNames: Sendable {
    private let replacements: [String: String]

    /// - Parameter replacements: Names in lower case, which are found in any case, and what stands for them.
    package init(_ replacements: [String: String]) { self.replacements = replacements }

    package func replace(in sql: String) -> String {
        var result = ""
        result.reserveCapacity(sql.utf8.count)
        var word = ""
        func endWord() {
            result += replacements[word.lowercased()] ?? word
            word = ""
        }
        for character in sql {
            if character.isLetter || character.isNumber || character == "_" {
                word.append(character)
            } else {
                endWord()
                result.append(character)
            }
        }
        endWord()
        return result
    }
}
