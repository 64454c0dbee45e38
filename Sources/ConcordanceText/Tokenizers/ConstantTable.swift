/// An array that is made once and read in inner loops: its elements are at a fixed address, so that reading one takes
/// neither a reference count nor a check of the index. That must be less than `count`.
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

    /// The elements, for as long as the table lives.
    var pointer: UnsafePointer<Element> {
        // Not nil: `allocate` always has an address, for no elements too.
        UnsafePointer(elements.baseAddress.unsafelyUnwrapped)
    }

    @inline(__always)
    subscript(index: Int) -> Element {
        assert(index >= 0 && index < count)
        return pointer[index]
    }
}
