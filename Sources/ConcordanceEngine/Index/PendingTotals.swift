/// What a flush changes in the manifest's totals.
struct PendingTotals {
    private var rows = 0
    private var tokens: [Int64]
    private let shape: IndexShape

    init(shape: IndexShape) {
        self.shape = shape
        tokens = Array(repeating: 0, count: shape.columnCount)
    }

    mutating func addInsertions(of buffer: PendingBuffer) {
        for (index, event) in buffer.events.enumerated() where event.state == .insertion {
            rows += 1
            for column in 0..<shape.columnCount {
                tokens[column] += Int64(buffer.lengths[index * shape.columnCount + column])
            }
        }
    }

    mutating func subtract(_ documents: [UInt32], of segment: Segment) throws {
        rows -= documents.count
        try segment.withColumnLengths { lengths in
            for document in documents {
                try segment.columnLengths(at: Int(document), into: lengths)
                for column in 0..<shape.columnCount { tokens[column] &-= Int64(lengths[column]) }
            }
        }
    }

    func apply(to manifest: inout Manifest) throws {
        let (rowCount, overflow) = manifest.rowCount.addingReportingOverflow(rows)
        guard !overflow, rowCount >= 0 else { throw corrupt("the index has fewer rows than are removed") }
        manifest.rowCount = rowCount
        for column in 0..<shape.columnCount {
            let (sum, overflow) = manifest.totalTokens[column].addingReportingOverflow(tokens[column])
            guard !overflow, sum >= 0 else { throw corrupt("the index has fewer tokens than are removed") }
            manifest.totalTokens[column] = sum
        }
        guard Manifest.canBeAdded(manifest.totalTokens) else {
            throw corrupt("the index has more tokens than can be counted")
        }
    }
}
