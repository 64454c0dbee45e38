/// Values in memory that grows and is kept for the next use: an array without its checks of every access, for loops that
/// run once a posting. It is shared, not copied, by those who hold it.
final class GrowingBuffer<Element: BitwiseCopyable> {
    @exclusivity(unchecked) private var start: UnsafeMutablePointer<Element>
    @exclusivity(unchecked) private var capacity: Int
    @exclusivity(unchecked) private(set) var count = 0

    init(capacity: Int = 64) {
        self.capacity = max(capacity, 1)
        start = .allocate(capacity: self.capacity)
    }

    deinit { start.deallocate() }

    @inline(__always) var isEmpty: Bool { count == 0 }

    /// The values, until the next change or the end of the buffer, whichever comes first.
    @inline(__always)
    var values: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: start, count: count) }

    /// The same, to be changed in place.
    @inline(__always)
    var mutableValues: UnsafeMutableBufferPointer<Element> { UnsafeMutableBufferPointer(start: start, count: count) }

    @inline(__always)
    func append(_ element: Element) {
        if count == capacity { grow(by: 1) }
        (start + count).initialize(to: element)
        count &+= 1
    }

    @inline(__always)
    func append(contentsOf more: UnsafeBufferPointer<Element>) {
        guard let source = more.baseAddress else { return }
        room(for: more.count).initialize(from: source, count: more.count)
    }

    /// Adds values again that are there.
    @inline(__always)
    func append(copyOf range: Range<Int>) {
        let target = room(for: range.count)
        target.initialize(from: start + range.lowerBound, count: range.count)
    }

    /// Adds this many values, which the caller writes to the returned address.
    @inline(__always)
    func room(for more: Int) -> UnsafeMutablePointer<Element> {
        if more > capacity &- count { grow(by: more) }
        defer { count &+= more }
        return start + count
    }

    /// Replaces each value, in order, and drops those without a replacement.
    @inline(__always)
    func replaceEach(_ replacement: (Element) throws -> Element?) rethrows {
        var kept = 0
        for index in 0..<count {
            guard let element = try replacement(start[index]) else { continue }
            start[kept] = element
            kept &+= 1
        }
        count = kept
    }

    /// Keeps the first values only; no more than there are.
    @inline(__always)
    func truncate(to newCount: Int) { count = min(count, max(newCount, 0)) }

    /// Forgets everything; keeps the memory.
    @inline(__always)
    func removeAll() { count = 0 }

    /// Exchanges the values, and their memory, with those of another buffer.
    func exchange(with other: GrowingBuffer) {
        let own = (start: start, capacity: capacity, count: count)
        start = other.start
        capacity = other.capacity
        count = other.count
        other.start = own.start
        other.capacity = own.capacity
        other.count = own.count
    }

    /// Moves what follows the first `size` values to the beginning.
    func removeFirst(_ size: Int) {
        let rest = count - min(max(size, 0), count)
        start.update(from: start + (count - rest), count: rest)
        count = rest
    }

    @inline(never)
    private func grow(by more: Int) {
        let larger = max(capacity * 2, count + more)
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: larger)
        memory.moveInitialize(from: start, count: count)
        start.deallocate()
        start = memory
        capacity = larger
    }
}
