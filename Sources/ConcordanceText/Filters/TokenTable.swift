/// Byte strings, each with a number from zero in the order of their insertion: a hash table with open addressing.
///
/// `slots` holds numbers plus one, zero for empty, and is at most half full; `ends[i]` is where string i ends in
/// `bytes`. Hashes have a random seed, so that nobody can write a text whose tokens collide.
struct TokenTable: ~Copyable {
    private var slots: [Int32]
    private var hashes: [UInt32] = []
    private var ends: [Int] = []
    private var bytes = TokenBuffer()
    private let seed = UInt64.random(in: .min ... .max)

    init() { slots = Array(repeating: 0, count: 64) }

    var count: Int { ends.count }

    /// Forgets all strings and keeps the memory.
    mutating func removeAll() {
        // Slot by slot, since the table may be much larger than its contents.
        let mask = slots.count - 1
        for number in hashes.indices {
            var slot = Int(hashes[number]) & mask
            while slots[slot] != Int32(truncatingIfNeeded: number + 1) { slot = (slot + 1) & mask }
            slots[slot] = 0
        }
        hashes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        bytes.count = 0
    }

    /// The number of a string; nil if it was not inserted.
    func find(_ token: UnsafeBufferPointer<UInt8>) -> Int? {
        let number = slots[slot(of: token, hash(token))]
        return number == 0 ? nil : Int(number) - 1
    }

    /// Inserts a string if it is new; returns its number and whether it was new.
    @discardableResult
    mutating func insert(_ token: UnsafeBufferPointer<UInt8>) -> (number: Int, isNew: Bool) {
        let hash = hash(token)
        let slot = slot(of: token, hash)
        if slots[slot] != 0 { return (Int(slots[slot]) - 1, false) }
        if let base = token.baseAddress { bytes.append(base, count: token.count) }
        ends.append(bytes.count)
        hashes.append(hash)
        slots[slot] = Int32(truncatingIfNeeded: ends.count)
        if ends.count * 2 > slots.count { grow() }
        return (ends.count - 1, true)
    }

    @discardableResult
    mutating func insert(_ text: String) -> Int {
        var text = text
        return text.withUTF8 { insert($0).number }
    }

    /// The string with this number, valid until the next insertion.
    func token(_ number: Int) -> UnsafeBufferPointer<UInt8> {
        let start = number == 0 ? 0 : ends[number - 1]
        return UnsafeBufferPointer(start: bytes.base + start, count: ends[number] - start)
    }

    /// The slot that holds the string, or the empty one where it belongs.
    private func slot(of token: UnsafeBufferPointer<UInt8>, _ hash: UInt32) -> Int {
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if hashes[number] == hash, isEqual(token, self.token(number)) { return slot }
            slot = (slot + 1) & mask
        }
        return slot
    }

    private func isEqual(_ first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>) -> Bool {
        guard first.count == second.count else { return false }
        for index in 0..<first.count where first[index] != second[index] { return false }
        return true
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        let mask = slots.count - 1
        for number in hashes.indices {
            var slot = Int(hashes[number]) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = Int32(truncatingIfNeeded: number + 1)
        }
    }

    /// A multiply-and-rotate hash with a finalizer (that of SplitMix64).
    private func hash(_ token: UnsafeBufferPointer<UInt8>) -> UInt32 {
        var value = seed ^ UInt64(truncatingIfNeeded: token.count)
        for byte in token {
            value = (value ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
            value ^= value >> 29
        }
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        return UInt32(truncatingIfNeeded: value >> 32)
    }
}
