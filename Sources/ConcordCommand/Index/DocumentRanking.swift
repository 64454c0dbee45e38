import Foundation

/// Factors for the score of a document, from how well its name, title and place fit the query.
///
/// The engine's score knows words only. People who look for a document know more: they type its name, or the words of its
/// title, and rarely mean a change log, an example or a translation. The factors come from known-item questions over a
/// machine's documentation (`Benchmarks/run known-items`).
struct DocumentRanking: Sendable {
    /// A reason for a factor, as `concord explain` prints it after the factor.
    enum Reason: String, CaseIterable, Sendable {
        case isNamed = "the name is the query"
        case nameBegins = "the name begins with the query"
        case nameContains = "the name contains the query"
        case nameWords = "the name has only words of the query"
        case titleIs = "the title is the query"
        case titleWords = "words of the query in the title"
        case section = "the section that was asked for"
        case otherSection = "another section than the one asked for"
        case usualSection = "a section that people want more often"
        case housekeeping = "a change log, a licence or the like"
        case example = "an example"
        case laterPart = "not the beginning of its file"
        case depth = "in a deeply nested folder"
        case translation = "in another language"
    }

    /// A reason, and the factor for it.
    struct Factor: Equatable, Sendable {
        var reason: Reason
        var value: Double
    }

    /// What the factors of a document depend on.
    struct Candidate: Sendable {
        var path: String
        var title: String
        /// The line of its file on which it begins; nil for the whole file.
        var line: Int?
    }

    /// All words of the query.
    private let words: [String]
    /// The words that say what the query is about: without words such as "the", unless there are no others.
    private let subject: [String]
    /// The section of a manual page that the query asks for, as in `printf(3)`.
    private let section: Character?
    /// The languages that the reader prefers, such as `en`.
    private let languages: Set<String>

    init(query: String, languages: [String] = Locale.preferredLanguages) {
        var text = Substring(query)
        section = Self.section(endingIn: &text)
        words = Self.words(String(text))
        let subject = words.filter { !Self.functionWords.contains($0) }
        self.subject = subject.isEmpty ? words : subject
        self.languages = Set(languages.map { String($0.prefix(2)).lowercased() })
    }

    /// The words that say what the query is about, folded.
    var subjectWords: [String] { subject }

    /// The product of the factors.
    func factor(of candidate: Candidate) -> Double { factors(of: candidate).reduce(1) { $0 * $1.value } }

    /// All factors of a document.
    func factors(of candidate: Candidate) -> [Factor] {
        guard !words.isEmpty else { return [] }
        let file = FileName(path: candidate.path)
        let name = Self.words(file.name)
        var factors: [Factor] = []
        func add(_ reason: Reason, _ value: Double) {
            if value != 1 { factors.append(Factor(reason: reason, value: value)) }
        }

        let joined = words.joined(separator: " ")
        let joinedName = name.joined(separator: " ")
        let isNamed = joinedName == joined || name.joined() == words.joined()
        if isNamed {
            add(.isNamed, 4)
        } else if joined.count >= 2, joinedName.hasPrefix(joined) {
            add(.nameBegins, 1 + 0.8 * Double(joined.count) / Double(joinedName.count))
        } else if joinedName.contains(subject.joined(separator: " ")) {
            add(.nameContains, 1.2)
        } else if !name.isEmpty, Set(name).isSubset(of: Set(words)) {
            add(.nameWords, 1 + 0.4 * Double(min(name.count, subject.count)) / Double(subject.count))
        }

        let title = Self.words(candidate.title)
        let heading = Self.words(Self.heading(candidate.title))
        if heading == words { add(.titleIs, 1.2) }
        let inTitle = Set(title)
        let covered = Double(subject.count { inTitle.contains($0) }) / Double(subject.count)
        add(.titleWords, 1 + 0.4 * covered)

        if let section = file.section {
            if let asked = self.section {
                add(asked == section ? .section : .otherSection, asked == section ? 3 : 1 / 3)
            } else {
                add(.usualSection, Self.sectionFactors[section] ?? 1)
            }
        }
        if !isNamed {
            let first = name.first ?? ""
            if Self.housekeeping.contains(first), !words.contains(first) { add(.housekeeping, 0.6) }
            if file.folders.contains(where: { $0 == "examples" || $0 == "example" }),
                !words.contains(where: { $0.hasPrefix("example") })
            {
                add(.example, 0.8)
            }
        }
        if let line = candidate.line, line > 1 { add(.laterPart, 0.9) }
        // Folders below the fourth: /usr/share/doc/PACKAGE, /home/NAME/Documents/FOLDER.
        add(.depth, pow(0.97, Double(min(max(file.folders.count - 4, 0), 10))))
        if let language = file.language, !languages.contains(language) { add(.translation, 0.8) }
        return factors
    }

