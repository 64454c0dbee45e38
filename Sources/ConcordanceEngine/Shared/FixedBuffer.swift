/// A fixed number of values that stay in place until the buffer is destroyed: an array without its checks and without
/// the counting of references, for loops that run once a posting.
struct FixedBuffer<Element>: ~Copyable {
    let start: UnsafeMutablePointer<Element>
    let count: Int

    init(repeating value: Element, count: Int) {
        self.count = count
        start = .allocate(capacity: max(count, 1))
        start.initialize(repeating: value, count: count)
    }

    init(_ values: [Element]) {
        count = values.count
        start = .allocate(capacity: max(count, 1))
        for (index, value) in values.enumerated() { (start + index).initialize(to: value) }
    }

    /// Values that have to be written before they are read. Memory that is not written costs nothing.
    init(unwritten count: Int) where Element: BitwiseCopyable {
        self.count = count
        start = .allocate(capacity: max(count, 1))
    }

    deinit {
        start.deinitialize(count: count)
        start.deallocate()
    }

    /// Replaces the first values, as many as the array has; no more than there are.
    func update(from values: [Element]) {
        values.withUnsafeBufferPointer { source in
            guard let first = source.baseAddress else { return }
            start.update(from: first, count: min(source.count, count))
        }
    }

    @inline(__always)
    subscript(index: Int) -> Element {
        get { start[index] }
        nonmutating set { start[index] = newValue }
    }
}
