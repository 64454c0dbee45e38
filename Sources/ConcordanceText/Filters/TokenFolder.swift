/// Folds tokens, one at a time, into memory of its own.
struct TokenFolder: ~Copyable {
    var positions = PositionKeeper()
    /// Whether A to Z become a to z and other ASCII bytes stay: case folding that is not Turkic.
    private let lowersASCII: Bool
    private let foldsGerman: Bool
    private let foldsScandinavian: Bool
    private let foldsScripts: Bool
    /// Whether pairs of ASCII letters fold, too.
    var foldsDigraphs: Bool { foldsGerman || foldsScandinavian }
    private var table: FoldingTable
    private var output = TokenBuffer()
    private var otherOutput = TokenBuffer(capacity: 0)
    /// What each ASCII byte folds to.
    private let ascii: UnsafeMutablePointer<UInt8>
    /// By byte: `changes` if it folds to another ASCII byte, `leaves` if it needs the table: it is not ASCII, does not
    /// stay so, or depends on its neighbours.
    private let classes: UnsafeMutablePointer<UInt8>
    private static let changes: UInt8 = 1
    private static let leaves: UInt8 = 0x80

    init(_ folding: Folding) {
        lowersASCII = folding.contains(.caseFolding) && !folding.contains(.turkicCaseFolding)
        foldsGerman = folding.contains(.german)
        foldsScandinavian = folding.contains(.scandinavian)
        foldsScripts = folding.contains(.scripts)
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
        if folding.contains(.scripts) { classes[0x22] = Self.leaves }
    }

    deinit {
        ascii.deallocate()
        classes.deallocate()
    }

    /// The folded token: the token itself if nothing changes, otherwise bytes that are valid until the next call.
    mutating func fold(_ token: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        guard let input = token.baseAddress else { return token }
        let count = token.count
        if lowersASCII, let isChanged = lowerASCII(input, count) {
            if !isChanged, !foldsGerman, !foldsScandinavian { return token }
            return foldDigraphs()
        }
        var seen: UInt8 = 0
        for index in 0..<count { seen |= classes[Int(input[index])] }
        if seen == 0, !foldsGerman, !foldsScandinavian { return token }
        if seen & Self.leaves == 0 {
            output.reserve(count)
            let target = output.base
            for index in 0..<count { target[index] = ascii[Int(input[index])] }
            output.count = count
        } else {
            foldScalars(token)
        }
        return foldDigraphs()
    }

    @inline(__always)
    private mutating func foldDigraphs() -> UnsafeBufferPointer<UInt8> {
        if foldsGerman { output.count = Digraphs.foldGerman(output.base, count: output.count) }
        if foldsScandinavian { output.count = Digraphs.foldScandinavian(output.base, count: output.count) }
        return output.contents
    }

    /// What a folded token that may go on could begin with, instead of itself, once it does: the first letters of हिन्दी
    /// are हिन or, as the word is folded, हिं. The bytes are valid until the next call. Nil if it only begins with itself.
    mutating func foldHalfTyped(_ folded: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
        guard foldsScripts, let base = folded.baseAddress, let (start, anusvara) = ScriptFolding.finalNasal(folded)
        else {
            return nil
        }
        otherOutput.count = 0
        otherOutput.append(base, count: start)
        otherOutput.append(scalar: anusvara)
        return otherOutput.contents
    }

    /// Writes the token to `output` in lower case and returns whether that changed it; nil if it is not ASCII. Reads
    /// eight bytes at a time, some of the last perhaps twice, since a loop over bytes mispredicts its end on most
    /// words.
    @inline(__always)
    private mutating func lowerASCII(_ input: UnsafePointer<UInt8>, _ count: Int) -> Bool? {
        output.reserve(count)
        output.count = count
        let (source, target) = (UnsafeRawPointer(input), UnsafeMutableRawPointer(output.base))
        var seen: UInt64 = 0
        var changes: UInt64 = 0
        if count >= 8 {
            var index = 0
            while index < count {
                let place = min(index, count - 8)
                let bytes = source.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                let lowered = Self.lowered(bytes)
                target.storeBytes(of: lowered, toByteOffset: place, as: UInt64.self)
                seen |= bytes
                changes |= bytes ^ lowered
                index += 8
            }
        } else if count >= 4 {
            let first = source.loadUnaligned(as: UInt32.self)
            let last = source.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
            seen = UInt64(last) << 32 | UInt64(first)
            let lowered = Self.lowered(seen)
            target.storeBytes(of: UInt32(truncatingIfNeeded: lowered), as: UInt32.self)
            target.storeBytes(of: UInt32(truncatingIfNeeded: lowered >> 32), toByteOffset: count - 4, as: UInt32.self)
            changes = seen ^ lowered
        } else if count > 0 {
            let (middle, last) = (count >> 1, count - 1)
            seen = UInt64(input[0]) | UInt64(input[middle]) << 8 | UInt64(input[last]) << 16
            let lowered = Self.lowered(seen)
            output.base[0] = UInt8(truncatingIfNeeded: lowered)
            output.base[middle] = UInt8(truncatingIfNeeded: lowered >> 8)
            output.base[last] = UInt8(truncatingIfNeeded: lowered >> 16)
            changes = seen ^ lowered
        }
        return seen & 0x8080_8080_8080_8080 == 0 ? changes != 0 : nil
    }

    /// Eight bytes with A to Z as a to z; bytes that are not ASCII stay.
    @inline(__always)
    private static func lowered(_ bytes: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let low = bytes & (ones * 0x7F)
        // The top bit of each byte says whether it is A or greater, and greater than Z.
        let fromA = low + ones * (0x80 - 0x41)
        let beyondZ = low + ones * (0x7F - 0x5A)
        return bytes | (fromA & ~beyondZ & ~bytes & (ones * 0x80)) >> 2
    }

    private mutating func foldScalars(_ input: UnsafeBufferPointer<UInt8>) {
        output.count = 0
        // An inline entry is at most three times as long as its character; a pooled one reserves its own room.
        output.reserve(3 * input.count)
        var target = output.base
        var count = 0
        var index = 0
        while index < input.count {
            let byte = input[index]
            if classes[Int(byte)] & Self.leaves == 0 {
                target[count] = ascii[Int(byte)]
                count += 1
                index += 1
                continue
            }
            let (scalar, length) = UTF8Scalars.decode(input, at: index)
            let entry = scalar < UTF8Scalars.invalidBase ? table.entry(scalar) : FoldingTable.identity
            if entry == FoldingTable.identity {
                for offset in 0..<length { target[count + offset] = input[index + offset] }
                count += length
            } else if entry & FoldingTable.contextual == FoldingTable.inlineKind {
                let length = Int(entry >> 24 & 3)
                for offset in 0..<length {
                    target[count + offset] = UInt8(truncatingIfNeeded: entry >> (8 * UInt32(offset)))
                }
                count += length
            } else if entry == FoldingTable.contextual {
                return table.foldInContext(input, into: &output)
            } else {
                let length = Int(entry >> 22 & 0xFF)
                output.count = count
                output.reserve(count + length + 3 * (input.count - index))
                target = output.base
                (target + count).update(from: table.pool.base + Int(entry & 0x3F_FFFF), count: length)
                count += length
            }
            index += length
        }
        output.count = count
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
