/// A sum over all places of terms in documents, in any order, by which an index is compared with the texts that it
/// should be of. FTS5's 'integrity-check' works the same way.
struct DocumentChecksum: Equatable {
    private(set) var value: UInt64 = 0

    /// Adds places of a term in a row: positions if the index has them, otherwise columns and frequencies.
    @inline(__always)
    mutating func add(token hash: UInt64, rowID: Int64, place: UInt64, count: UInt32 = 1) {
        let row = UInt64(bitPattern: rowID) &* 0xD6E8_FEB8_6659_FD93
        value &+= TokenHash.fold(hash ^ row, place ^ 0xA076_1D64_78BD_642F) &* UInt64(count)
    }

    /// Collects the tokens of one row.
    struct Document {
        let rowID: Int64
        let hasPositions: Bool
        private(set) var checksum: DocumentChecksum
        /// The tokens at the current place.
        private var tokens: [UInt64] = []

        init(rowID: Int64, hasPositions: Bool, checksum: DocumentChecksum) {
            self.rowID = rowID
            self.hasPositions = hasPositions
            self.checksum = checksum
        }

        /// Adds a token, unless it was already at the same place.
        mutating func add(token hash: UInt64, position: Position, isFirstAtPlace: Bool) {
            if isFirstAtPlace { tokens.removeAll(keepingCapacity: true) }
            guard isFirstAtPlace || !tokens.contains(hash) else { return }
            tokens.append(hash)
            checksum.add(
                token: hash, rowID: rowID, place: hasPositions ? position.rawValue : UInt64(position.column))
        }
    }
}
