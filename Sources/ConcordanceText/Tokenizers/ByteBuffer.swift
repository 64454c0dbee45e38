/// Scratch memory that grows and is used again: a tokenizer's, so that tokens cost no allocation.
struct ByteBuffer: ~Copyable {
    private var memory: UnsafeMutableBufferPointer<UInt8>

    init(capacity: Int = 64) {
        memory = .allocate(capacity: max(capacity, 1))
    }

    deinit { memory.deallocate() }

    var capacity: Int { memory.count }

    /// The memory, which is good until the next call of a mutating member.
    var start: UnsafeMutablePointer<UInt8> {
        // Never nil, since the capacity is never zero.
        memory.baseAddress.unsafelyUnwrapped
    }

    /// Makes room for `capacity` bytes, keeping the first `kept`; grows by half again at least.
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
