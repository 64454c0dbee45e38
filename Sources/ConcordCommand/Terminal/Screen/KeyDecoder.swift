/// A key with a meaning here.
enum Key: Hashable, Sendable {
    case character(Character)
    /// A letter typed with the control key, in small form.
    case control(Character)
    /// A character typed with the alt or meta key.
    case alt(Character)
    case enter, tab, backTab, backspace, delete, escape
    case up, down, left, right, home, end, pageUp, pageDown
    case shiftUp, shiftDown, wordLeft, wordRight
    case function(Int)
}

/// What a terminal sends.
enum TerminalInput: Equatable, Sendable {
    case key(Key)
    case paste(String)
    /// The first button was pressed on a cell.
    case press(x: Int, y: Int)
    /// The wheel was turned over a cell; up is negative.
    case wheel(Int, x: Int, y: Int)
}

/// Decodes what a terminal sends into keys, in whatever pieces it arrives.
struct KeyDecoder: Sendable {
    private var buffer: [UInt8] = []
    private var pasted: [UInt8]?
    private let keys: [[UInt8]: Key]

    private static let longestSequence = 64
    private static let longestPaste = 64 << 10
    private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

    /// - Parameter keys: The sequences that the terminal's description names.
    init(keys: [[UInt8]: Key] = [:]) { self.keys = keys }

    /// Whether bytes are pending: an escape alone is a key, but before other bytes it begins a sequence.
    var isPending: Bool { !buffer.isEmpty && pasted == nil }

    mutating func feed(_ bytes: some Sequence<UInt8>) -> [TerminalInput] {
        buffer.append(contentsOf: bytes)
        var inputs: [TerminalInput] = []
        while let input = next() { inputs += input }
        return inputs
    }

    /// Decodes pending bytes as they are, since nothing has followed them for a moment.
    mutating func flush() -> [TerminalInput] {
        guard isPending else { return [] }
        defer { buffer = [] }
        return buffer.first == 27 && buffer.count == 1 ? [.key(.escape)] : []
    }

    /// Decodes and removes the first bytes of the buffer; nil if more must arrive first.
    private mutating func next() -> [TerminalInput]? {
        if pasted != nil { return nextOfPaste() }
        guard let first = buffer.first else { return nil }
        if first == 27 { return nextOfEscape() }
        if first < 32 || first == 127 {
            buffer.removeFirst()
            return Self.control(first).map { [.key($0)] } ?? []
        }
        let length = Self.length(first)
        guard buffer.count >= length else { return nil }
        let bytes = Array(buffer.prefix(length))
        let text = String(decoding: bytes, as: UTF8.self)
        guard Array(text.utf8) == bytes, let character = text.first else {
            buffer.removeFirst()
            return []
        }
        buffer.removeFirst(length)
        // Nobody types control characters beyond ASCII.
        return (0x80..<0xA0).contains(text.unicodeScalars.first?.value ?? 0) ? [] : [.key(.character(character))]
    }

