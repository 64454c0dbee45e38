/// An element of a heap.
protocol HeapElement {
    /// Whether it leaves the heap before another element.
    func leaves(before other: Self) -> Bool
}

/// The least number leaves first.
extension Double: HeapElement {
    @inline(__always)
    func leaves(before other: Double) -> Bool { self < other }
}

/// A binary heap. Creating it takes O(n), inserting or removing an element O(log n).
struct Heap<Element: HeapElement> {
    private(set) var elements: [Element]

    init(_ elements: consuming [Element] = []) {
        self.elements = elements
        for parent in stride(from: self.elements.count / 2 - 1, through: 0, by: -1) { siftDown(parent) }
    }

    var count: Int { elements.count }

    /// The element that leaves before all others.
    var first: Element? { elements.first }

    mutating func insert(_ element: Element) {
        elements.append(element)
        elements.withUnsafeMutableBufferPointer { elements in
            var child = elements.count - 1
            while child > 0 {
                let parent = (child - 1) / 2
                guard elements[child].leaves(before: elements[parent]) else { return }
                elements.swapAt(parent, child)
                child = parent
            }
        }
    }

    /// Inserts an element into a heap that keeps only the `capacity` elements that would leave last.
    mutating func insert(_ element: Element, keeping capacity: Int) {
        if elements.count < capacity { return insert(element) }
        guard let first, first.leaves(before: element) else { return }
        elements[0] = element
        siftDown(0)
    }

    mutating func popFirst() -> Element? {
        guard let first = elements.first, let last = elements.popLast() else { return nil }
        if !elements.isEmpty {
            elements[0] = last
            siftDown(0)
        }
        return first
    }

    private mutating func siftDown(_ start: Int) {
        elements.withUnsafeMutableBufferPointer { elements in
            var parent = start
            while true {
                var child = 2 * parent + 1
                guard child < elements.count else { return }
                if child + 1 < elements.count, elements[child + 1].leaves(before: elements[child]) { child += 1 }
                guard elements[child].leaves(before: elements[parent]) else { return }
                elements.swapAt(parent, child)
                parent = child
            }
        }
    }
}
