import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("Terms in memory")
struct PendingTermsTests {
    struct Place: Hashable {
        var event: UInt32
        var position: Position?
    }

    private func bytes(_ random: inout SeededGenerator) -> [UInt8] {
        // Few of most lengths, so that terms come again; some longer than a slice, and NULs at the ends.
        let count = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 300][Int.random(in: 0..<14, using: &random)]
        return (0..<count).map { _ in [0, 97, 98, 255][Int.random(in: 0..<4, using: &random)] }
    }

    private func contents(_ terms: PendingTerms) -> [[UInt8]: [Place]] {
        var result: [[UInt8]: [Place]] = [:]
        let buffer = GrowingBuffer<Position>()
        for term in 0..<terms.count {
            var list = terms.list(term)
            var places: [Place] = []
            while list.next() {
                buffer.removeAll()
                let copy = list
                list.readPlaces(into: buffer)
                checkColumns(copy, of: buffer.values)
                if buffer.count == 0 { places.append(Place(event: list.event)) }
                for position in buffer.values { places.append(Place(event: list.event, position: position)) }
            }
            result[Array(terms.key(term))] = places
        }
        return result
    }

    /// The columns and differences of the current event are those of its places.
    private func checkColumns(_ list: PendingTerms.List, of places: UnsafeBufferPointer<Position>) {
        var expected: [UInt32: [UInt32]] = [:]
        for place in places { expected[place.column, default: []].append(place.offset) }
        let counts = expected.mapValues { UInt32($0.count) }
        var counted = list
        var found: [UInt32: UInt32] = [:]
        counted.forEachColumn { found[$0] = $1 }
        #expect(found == counts)
        var copied = list
        let (columns, differences) = (GrowingBuffer<ColumnFrequency>(), GrowingBuffer<UInt32>())
        copied.copyPosting(columns: columns, differences: differences)
        #expect(columns.values.map(\.column) == expected.keys.sorted())
        #expect(columns.values.allSatisfy { $0.count == counts[$0.column] })
        var rest = differences.values[...]
        for column in expected.keys.sorted() {
            var next: UInt32 = 0
            for offset in expected[column] ?? [] {
                #expect(rest.popFirst() == offset - next)
                next = offset + 1
            }
        }
        #expect(rest.isEmpty)
        #expect(counted.next() == copied.next() && counted.event == copied.event)
    }

    @Test(arguments: 0..<6)
    func `give back what was added, in order`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let terms = PendingTerms()
        for _ in 0..<2 {
            var model: [[UInt8]: [Place]] = [:]
            var event: UInt32 = 0
            for _ in 0..<400 {
                event += UInt32([0, 1, 1, 40, 5000][Int.random(in: 0..<5, using: &random)])
                let hasPlaces = Bool.random(using: &random)
                var offset: UInt32 = 0
                for column in UInt32(0)..<3 where Bool.random(using: &random) {
                    offset = 0
                    for _ in 0..<Int.random(in: 0...12, using: &random) {
                        let token = bytes(&random)
                        let hash = token.withUnsafeBufferPointer { TokenHash.hash($0) }
                        let position = Position(column: column, offset: offset)
                        token.withUnsafeBufferPointer {
                            if hasPlaces {
                                terms.add($0, hash: hash, event: event, column: column, offset: offset)
                            } else {
                                terms.add($0, hash: hash, event: event)
                            }
                        }
                        let place = Place(event: event, position: hasPlaces ? position : nil)
                        if model[token]?.last != place { model[token, default: []].append(place) }
                        offset += UInt32([0, 1, 1, 200, 70_000][Int.random(in: 0..<5, using: &random)])
                    }
                }
                event += 1
            }
            #expect(contents(terms) == model, "seed \(seed)")
            terms.removeAll()
            #expect(terms.count == 0)
        }
    }

    @Test(arguments: 0..<4)
    func `are the same if a document's tokens come in batches`(seed: UInt64) {
        var random = SeededGenerator(seed: 70 + seed)
        let (batched, single) = (PendingTerms(), PendingTerms())
        let builder = DocumentBuilder(columnCount: 2, terms: batched)
        // The table grows within batches; some tokens are longer than those of a batch together, some documents have none.
        for event in UInt32(0)..<60 {
            builder.begin(event, hasPlaces: true, terms: batched)
            for column in 0..<2 {
                for offset in 0..<UInt32([0, 1, 63, 64, 65, 300].randomElement(using: &random)!) {
                    let count = [3, 3, 3, 20, 1100].randomElement(using: &random)!
                    let token = bytes(&random) + Array("\(Int.random(in: 0..<20_000, using: &random))".utf8)
                    let padded = token + Array(repeating: 120, count: max(count - token.count, 0))
                    padded.withUnsafeBufferPointer {
                        builder.add($0, column: column, isColocated: false)
                        single.add(
                            $0, hash: TokenHash.hash($0), event: event, column: UInt32(column), offset: offset)
                    }
                }
            }
            builder.end()
        }
        #expect(contents(batched) == contents(single), "seed \(seed)")
        #expect(batched.count > 1000)
    }

    @Test
    func `have no tokens of a document that is given up`() {
        let terms = PendingTerms()
        let builder = DocumentBuilder(columnCount: 1, terms: terms)
        for (event, word) in [(UInt32(0), "given up"), (1, "kept")] {
            builder.begin(event, hasPlaces: true, terms: terms)
            Array(word.utf8).withUnsafeBufferPointer { builder.add($0, column: 0, isColocated: false) }
        }
        builder.end()
        let kept = Place(event: 1, position: Position(column: 0, offset: 0))
        #expect(contents(terms) == [Array("kept".utf8): [kept]])
    }

    @Test
    func `many terms of one hash are told apart`() {
        let terms = PendingTerms()
        for number in 0..<2000 {
            Array("term\(number) and more".utf8).withUnsafeBufferPointer {
                terms.add($0, hash: 7, event: UInt32(number), column: 0, offset: 1)
            }
        }
        #expect(terms.count == 2000)
        #expect(contents(terms).allSatisfy { $0.value.count == 1 })
    }

    @Test(arguments: 0..<4)
    func `come in the order of their bytes, and their prefixes as well`(seed: UInt64) {
        var random = SeededGenerator(seed: 90 + seed)
        let terms = PendingTerms()
        let letters: [UInt8] = [0, 97, 98, 0x7F, 0x80, 0xBF, 0xC3, 0xE4, 0xFF]
        for _ in 0..<300 {
            let count = Int.random(in: 0...14, using: &random)
            // Well-formed words as well as any bytes.
            let isText = Bool.random(using: &random)
            let text = (0..<count).map { _ in ["a", "b", "ä", "語", "😀"].randomElement(using: &random)! }.joined()
            let token = isText ? Array(text.utf8) : (0..<count).map { _ in letters.randomElement(using: &random)! }
            token.withUnsafeBufferPointer { terms.add($0, hash: TokenHash.hash($0), event: 0, column: 0, offset: 0) }
        }
        let sorted = terms.sorted
        let keys = sorted.map { Array(terms.key(Int($0.number))) }
        #expect(keys.count == terms.count)
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
        for characters in 1...9 {
            let prefixes = sorted.compactMap { terms.prefix(of: $0, characters: characters) }
            let expected = keys.compactMap { key in
                key.withUnsafeBufferPointer { PrefixKey.byteCount(of: $0, characters: characters) }.map { key[..<$0] }
            }
            #expect(prefixes.map { Array(terms.bytes(of: $0)) } == expected.map(Array.init), "\(characters)")
            for (left, bytes) in zip(prefixes, expected) {
                for (right, others) in zip(prefixes, expected) {
                    #expect(
                        terms.precedes(left, right) == bytes.lexicographicallyPrecedes(others), "\(bytes) \(others)")
                }
            }
        }
    }

    @Test
    func `a buffer that shrinks to a mark keeps what was there`() {
        var random = SeededGenerator(seed: 1)
        let buffer = PendingBuffer(columnCount: 1)
        let builder = DocumentBuilder(columnCount: 1, terms: buffer.terms)
        func insert(_ rowID: Int64) {
            let event = buffer.begin(rowID: rowID)
            builder.begin(event, hasPlaces: true, terms: buffer.terms)
            for _ in 0..<20 {
                bytes(&random).withUnsafeBufferPointer { builder.add($0, column: 0, isColocated: false) }
            }
            builder.end()
            buffer.complete(event, as: .insertion, builder)
        }
        for rowID in Int64(0)..<50 { insert(rowID) }
        let early = buffer.mark
        buffer.kill(7)
        for rowID in Int64(50)..<80 { insert(rowID) }
        let mark = buffer.mark
        let before = contents(buffer.terms)
        for rowID in Int64(80)..<2000 { insert(rowID) }
        buffer.kill(9)
        let size = buffer.byteCount
        buffer.shrink(to: mark)
        #expect(contents(buffer.terms) == before)
        #expect(buffer.byteCount < size / 2)
        #expect(buffer.liveCount == 79)
        #expect(buffer.row(7) == .untouched)
        #expect(buffer.row(9) == .inserted(9))
        #expect(buffer.row(80) == .untouched)
        buffer.rollback(to: early)
        #expect(buffer.liveCount == 50)
        #expect(buffer.row(7) == .inserted(7))
        #expect(buffer.row(60) == .untouched)
    }
}

