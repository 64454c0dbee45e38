extension GrowingBuffer {
    /// Up to this many values are sorted by insertion.
    private static var few: Int { 48 }

    /// Sorts values that are mostly few, and in sorted runs, as the positions of a document are.
    @inline(__always)
    func sortFew(by precedes: (Element, Element) -> Bool) {
        var values = mutableValues
        guard values.count <= Self.few else { return values.sort(by: precedes) }
        var index = 1
        while index < values.count {
            let value = values[index]
            var free = index
            while free > 0, precedes(value, values[free &- 1]) {
                values[free] = values[free &- 1]
                free &-= 1
            }
            values[free] = value
            index &+= 1
        }
    }
}
