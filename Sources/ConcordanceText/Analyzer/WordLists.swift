// Lists of words that filters take: a language's list, or words of your own.
//
// In a descriptor a list is one component: the name of a list, or `=` and the words, separated by spaces. A space or
// backslash within a word has a backslash before it.

/// Articles and pronouns that lose their vowel and lean on the next word: l'avion, dell'arte.
public enum Elision: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// The articles of one language.
    case french, italian, catalan, irish
    /// The articles of all these languages.
    case any
    /// Articles of your own, in small letters, without the apostrophe.
    case list([String])

    public init(arrayLiteral elements: String...) { self = .list(elements) }

    /// The articles, without the apostrophe.
    public var articles: [String] {
        switch self {
        case .french: Self.frenchArticles
        case .italian: Self.italianArticles
        case .catalan: Self.catalanArticles
        case .irish: Self.irishArticles
        case .any: Self.frenchArticles + Self.italianArticles + Self.catalanArticles + Self.irishArticles
        case .list(let articles): articles
        }
    }

    private static let frenchArticles = WordList.split("c d j l m n s t qu jusqu lorsqu puisqu quoiqu")
    private static let italianArticles = WordList.split(
        "agl all c coll d dagl dall degl dell gl l m negl nell pell quell quest s sugl sull t un v")
    private static let catalanArticles = WordList.split("d l m n s t")
    private static let irishArticles = WordList.split("b d m")
}

/// Reading and writing of word lists in descriptors.
enum WordList {
    static func split(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    /// `=` and the words.
    static func component(_ words: [String]) -> String {
        "=" + words.map { Escaping.escape($0, " ") }.joined(separator: " ")
    }

    /// The words of a component that begins with `=`, without empty ones; nil for another component.
    static func words(_ component: String) -> [String]? {
        guard component.first == "=" else { return nil }
        return Escaping.split(component.dropFirst(), at: " ").map { Escaping.unescape($0) }.filter { !$0.isEmpty }
    }
}

/// Backslashes before special characters.
enum Escaping {
    static func escape(_ text: String, _ special: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\\" || special.unicodeScalars.contains(scalar) { result.append("\\") }
            result.append(scalar)
        }
        return String(result)
    }

    static func unescape(_ text: some StringProtocol) -> String {
        var result = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if scalar == "\\", !isEscaped {
                isEscaped = true
            } else {
                result.append(scalar)
                isEscaped = false
            }
        }
        return String(result)
    }

    /// The parts between separators that are not escaped; backslashes are left in.
    static func split(_ text: some StringProtocol, at separator: Unicode.Scalar) -> [String] {
        var parts: [String] = []
        var part = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if scalar == separator, !isEscaped {
                parts.append(String(part))
                part = String.UnicodeScalarView()
                continue
            }
            part.append(scalar)
            isEscaped = scalar == "\\" && !isEscaped
        }
        return parts + [String(part)]
    }
}