    private static func length(_ first: UInt8) -> Int {
        switch first {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    private static func control(_ byte: UInt8) -> Key? {
        switch byte {
        case 8, 127: .backspace
        case 9: .tab
        case 10, 13: .enter
        case 1...26: .control(Character(Unicode.Scalar(byte + 96)))
        case 31: .control("/")
        default: nil
        }
    }

    private mutating func nextOfEscape() -> [TerminalInput]? {
        for length in (2...8).reversed() where buffer.count >= length {
            if let key = keys[Array(buffer.prefix(length))] {
                buffer.removeFirst(length)
                return [.key(key)]
            }
        }
        guard buffer.count > 1 else { return nil }
        switch buffer[1] {
        case UInt8(ascii: "["): return nextOfControlSequence()
        case UInt8(ascii: "O"):
            guard buffer.count > 2 else { return nil }
            let final = buffer[2]
            buffer.removeFirst(3)
            return Self.key(final: final, parameters: []).map { [.key($0)] } ?? []
        case 27:
            buffer.removeFirst()
            return [.key(.escape)]
        case let byte where byte > 32 && byte < 127:
            buffer.removeFirst(2)
            return [.key(.alt(Character(Unicode.Scalar(byte))))]
        default:
            buffer.removeFirst()
            return [.key(.escape)]
        }
    }

    /// `ESC [ parameters final`
    private mutating func nextOfControlSequence() -> [TerminalInput]? {
        guard let end = buffer.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
            // Whatever this is, it is not a key.
            if buffer.count > Self.longestSequence { buffer = [] }
            return nil
        }
        let (body, final) = (Array(buffer[2..<end]), buffer[end])
        buffer.removeFirst(end + 1)
        if body.first == UInt8(ascii: "<") { return Self.mouse(body.dropFirst(), isPress: final == UInt8(ascii: "M")) }
        let parameters = Self.numbers(body)
        if final == UInt8(ascii: "~"), parameters.first == 200 {
            pasted = []
            return []
        }
        return Self.key(final: final, parameters: parameters).map { [.key($0)] } ?? []
    }

    private static func numbers(_ bytes: some Collection<UInt8>) -> [Int] {
        bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { part in
            part.isEmpty ? 0 : Int(String(decoding: part, as: UTF8.self)) ?? -1
        }
    }

    private static func key(final: UInt8, parameters: [Int]) -> Key? {
        // The second number is 1 plus the sum of 1 for shift, 2 for alt and 4 for control.
        let modifiers = parameters.count > 1 ? max(parameters[1] - 1, 0) : 0
        let isShifted = modifiers & 1 != 0
        let isByWord = modifiers & 6 != 0
        switch final {
        case UInt8(ascii: "A"): return isShifted ? .shiftUp : .up
        case UInt8(ascii: "B"): return isShifted ? .shiftDown : .down
        case UInt8(ascii: "C"): return isByWord ? .wordRight : .right
        case UInt8(ascii: "D"): return isByWord ? .wordLeft : .left
        case UInt8(ascii: "H"): return .home
        case UInt8(ascii: "F"): return .end
        case UInt8(ascii: "P"): return .function(1)
        case UInt8(ascii: "Z"): return .backTab
        case UInt8(ascii: "~"):
            switch parameters.first {
            case 1, 7: return .home
            case 4, 8: return .end
            case 3: return .delete
            case 5: return .pageUp
            case 6: return .pageDown
            case 11: return .function(1)
            default: return nil
            }
        default: return nil
        }
    }

    /// `button ; column ; row`, both from 1 (SGR 1006).
    private static func mouse(_ body: some Collection<UInt8>, isPress: Bool) -> [TerminalInput] {
        let values = numbers(body)
        guard values.count == 3, isPress, values[1] > 0, values[2] > 0 else { return [] }
        let (x, y) = (values[1] - 1, values[2] - 1)
        // Bits 2 to 4 are shift, alt and control.
        switch values[0] & ~0b11100 {
        case 0: return [.press(x: x, y: y)]
        case 64: return [.wheel(-1, x: x, y: y)]
        case 65: return [.wheel(1, x: x, y: y)]
        default: return []
        }
    }

    private mutating func nextOfPaste() -> [TerminalInput]? {
        guard var text = pasted else { return nil }
        if let end = buffer.indices.first(where: { buffer[$0...].starts(with: Self.pasteEnd) }) {
            text += buffer[..<end]
            buffer.removeFirst(end + Self.pasteEnd.count)
            pasted = nil
            return [.paste(TerminalText.line(String(decoding: text.prefix(Self.longestPaste), as: UTF8.self)))]
        }
        // The end marker may arrive in pieces.
        let kept = min(buffer.count, Self.pasteEnd.count - 1)
        if text.count < Self.longestPaste { text += buffer.dropLast(kept) }
        buffer.removeFirst(buffer.count - kept)
        pasted = text
        return nil
    }
}
