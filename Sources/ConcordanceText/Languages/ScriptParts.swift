/// The scripts that are written without spaces, by how analyzers cut them: those that one analyzer cuts together are one.
struct UnspacedScripts: OptionSet {
    let rawValue: UInt8

    /// Ideographs and kana.
    static let han = UnspacedScripts(rawValue: 1)
    static let hangul = UnspacedScripts(rawValue: 2)
    /// Thai, Lao, Khmer and Burmese.
    static let clusters = UnspacedScripts(rawValue: 4)

    /// That of a character: empty for other scripts. Nil for a character that belongs to the one before it.
    static func of(_ scalar: UInt32) -> UnspacedScripts? {
        switch scalar {
        case 0x200B...0x200D, 0xFE00...0xFE0F, 0xE0100...0xE01EF: nil
        case 0xFF65...0xFF9F: .han
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
        case .korean: [.han, .hangul]
        case .thai, .lao, .burmese, .khmer: .clusters
        default: []
        }
    }

    /// Whether its words within a text in another language are cut by its own analyzer.
    package func hasWords(within other: TextLanguage) -> Bool {
        !unspacedScripts.subtracting(other.unspacedScripts).isEmpty
    }
}

/// The parts of a text, each in some scripts without spaces or in none of them.
struct ScriptParts {
    private let text: UnsafeBufferPointer<UInt8>
    private let scripts: UnspacedScripts

    /// - Parameter scripts: Those that parts are made for; characters of other ones are in parts without a script.
    init(_ text: UnsafeBufferPointer<UInt8>, of scripts: UnspacedScripts) {
        self.text = text
        self.scripts = scripts
    }

    /// The length of the text in bytes.
    var count: Int { text.count }

    /// Whether all of the text is one part without a script.
    var isPlain: Bool { scripts.isEmpty || part(from: 0) == (text.count, []) }

    /// The part that begins at `start`, before the end of the text.
    func part(from start: Int) -> (end: Int, script: UnspacedScripts) {
        var script: UnspacedScripts?
        var index = start
        while index < text.count {
            let (next, length) = character(at: index)
            if let next {
                if let script, script != next { return (index, script) }
                script = next
            }
            index += length
        }
        return (text.count, script ?? [])
    }

    @inline(__always)
    private func character(at index: Int) -> (UnspacedScripts?, length: Int) {
        // All of these scripts are encoded in three bytes and more.
        if text[index] < 0xE0 { return ([], 1) }
        let (scalar, length) = UTF8Scalars.decode(text, at: index)
        return (UnspacedScripts.of(scalar)?.intersection(scripts), length)
    }
}
