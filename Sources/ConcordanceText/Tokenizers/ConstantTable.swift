/// An immutable array for inner loops. Its elements are at a fixed address, so that reading one involves neither a
/// reference count nor a check of the index, which must be less than `count`.
// Sendable: nothing writes to the elements between `init` and `deinit`.
struct ConstantTable<Element: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
    private let elements: UnsafeMutableBufferPointer<Element>

    init(_ elements: [Element]) {
        self.elements = .allocate(capacity: elements.count)
        _ = self.elements.initialize(fromContentsOf: elements)
    }

    /// A table with the same elements, at another address.
    init(copying other: borrowing ConstantTable) {
        elements = .allocate(capacity: other.count)
        _ = elements.initialize(fromContentsOf: other.elements)
    }

    deinit {
        elements.deinitialize()
        elements.deallocate()
    }

    var count: Int { elements.count }

    /// The elements, valid as long as the table exists.
    var pointer: UnsafePointer<Element> {
        // Not nil: `allocate` always returns an address, even for no elements.
        UnsafePointer(elements.baseAddress.unsafelyUnwrapped)
    }

    @inline(__always)
    subscript(index: Int) -> Element {
        assert(index >= 0 && index < count)
        return pointer[index]
    }
}
