/// A line being typed, and its cursor.
struct LineEditor: Equatable, Sendable {
    private var characters: [Character]
    /// The number of characters before the cursor.
    private(set) var cursor: Int

    private static let longest = 1000

    init(_ text: String = "") {
        characters = Array(text.prefix(Self.longest))
        cursor = characters.count
    }

    var text: String { String(characters) }
    var isEmpty: Bool { characters.isEmpty }
    var isAtEnd: Bool { cursor == characters.count }
    var beforeCursor: String { String(characters[..<cursor]) }

    /// Applies an editing key; returns false for other keys, which do nothing.
    mutating func apply(_ key: Key) -> Bool {
        switch key {
        case .character(let character): insert(String(character))
        case .backspace, .control("h"): remove(cursor - 1..<cursor)
        case .delete: remove(cursor..<cursor + 1)
        case .control("u"): remove(0..<cursor)
        case .control("k"): remove(cursor..<characters.count)
        case .control("w"), .alt("\u{7F}"): remove(wordStart..<cursor)
        case .alt("d"): remove(cursor..<wordEnd)
        case .left, .control("b"): cursor = max(cursor - 1, 0)
        case .right: cursor = min(cursor + 1, characters.count)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = characters.count
        case .wordLeft, .alt("b"): cursor = wordStart
        case .wordRight, .alt("f"): cursor = wordEnd
        default: return false
        }
        return true
    }

    /// Inserts a text at the cursor; of a long one, as much as there is room for.
    mutating func insert(_ text: String) {
        let after = characters[cursor...]
        // A combining mark joins the character before it.
        let joined = String(characters[..<cursor]) + text.prefix(Self.longest)
        guard joined.utf8.count <= 16 * Self.longest else { return }
        let before = Array(joined.prefix(Self.longest - after.count))
        cursor = before.count
        characters = before + after
    }

    mutating func move(to place: Int) { cursor = min(max(place, 0), characters.count) }

    private mutating func remove(_ range: Range<Int>) {
        let range = range.clamped(to: 0..<characters.count)
        characters.removeSubrange(range)
        cursor = min(range.lowerBound, characters.count)
    }

    private var wordStart: Int {
        var place = cursor
        while place > 0, characters[place - 1].isWhitespace { place -= 1 }
        while place > 0, !characters[place - 1].isWhitespace { place -= 1 }
        return place
    }

    private var wordEnd: Int {
        var place = cursor
        while place < characters.count, characters[place].isWhitespace { place += 1 }
        while place < characters.count, !characters[place].isWhitespace { place += 1 }
        return place
    }
}
