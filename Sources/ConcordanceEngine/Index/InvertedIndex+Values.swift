extension InvertedIndex {
    /// The stored values of a row by VALUE column, pending ones included; nil if there is no such row.
    func storedValues(of rowID: Int64) throws -> [[StoredValue]]? {
        let columnCount = shape.valueColumns.count
        for pending in [buffer, background?.buffer].compactMap(\.self) {
            switch pending.row(rowID) {
            case .removed: return nil
            case .inserted(let event):
                return try pending.withValues(of: event) { try RowValues.values(of: $0, columnCount: columnCount) }
            case .untouched: break
            }
        }
        guard let (live, document) = try locate(rowID) else { return nil }
        if let start = buffer.changedValues(of: .init(segment: live.entry.info.id, document: document)) {
            return try buffer.withValues(at: start) { try RowValues.values(of: $0, columnCount: columnCount) }
        }
        return try (0..<columnCount).map { try live.values.values(of: Int(document), column: $0) }
    }

    /// Writes the pages of stored values in which rows have changed; inside `write`. A segment of one row is rewritten,
    /// and the result of a merge that has read an outdated value is corrected when the merge is finished.
    ///
    ///     REPLACE INTO t_data(id, block) VALUES (?, ?)
    func writeChangedValues() throws {
        let changes = buffer.changedValues
        guard !changes.isEmpty else { return }
        var schedule = try MergeSchedule(manifest())
        for (segment, documents) in changes.sorted(by: { $0.key < $1.key }) {
            guard let entry = try manifest().segments.first(where: { $0.info.id == segment }) else {
                throw corrupt("a row with changed values is in no segment")
            }
            let changed = try write(documents, of: self.segment(entry))
            try change { manifest in
                for index in manifest.segments.indices where manifest.segments[index].info.id == segment {
                    manifest.segments[index] = changed
                }
            }
            schedule.noteChangedValues(of: segment)
        }
        try keep(schedule)
    }

    /// Writes new values of documents, which begin at these places in the buffer.
    private func write(_ documents: [UInt32: Int], of live: LiveSegment) throws -> Manifest.Entry {
        let reader = live.segment.reader
        let columnCount = shape.valueColumns.count
        let pages = SegmentPages(of: reader, store: store, byteCount: live.entry.info.byteCount)
        let writer = ValueTableWriter(columnCount: columnCount, pages: pages)
        let byPage = Dictionary(grouping: documents.keys) { Int($0) >> SegmentLayout.documentPageBits }
        for (number, changed) in byPage.sorted(by: { $0.key < $1.key }) {
            var values: [Int: [[StoredValue]]] = [:]
            for document in changed {
                guard let start = documents[document] else { continue }
                values[Int(document) & (SegmentLayout.documentsPerPage - 1)] = try buffer.withValues(at: start) {
                    try RowValues.values(of: $0, columnCount: columnCount)
                }
            }
            try writer.replace(number, of: live.values, with: values)
        }
        var entry = live.entry
        if pages.isInline {
            let flags = reader.hasColocatedTokens ? SegmentLayout.colocatedFlag : 0
            try pages.finish(
                documentCount: live.segment.documentCount, averageLength: reader.averageLength, flags: flags)
            entry.stamp = .random(in: 0 ... .max)
        } else {
            entry.valueStamp = .random(in: 0 ... .max)
        }
        entry.info.byteCount = pages.byteCount
        return entry
    }
}
