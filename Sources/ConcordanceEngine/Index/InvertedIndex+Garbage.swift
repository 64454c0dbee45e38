extension InvertedIndex {
    /// Deletes rows of dropped segments that no open snapshot of this connection reads, `limit` at most; inside
    /// `write`. Only of `segments`, if given.
    ///
    ///     DELETE FROM t_data WHERE id BETWEEN ? AND ?
    func collectGarbage(limit: Int, of segments: [UInt32]? = nil) throws {
        var left = limit
        var done: Set<UInt32> = []
        var rest = try (segments ?? manifest().garbage).filter { !isInUse($0) }.sorted()[...]
        while left > 0, let first = rest.first {
            // Segments of one row each, with consecutive numbers, are the most frequent garbage.
            var last = first
            rest.removeFirst()
            while let next = rest.first, next == last + 1 {
                last = next
                rest.removeFirst()
            }
            let ids = BlockStore.ids(ofSegment: first).lowerBound...BlockStore.ids(ofSegment: last).upperBound
            if limit < .max {
                let rows = try store.rowIDs(in: ids, limit: left + 1)
                if rows.count > left {
                    try store.delete(ids.lowerBound...rows[left - 1])
                    break
                }
                left -= rows.count
            }
            try store.delete(ids)
            done.formUnion(first...last)
        }
        if !done.isEmpty { try change { $0.garbage.removeAll(where: done.contains) } }
    }
}