    // MARK: Words

    /// The runs of letters and digits of a text, in small letters without marks.
    static func words(_ text: String) -> [String] { wordsOfASCII(text) ?? foldedWords(text) }

    static func foldedWords(_ text: String) -> [String] {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            .split { !($0.isLetter || $0.isNumber) }.map(String.init)
    }

    /// The same for most names and titles, of which a search looks at hundreds: nil for a text that is not ASCII.
    private static func wordsOfASCII(_ text: String) -> [String]? {
        var text = text
        return text.withUTF8 { bytes -> [String]? in
            var words: [String] = []
            var word: [UInt8] = []
            for byte in bytes {
                switch byte {
                case 0x80...: return nil
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(byte | 0x20)
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): word.append(byte)
                default:
                    if word.isEmpty { continue }
                    words.append(String(decoding: word, as: UTF8.self))
                    word.removeAll(keepingCapacity: true)
                }
            }
            if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
            return words
        }
    }

    /// Removes a section such as `(3)` from the end of a text, and returns it.
    private static func section(endingIn text: inout Substring) -> Character? {
        let trimmed = text.reversed().drop(while: \.isWhitespace)
        var rest = trimmed[...]
        guard rest.popFirst() == ")" else { return nil }
        let suffix = rest.prefix { $0.isLetter || $0.isNumber }
        guard let section = suffix.reversed().first, "0123456789".contains(section), suffix.count <= 8 else {
            return nil
        }
        rest = rest.dropFirst(suffix.count)
        guard rest.popFirst() == "(", rest.contains(where: { !$0.isWhitespace }) else { return nil }
        text = text.prefix(rest.count)
        return section
    }

    /// The part of a title that names its subject: `printf` in `printf(3) - formatted output`.
    private static func heading(_ title: String) -> String {
        let end = title.range(of: " - ")?.lowerBound ?? title.endIndex
        let heading = title[..<end]
        return String(heading[..<(heading.lastIndex(of: "(") ?? heading.endIndex)])
    }

    static let functionWords: Set<String> = [
        "a", "an", "and", "are", "as", "at", "be", "by", "do", "for", "from", "how", "i", "in", "is", "it", "my", "of",
        "on",
        "or", "that", "the", "this", "to", "what", "which", "with",
    ]

    /// How the names of files begin that only accompany others.
    private static let housekeeping: Set<String> = [
        "authors", "bugs", "changelog", "changes", "copying", "copyright", "credits", "history", "licence", "license",
        "news",
        "release", "thanks", "todo",
    ]

    /// Factors of the sections that most people mean, commands first (see `man(1)`).
    private static let sectionFactors: [Character: Double] = ["1": 1.08, "8": 1.06, "5": 1.05, "7": 1.04, "2": 1.03]
}

/// The parts of a path that the factors depend on.
private struct FileName {
    /// Without its suffixes: `systemd.timer` of `systemd.timer.5.gz`.
    var name: String
    /// The section of a manual page.
    var section: Character?
    /// The folders it is in, from the root.
    var folders: [Substring]
    /// The language of a translated manual page: the folder between `man` and that of the section.
    var language: String?

    init(path: String) {
        folders = path.split(separator: "/")
        var name = String(folders.popLast() ?? "")
        for suffix in [".gz", ".bz2", ".xz", ".zst"] where name.hasSuffix(suffix) && name.count > suffix.count {
            name.removeLast(suffix.count)
        }
        if let dot = name.lastIndex(of: "."), dot != name.startIndex {
            let suffix = name[name.index(after: dot)...]
            if let first = suffix.first, "123456789".contains(first), suffix.dropFirst().allSatisfy(\.isLetter),
                folders.last?.hasPrefix("man") == true
            {
                section = first
            }
            name = String(name[..<dot])
        }
        self.name = name
        guard section != nil, folders.count >= 3, folders[folders.count - 3] == "man" else { return }
        language = String(folders[folders.count - 2].prefix(2)).lowercased()
    }
}
