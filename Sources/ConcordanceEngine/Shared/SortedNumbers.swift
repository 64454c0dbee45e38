extension [UInt32] {
    /// The first index whose element is not less, among ascending ones.
    func firstIndex(from value: UInt32) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
