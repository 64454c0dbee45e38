/// An option that a command takes.
struct OptionSpecification: Sendable {
    /// The long name, without dashes.
    var name: String
    var short: Character?
    /// The placeholder of the value in the help, such as `FILE`; nil for a switch.
    var value: String?
    var help: String
    /// The possible values, if they can be listed.
    var choices: [String]

    init(_ name: String, short: Character? = nil, value: String? = nil, choices: [String] = [], _ help: String) {
        self.name = name
        self.short = short
        self.value = value
        self.choices = choices
        self.help = help
    }
}

/// A command: its operands and options, and its help.
struct CommandSpecification: Sendable {
    var name: String
    var summary: String
    /// The operands as the usage line shows them.
    var operands: String
    var discussion: String
    var options: [OptionSpecification]
    var examples: [(line: String, meaning: String)]
    var operandCount: ClosedRange<Int>
    /// Whether words such as `-draft` after the first operand belong to a query, which they exclude from.
    var takesDashedWords = false
    /// The possible operands, if they can be listed.
    var operandChoices: [String] = []
}

/// A mistake in the command line. Nothing has been done.
struct UsageError: Error, Equatable, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// The operands and options of a command line.
struct ParsedArguments: Equatable {
    private(set) var operands: [String] = []
    private var switches: Set<String> = []
    private var values: [String: String] = [:]

    func has(_ name: String) -> Bool { switches.contains(name) }
    func value(_ name: String) -> String? { values[name] }

    /// The value of an option that takes a number.
    func count(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError("--\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
        }
        return number
    }

    /// - Throws: `UsageError`.
    init(_ words: [String], for command: CommandSpecification) throws {
        var words = words[...]
        while let word = words.popFirst() {
            if word == "--" {
                operands += words
                break
            }
            if word.hasPrefix("--") {
                try readLong(word.dropFirst(2), rest: &words, command)
            } else if word.hasPrefix("-"), word.count > 1 {
                try readShort(word, rest: &words, command)
            } else {
                operands.append(word)
            }
        }
        // Help does not need the operands.
        if has("help") { return }
        if operands.count < command.operandCount.lowerBound {
            throw UsageError("\(command.name) needs \(command.operands)")
        }
        if operands.count > command.operandCount.upperBound {
            throw UsageError("\(command.name) does not take '\(operands[command.operandCount.upperBound])'")
        }
    }

    private mutating func readLong(
        _ word: Substring, rest: inout ArraySlice<String>, _ command: CommandSpecification
    ) throws {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        guard let option = command.allOptions.first(where: { $0.name == name }) else {
            let known = command.allOptions.map(\.name)
            let hint = nearest(name, among: known).map { "; did you mean --\($0)?" } ?? ""
            throw UsageError("\(command.name) has no option --\(name)\(hint)")
        }
        try set(option, given: parts.count > 1 ? String(parts[1]) : nil, rest: &rest)
    }

    private mutating func readShort(
        _ word: String, rest: inout ArraySlice<String>, _ command: CommandSpecification
    ) throws {
        var letters = word.dropFirst()
        let first = command.allOptions.first { $0.short == letters.first }
        if command.takesDashedWords, !operands.isEmpty, !Self.isPlainly(first, letters) {
            operands.append(word)
            return
        }
        if first == nil {
            let hint = command.takesDashedWords ? "; write -- before words that begin with a dash" : ""
            throw UsageError("\(command.name) has no option \(word)\(hint)")
        }
        while let letter = letters.popFirst() {
            guard let option = command.allOptions.first(where: { $0.short == letter }) else {
                throw UsageError("\(command.name) has no option -\(letter)")
            }
            if option.value == nil {
                switches.insert(option.name)
            } else {
                try set(option, given: letters.isEmpty ? nil : String(letters), rest: &rest)
                return
            }
        }
    }

    /// Whether a word with a dash is an option even within a query: `-i` and `-n5` are, `-index` is not.
    private static func isPlainly(_ option: OptionSpecification?, _ letters: Substring) -> Bool {
        guard let option else { return false }
        return letters.count == 1 || (option.value != nil && letters.dropFirst().allSatisfy(\.isNumber))
    }

    private mutating func set(
        _ option: OptionSpecification, given: String?, rest: inout ArraySlice<String>
    ) throws {
        guard let placeholder = option.value else {
            if given != nil { throw UsageError("--\(option.name) takes no value") }
            switches.insert(option.name)
            return
        }
        guard let value = given ?? rest.popFirst() else { throw UsageError("--\(option.name) needs \(placeholder)") }
        values[option.name] = value
    }
}

extension CommandSpecification {
    static let common = [
        OptionSpecification("help", short: "h", "Print this help.")
    ]

    var allOptions: [OptionSpecification] { options + Self.common }

    /// The help of a command.
    var help: String {
        var text = "\(summary)\n\nUsage: concord \(name)"
        if !operands.isEmpty { text += " \(operands)" }
        text += " [options]\n"
        if !discussion.isEmpty { text += "\n\(discussion)\n" }
        text += "\nOptions:\n"
        let heads = allOptions.map { option in
            let short = option.short.map { "-\($0), " } ?? "    "
            return "  \(short)--\(option.name)" + (option.value.map { " \($0)" } ?? "")
        }
        let width = heads.map(\.count).max() ?? 0
        for (head, option) in zip(heads, allOptions) {
            let indent = String(repeating: " ", count: width + 2)
            let lines = option.help.split(separator: "\n").joined(separator: "\n" + indent)
            text += head + String(repeating: " ", count: width + 2 - head.count) + lines + "\n"
        }
        text += "\nExamples:\n"
        for example in examples { text += "  \(example.line)\n      \(example.meaning)\n" }
        return text
    }
}

/// The candidate closest to `word`, if at most a third of its letters differ; otherwise one that begins with `word`.
func nearest(_ word: String, among candidates: [String]) -> String? {
    let distances = candidates.map { ($0, editDistance(word, $0)) }
    guard let best = distances.min(by: { $0.1 < $1.1 }), best.1 <= max(1, best.0.count / 3) else {
        return candidates.first { word.count >= 2 && $0.hasPrefix(word) }
    }
    return best.0
}

/// How many letters must be inserted, deleted or replaced to turn one word into the other (Levenshtein 1966). Only the
/// first 64 letters count.
func editDistance(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first.prefix(64)), Array(second.prefix(64)))
    var row = Array(0...second.count)
    for (i, letter) in first.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, other) in second.enumerated() {
            let above = row[j + 1]
            row[j + 1] = min(above + 1, row[j] + 1, diagonal + (letter == other ? 0 : 1))
            diagonal = above
        }
    }
    return row[second.count]
}
