extension Array where Element: Comparable {
    /// The first index whose element is not less, among ascending ones.
    func firstIndex(from value: Element) -> Int { firstIndex(from: value, in: 0..<count) }

    /// The same from an index on. Cost: the logarithm of how far it is.
    func firstIndex(from value: Element, near start: Int) -> Int {
        var low = start
        var step = 1
        while low + step <= count, self[low + step - 1] < value {
            low += step
            step *= 2
        }
        return firstIndex(from: value, in: low..<Swift.min(low + step - 1, count))
    }

    private func firstIndex(from value: Element, in range: Range<Int>) -> Int {
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
