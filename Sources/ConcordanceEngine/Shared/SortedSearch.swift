extension Range<Int> {
    /// The first number for which `isBefore` is false, or the end. It must be true up to there and false from there on.
    @inline(__always)
    func partitionPoint(_ isBefore: (Int) throws -> Bool) rethrows -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = (low + high) / 2
            if try isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The same at the cost of the logarithm of how far from the beginning it is.
    @inline(__always)
    func nearPartitionPoint(_ isBefore: (Int) throws -> Bool) rethrows -> Int {
        var low = lowerBound
        var step = 1
        while step <= upperBound - low, try isBefore(low + step - 1) {
            low += step
            step *= 2
        }
        return try (low..<Swift.min(low + step - 1, upperBound)).partitionPoint(isBefore)
    }

    /// The same at the cost of the logarithm of how far from `guess` it is.
    @inline(__always)
    func partitionPoint(near guess: Int, _ isBefore: (Int) throws -> Bool) rethrows -> Int {
        guard !isEmpty else { return lowerBound }
        let guess = Swift.min(Swift.max(guess, lowerBound), upperBound - 1)
        if try isBefore(guess) { return try (guess + 1..<upperBound).nearPartitionPoint(isBefore) }
        var high = guess
        var step = 1
        while step <= high - lowerBound, try !isBefore(high - step) {
            high -= step
            step *= 2
        }
        return try (Swift.max(high - step + 1, lowerBound)..<high).partitionPoint(isBefore)
    }
}

extension Array where Element: Comparable {
    /// The first index whose element is not less, among ascending ones.
    func firstIndex(from value: Element) -> Int { indices.partitionPoint { self[$0] < value } }

    /// The first index of an element among ascending ones; nil if there is none.
    func sortedIndex(of value: Element) -> Int? {
        let index = firstIndex(from: value)
        return index < count && self[index] == value ? index : nil
    }
}
