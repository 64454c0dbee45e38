/// The scripts that are written without spaces, by how analyzers cut them: those that one analyzer cuts together are one.
struct UnspacedScripts: OptionSet {
    let rawValue: UInt8

    /// Ideographs and kana.
    static let han = UnspacedScripts(rawValue: 1)
    static let hangul = UnspacedScripts(rawValue: 2)
    /// Both, which Korean words may have.
    static let korean: UnspacedScripts = [.han, .hangul]
    /// Thai, Lao, Khmer and Burmese.
    static let clusters = UnspacedScripts(rawValue: 4)

    /// That of a character: empty for letters and digits of other scripts. Nil for punctuation, spaces and the like, which
    /// belong to what stands before them.
    static func of(_ scalar: UInt32) -> UnspacedScripts? {
        switch scalar {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: []
        case 0..<0x80, 0x2000...0x206F, 0x3000...0x3004, 0x3008...0x3020, 0x3030, 0x303D, 0xFE00...0xFE0F,
            0xFF01...0xFF0F, 0xFF1A...0xFF20, 0xFF3B...0xFF40, 0xFF5B...0xFF64, 0xE0100...0xE01EF:
            nil
        case 0x3021...0x302F, 0x3031...0x303B, 0xFF65...0xFF9F: .han
        default:
            switch WritingSystem.of(scalar) {
            case .han, .kana: .han
            case .hangul: .hangul
            case .thai, .lao, .burmese, .khmer: .clusters
            default: []
            }
        }
    }
}

extension TextLanguage {
    /// The scripts that the language's analyzer cuts into pairs of characters, or of clusters of letters.
    var unspacedScripts: UnspacedScripts {
        switch self {
        case .chinese, .japanese: .han
        case .korean: .korean
        case .thai, .lao, .burmese, .khmer: .clusters
        default: []
        }
    }

    /// Whether its words within a text in another language are cut by its own analyzer.
    package func hasWords(within other: TextLanguage) -> Bool {
        !unspacedScripts.subtracting(other.unspacedScripts).isEmpty
    }
}

/// The parts of a text, each in some scripts without spaces or in none of them. A word is cut where these meet: LG전자 is two.
struct ScriptParts {
    private let text: UnsafeBufferPointer<UInt8>
    private let scripts: UnspacedScripts

    /// - Parameter scripts: Those that parts are made for; characters of other ones are in parts without a script.
    init(_ text: UnsafeBufferPointer<UInt8>, of scripts: UnspacedScripts) {
        self.text = text
        self.scripts = scripts
    }

    /// The part that begins at `start`, before the end of the text, and its scripts: Korean words may have ideographs.
    func part(from start: Int) -> (end: Int, script: UnspacedScripts) {
        var script: UnspacedScripts?
        var index = start
        while index < text.count {
            let (next, length) = character(at: index)
            if let next {
                if let known = script, known != next {
                    let both = known.union(next)
                    if known.isEmpty || next.isEmpty || !UnspacedScripts.korean.isSuperset(of: both) {
                        return (index, known)
                    }
                    script = both
                } else {
                    script = next
                }
            }
            index += length
        }
        return (text.count, script ?? [])
    }

    @inline(__always)
    private func character(at index: Int) -> (UnspacedScripts?, length: Int) {
        // Characters of two bytes are in none of these scripts.
        if text[index] >= 0x80, text[index] < 0xE0 { return ([], 1) }
        let (scalar, length) = UTF8Scalars.decode(text, at: index)
        return (UnspacedScripts.of(scalar)?.intersection(scripts), length)
    }
}