@Suite("Hashes of tokens")
struct TokenHashTests {
    /// Fingerprints are stored, so the function may never change. The values were computed apart, in Python.
    @Test(
        arguments: [
            ("", 0x8DD9_092E_2A44_8508),
            ("a", 0xCB25_BA40_52B4_5293),
            ("ab", 0x2AE3_CF75_D27B_CFE9),
            ("abc", 0xCCBB_B256_A693_BABE),
            ("word", 0xE853_E251_A7F4_B1DC),
            ("words", 0xF602_010E_349C_1792),
            ("concord", 0xAA88_0AD2_E0BC_B405),
            ("concordances", 0x7FAA_606F_9173_17ED),
            ("sixteen letters!", 0x88A7_BC06_369E_8301),
            ("seventeen letters", 0x87A7_13E2_081A_00C5),
            ("a token of more than thirty-two bytes in all", 0xA9DF_0BFE_5EB1_21A4),
        ] as [(String, UInt64)])
    func `are what they always were`(text: String, hash: UInt64) {
        #expect(Array(text.utf8).withUnsafeBufferPointer { TokenHash.hash($0) } == hash, "\(text)")
    }

    /// A product with zero loses its other half, and words can be chosen for that.
    @Test
    func `those of chosen words differ only with a seed that nobody knows`() {
        let words = (0..<1000).map { Array("wenxhtfkibvphqiu8urr8m0b\(10_000_000 + $0)".utf8) }
        #expect(Set(words.map { $0.withUnsafeBufferPointer { TokenHash.hash($0) } }).count == 1)
        for seed in [0, 1, .max, UInt64.random(in: 0 ... .max)] {
            let hashes = words.map { $0.withUnsafeBufferPointer { TokenHash.hash($0, seed: seed) } }
            #expect(Set(hashes.map { $0 >> 32 }).count > 990, "\(seed)")
        }
        // Every byte counts, at any length.
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            let others = bytes.indices.map { place in
                var other = bytes
                other[place] ^= 1
                return other
            }
            let hashes = ([bytes] + others).map { $0.withUnsafeBufferPointer { TokenHash.hash($0, seed: 7) } }
            #expect(Set(hashes).count == count + 1, "\(count) bytes")
        }
    }

    @Test
    func `are the same wherever the bytes lie`() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            let hashes = (0..<9).map { shift in
                ([UInt8](repeating: 1, count: shift) + bytes).withUnsafeBufferPointer {
                    TokenHash.hash(UnsafeBufferPointer(rebasing: $0[shift...]))
                }
            }
            #expect(Set(hashes).count == 1, "\(count) bytes")
        }
    }

    @Test
    func `a fingerprint tells order, columns and synonyms apart`() {
        let hashes = [1, 2, 3].map { UInt64($0) &* 0x1234_5678_9ABC_DEF1 }
        func value(_ tokens: [(Int, UInt32, Bool)]) -> UInt32 {
            var fingerprint = Fingerprint()
            for (token, column, isColocated) in tokens {
                fingerprint.add(token: hashes[token], column: column, isColocated: isColocated)
            }
            return fingerprint.value
        }
        let values = [
            value([]), value([(0, 0, false)]), value([(0, 1, false)]), value([(0, 0, true)]),
            value([(0, 0, false), (1, 0, false)]), value([(1, 0, false), (0, 0, false)]),
            value([(0, 0, false), (1, 0, true)]), value([(0, 0, false), (1, 1, false)]),
            value([(0, 0, false), (0, 0, false)]),
        ]
        #expect(Set(values).count == values.count)
    }
}
