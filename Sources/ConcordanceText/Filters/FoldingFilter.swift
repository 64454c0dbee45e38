/// Folds each token in one pass, whatever the set of folds. A token that folds to nothing is dropped.
public final class FoldingFilter: TokenFilter {
    private let foldsGerman: Bool
    private let foldsScandinavian: Bool
    private var table: FoldingTable
    private var output = TokenBuffer()
    private var positions = PositionKeeper()
    /// What each ASCII byte folds to; `changes` marks those that fold to another byte, `leaves` those that leave ASCII.
    private let ascii: UnsafeMutablePointer<UInt8>
    private let classes: UnsafeMutablePointer<UInt8>
    private static let changes: UInt8 = 1
    private static let leaves: UInt8 = 0x80

    public init(_ folding: Folding) {
        foldsGerman = folding.contains(.german)
        foldsScandinavian = folding.contains(.scandinavian)
        table = FoldingTable(folding)
        ascii = .allocate(capacity: 128)
        classes = .allocate(capacity: 256)
        let foldsCase = !folding.isDisjoint(with: [.caseFolding, .turkicCaseFolding])
        for byte in UInt8.min..<0x80 {
            let isCapital = byte >= 0x41 && byte <= 0x5A
            (ascii + Int(byte)).initialize(to: isCapital && foldsCase ? byte + 0x20 : byte)
            (classes + Int(byte)).initialize(to: isCapital && foldsCase ? Self.changes : 0)
        }
        (classes + 0x80).initialize(repeating: Self.leaves, count: 0x80)
        if folding.contains(.turkicCaseFolding) { classes[0x49] = Self.leaves }
    }

    deinit {
        ascii.deallocate()
        classes.deallocate()
    }

    public override func begin() { positions.reset() }

    public override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        guard let input = token.baseAddress, !token.isEmpty else { return 0 }
        let count = token.count
        var seen: UInt8 = 0
        for index in 0..<count { seen |= classes[Int(input[index])] }
        if seen == 0, !foldsGerman, !foldsScandinavian {
            return pass(token, flags: flags, start: start, end: end)
        }
        if seen & Self.leaves == 0 {
            output.reserve(count)
            for index in 0..<count { output.base[index] = ascii[Int(input[index])] }
            output.count = count
        } else {
            foldScalars(token)
        }
        if foldsGerman { output.count = Digraphs.foldGerman(output.base, count: output.count) }
        if foldsScandinavian {
            output.count = Digraphs.foldScandinavian(output.base, count: output.count)
        }
        let folded = UnsafeBufferPointer(start: UnsafePointer(output.base), count: output.count)
        return pass(folded, flags: flags, start: start, end: end)
    }

    @inline(__always)
    private func pass(_ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int) -> Int32 {
        guard let flags = positions.flags(flags, keep: !token.isEmpty) else { return 0 }
        return emit(token, flags: flags, start: start, end: end)
    }

    private func foldScalars(_ input: UnsafeBufferPointer<UInt8>) {
        let count = input.count
        output.count = 0
        // An entry in line is at most three times as long as its character; a pooled one asks for its own room.
        output.reserve(3 * count)
        var index = 0
        while index < count {
            let byte = input[index]
            if classes[Int(byte)] & Self.leaves == 0 {
                output.base[output.count] = ascii[Int(byte)]
                output.count += 1
                index += 1
                continue
            }
            let (scalar, length) = UTF8Scalars.decode(input, at: index)
            let entry = scalar < UTF8Scalars.invalidBase ? table.entry(scalar) : FoldingTable.identity
            if entry == FoldingTable.identity {
                for offset in 0..<length { output.base[output.count + offset] = input[index + offset] }
                output.count += length
            } else if entry & FoldingTable.contextual == FoldingTable.inlineKind {
                let length = Int(entry >> 24 & 3)
                for offset in 0..<length {
                    output.base[output.count + offset] = UInt8(truncatingIfNeeded: entry >> (8 * UInt32(offset)))
                }
                output.count += length
            } else if entry == FoldingTable.contextual {
                return table.foldInContext(input, into: &output)
            } else {
                let length = Int(entry >> 22 & 0xFF)
                output.reserve(output.count + length + 3 * (count - index))
                (output.base + output.count).update(
                    from: table.pool.base + Int(entry & 0x3F_FFFF), count: length)
                output.count += length
            }
            index += length
        }
    }
}

/// Spellings of umlauts by two letters, folded in place in a token whose characters are folded already.
enum Digraphs {
    /// ae, oe and ue lose their e; ue keeps it after a vowel or q. Returns the new length.
    static func foldGerman(_ bytes: UnsafeMutablePointer<UInt8>, count: Int) -> Int {
        var target = 0
        var allowsUmlaut = true
        var index = 0
        while index < count {
            let letter = bytes[index]
            bytes[target] = letter
            target += 1
            index += 1
            let small = letter | 0x20
            switch small {
            case 0x61, 0x6F:  // a, o
                if index < count, bytes[index] | 0x20 == 0x65 { index += 1 }
                allowsUmlaut = false
            case 0x75:  // u
                if allowsUmlaut, index < count, bytes[index] | 0x20 == 0x65 { index += 1 }
                allowsUmlaut = false
            case 0x65, 0x69, 0x71, 0x79:  // e, i, q, y
                allowsUmlaut = false
            default:
                allowsUmlaut = true
            }
        }
        return target
    }

    /// aa, ae and ao become a; oe and oo become o. Returns the new length.
    static func foldScandinavian(_ bytes: UnsafeMutablePointer<UInt8>, count: Int) -> Int {
        var target = 0
        var index = 0
        while index < count {
            let letter = bytes[index]
            bytes[target] = letter
            target += 1
            index += 1
            guard index < count else { break }
            let small = letter | 0x20
            let second = bytes[index] | 0x20
            let isA = small == 0x61 && (second == 0x61 || second == 0x65 || second == 0x6F)
            let isO = small == 0x6F && (second == 0x65 || second == 0x6F)
            if isA || isO { index += 1 }
        }
        return target
    }
}
