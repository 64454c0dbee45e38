extension InvertedIndex {
    /// Deletes rows of dropped segments that no open snapshot of this connection reads, `limit` at most; inside `write`.
    ///
    ///     DELETE FROM t_data WHERE id BETWEEN ? AND ?
    func collectGarbage(limit: Int) throws {
        var left = limit
        var done: Set<UInt32> = []
        for segment in try manifest().garbage where left > 0 && !isInUse(segment) {
            let ids = BlockStore.ids(ofSegment: segment)
            if limit < .max {
                let rows = try store.rowIDs(in: ids, limit: left + 1)
                if rows.count > left {
                    try store.delete(ids.lowerBound...rows[left - 1])
                    break
                }
                left -= rows.count
            }
            try store.delete(ids)
            done.insert(segment)
        }
        if !done.isEmpty { try change { $0.garbage.removeAll(where: done.contains) } }
    }
}
