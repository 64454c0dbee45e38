/// The 64-bit xxHash of a stream of bytes, with seed zero.
///
/// Written from the specification, https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md (Yann Collet, 2016).
/// It tells whether a file or an object has changed; 64 bits are ample for that, since nobody gains from a collision.
package struct XXHash64 {
    private static let prime1: UInt64 = 11_400_714_785_074_694_791
    private static let prime2: UInt64 = 14_029_467_366_897_019_727
    private static let prime3: UInt64 = 1_609_587_929_392_839_161
    private static let prime4: UInt64 = 9_650_029_242_287_828_579
    private static let prime5: UInt64 = 2_870_177_450_012_600_261
    private static let stripe = 32

    private var lanes: (UInt64, UInt64, UInt64, UInt64) = (prime1 &+ prime2, prime2, 0, 0 &- prime1)
    /// The bytes behind the last whole stripe, and how many they are.
    private var pending: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    private var pendingCount = 0
    private var count: UInt64 = 0

    package init() {}

    package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        count &+= UInt64(bytes.count)
        var start = 0
        if pendingCount > 0 {
            start = min(Self.stripe - pendingCount, bytes.count)
            keep(UnsafeRawBufferPointer(rebasing: bytes[..<start]))
            guard pendingCount == Self.stripe else { return }
            withUnsafeBytes(of: pending) { consume($0) }
            pendingCount = 0
        }
        let end = start + (bytes.count - start) / Self.stripe * Self.stripe
        consume(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        keep(UnsafeRawBufferPointer(rebasing: bytes[end...]))
    }

    package mutating func update(byte: UInt8) { withUnsafeBytes(of: byte) { update($0) } }

    /// Appends bytes that make no more than a stripe of those that are pending.
    private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
        withUnsafeMutableBytes(of: &pending) {
            UnsafeMutableRawBufferPointer(rebasing: $0[pendingCount...]).copyMemory(from: bytes)
        }
        pendingCount += bytes.count
    }

    package func finish() -> UInt64 {
        var hash: UInt64
        if count >= UInt64(Self.stripe) {
            hash =
                Self.rotate(lanes.0, 1) &+ Self.rotate(lanes.1, 7) &+ Self.rotate(lanes.2, 12)
                &+ Self.rotate(lanes.3, 18)
            hash = Self.merged(hash, lanes.0)
            hash = Self.merged(hash, lanes.1)
            hash = Self.merged(hash, lanes.2)
            hash = Self.merged(hash, lanes.3)
        } else {
            hash = Self.prime5
        }
        hash &+= count
        withUnsafeBytes(of: pending) { pending in
            let tail = pending[..<pendingCount]
            var at = 0
            while at + 8 <= tail.count {
                let word = UInt64(littleEndian: tail.loadUnaligned(fromByteOffset: at, as: UInt64.self))
                hash = Self.rotate(hash ^ Self.round(0, word), 27) &* Self.prime1 &+ Self.prime4
                at += 8
            }
            if at + 4 <= tail.count {
                let word = UInt32(littleEndian: tail.loadUnaligned(fromByteOffset: at, as: UInt32.self))
                hash = Self.rotate(hash ^ (UInt64(word) &* Self.prime1), 23) &* Self.prime2 &+ Self.prime3
                at += 4
            }
            while at < tail.count {
                hash = Self.rotate(hash ^ (UInt64(tail[at]) &* Self.prime5), 11) &* Self.prime1
                at += 1
            }
        }
        hash = (hash ^ (hash >> 33)) &* Self.prime2
        hash = (hash ^ (hash >> 29)) &* Self.prime3
        return hash ^ (hash >> 32)
    }

    /// Consumes whole stripes.
    private mutating func consume(_ bytes: UnsafeRawBufferPointer) {
        var (a, b, c, d) = lanes
        var at = 0
        while at + Self.stripe <= bytes.count {
            a = Self.round(a, UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
            b = Self.round(b, UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at + 8, as: UInt64.self)))
            c = Self.round(c, UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at + 16, as: UInt64.self)))
            d = Self.round(d, UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at + 24, as: UInt64.self)))
            at += Self.stripe
        }
        lanes = (a, b, c, d)
    }

    private static func merged(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
        (hash ^ round(0, lane)) &* prime1 &+ prime4
    }

    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotate(lane &+ word &* prime2, 31) &* prime1
    }

    private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 { value << bits | value >> (64 &- bits) }
}
