/// Counts the postings of a segment's removed documents, in an index that has no adjustments.
///
/// A table whose texts are stored nowhere (`contentless_delete=1`) does not know the terms of a removed row. To find
/// them, it would have to read every term of the segment; storing them would make the index half as large again. So
/// nothing is done when the row is removed, and a term's count is corrected when it is needed: by a search for each
/// removed document in the list, or by reading each posting, whichever costs less. The counts of long lists are kept,
/// and updated by the documents that have been removed since.
final class RemovedPostings {
    private var cursor: PostingsCursor?
    /// By the place of the list.
    private var known: [UInt64: Known] = [:]

    private struct Known {
        var count: Int
        let deletions: Deletions
    }

    /// How many lists are kept.
    private static let capacity = 256
    /// About how many postings are read in the time that a search for one takes.
    private static let searchCost = 8

    /// How many of a term's postings belong to removed documents.
    func count(_ entry: TermEntry, in segment: Segment, _ deletions: Deletions) throws -> Int {
        switch entry.place {
        case .nowhere: return 0
        case .dictionary(let single, _, _): return deletions.isDeleted(single.document) ? 1 : 0
        case .block: return try count(entry, in: segment, deletions, except: nil)
        case .blocks(let place, _, _):
            let last = known[place].flatMap { deletions.includes($0.deletions) ? $0 : nil }
            if let last, last.deletions === deletions { return last.count }
            let count = try (last?.count ?? 0) + count(entry, in: segment, deletions, except: last?.deletions)
            if known.count >= Self.capacity, known[place] == nil { known.removeAll(keepingCapacity: true) }
            known[place] = Known(count: count, deletions: deletions)
            return count
        }
    }

    private func count(
        _ entry: TermEntry, in segment: Segment, _ deletions: Deletions, except known: Deletions?
    ) throws -> Int {
        var postings = try segment.postings(entry, reusing: cursor)
        cursor = postings
        var result = 0
        if entry.count < Self.searchCost * (deletions.count - (known?.count ?? 0)) {
            var document = try postings.next()
            while document != PostingsCursor.exhausted {
                if deletions.isDeleted(document), known?.isDeleted(document) != true { result += 1 }
                document = try postings.next()
            }
        } else {
            try deletions.forEach(except: known) { removed in
                let document = try postings.advance(to: removed)
                if document == removed { result += 1 }
                return document != PostingsCursor.exhausted
            }
        }
        return result
    }
}
