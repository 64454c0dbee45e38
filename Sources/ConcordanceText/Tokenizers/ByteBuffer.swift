/// Reusable scratch memory that grows: a tokenizer's, so that tokens cost no allocations.
///
/// A tokenizer takes its buffer out of its own property while it works and puts it back at the end, so that a sink that
/// calls the same tokenizer again gets another buffer instead of sharing this one.
struct ByteBuffer: ~Copyable {
    /// The initial size of a buffer: most texts need no more, and it stays in the first-level cache.
    static let usualCapacity = 4096

    /// The largest buffer that is worth keeping; one token of megabytes should not cost them for good.
    static let keptCapacity = 1 << 20

    private var memory: UnsafeMutableBufferPointer<UInt8>

    init(capacity: Int = ByteBuffer.usualCapacity) {
        memory = .allocate(capacity: max(capacity, 1))
    }

    deinit { memory.deallocate() }

    var capacity: Int { memory.count }

    /// The memory, valid until the next call of a mutating member.
    var start: UnsafeMutablePointer<UInt8> {
        // Never nil, since the capacity is never zero.
        memory.baseAddress.unsafelyUnwrapped
    }

    /// Makes room for `capacity` bytes, keeping the first `kept`; grows by at least half.
    @discardableResult
    mutating func reserve(_ capacity: Int, keeping kept: Int = 0) -> UnsafeMutablePointer<UInt8> {
        if capacity > memory.count { grow(to: capacity, keeping: kept) }
        return start
    }

    private mutating func grow(to capacity: Int, keeping kept: Int) {
        let larger = UnsafeMutableBufferPointer<UInt8>.allocate(
            capacity: max(capacity, memory.count + memory.count / 2))
        larger.baseAddress.unsafelyUnwrapped.update(from: start, count: min(kept, memory.count))
        memory.deallocate()
        memory = larger
    }
}
