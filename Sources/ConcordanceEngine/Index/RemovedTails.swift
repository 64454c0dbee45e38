/// How far each segment is found to be removed from its end: the search for the largest rowid, which is made for every row
/// that is inserted without one, does not go over the same removed documents again.
///
/// Holds as long as nothing is undone: what is removed, be it pending, does not come back.
struct RemovedTails {
    private struct Tail {
        var stamp: UInt64
        var start: Int
    }

    private var tails: [UInt32: Tail] = [:]

    /// The document of a segment from which on all are removed, as far as is known.
    func start(_ entry: Manifest.Entry) -> Int {
        guard let tail = tails[entry.info.id], tail.stamp == entry.stamp else { return entry.info.documentCount }
        return tail.start
    }

    /// Takes note that all documents from `start` on are removed.
    mutating func note(_ entry: Manifest.Entry, from start: Int) {
        guard start < entry.info.documentCount else { return }
        if tails.count > Self.limit { tails = [:] }
        tails[entry.info.id] = Tail(stamp: entry.stamp, start: start)
    }

    /// A change is undone.
    mutating func forget() { tails = [:] }

    /// More segments than there ever are at a time; those that are gone are forgotten now and then.
    private static let limit = 4096
}
