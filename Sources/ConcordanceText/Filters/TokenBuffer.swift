/// A growing buffer of bytes whose memory is reused from token to token.
struct TokenBuffer: ~Copyable {
    private(set) var base: UnsafeMutablePointer<UInt8>
    private(set) var capacity: Int
    var count = 0

    init(capacity: Int = 256) {
        self.capacity = max(capacity, 16)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deallocate() }

    /// Makes room for `capacity` bytes in all; keeps the first `count`.
    @inline(__always)
    mutating func reserve(_ capacity: Int) {
        if capacity > self.capacity { grow(to: capacity) }
    }

    @inline(never)
    private mutating func grow(to capacity: Int) {
        let larger = max(capacity, self.capacity * 2)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.update(from: base, count: count)
        base.deallocate()
        base = moved
        self.capacity = larger
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(count + 1)
        base[count] = byte
        count += 1
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafePointer<UInt8>, count added: Int) {
        reserve(count + added)
        (base + count).update(from: bytes, count: added)
        count += added
    }

    @inline(__always)
    mutating func append(scalar: UInt32) {
        reserve(count + 4)
        count += UTF8Scalars.encode(scalar, to: base + count)
    }

    @inline(__always)
    mutating func append(_ text: StaticString) { append(text.utf8Start, count: text.utf8CodeUnitCount) }

    /// The bytes in the buffer, valid until it changes.
    @inline(__always)
    var contents: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: UnsafePointer(base), count: count) }

    /// Forgets the first `removed` bytes.
    mutating func removeFirst(_ removed: Int) {
        base.update(from: base + removed, count: count - removed)
        count -= removed
    }
}
