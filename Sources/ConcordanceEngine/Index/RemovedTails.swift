/// From where on all documents at the end of a segment are removed. The search for the largest rowid, which runs for
/// every row that is inserted without one, then does not visit the same removed documents again.
///
/// This holds until something is undone: what is removed, even if pending, does not come back otherwise.
struct RemovedTails {
    private struct Tail {
        var stamp: UInt64
        var start: Int
    }

    private var tails: [UInt32: Tail] = [:]

    /// The document of a segment from which on all are known to be removed.
    func start(_ entry: Manifest.Entry) -> Int {
        guard let tail = tails[entry.info.id], tail.stamp == entry.stamp else { return entry.info.documentCount }
        return tail.start
    }

    /// Notes that all documents from `start` on are removed.
    mutating func note(_ entry: Manifest.Entry, from start: Int) {
        guard start < entry.info.documentCount else { return }
        if tails.count > Self.limit { tails = [:] }
        tails[entry.info.id] = Tail(stamp: entry.stamp, start: start)
    }

    /// A change is undone.
    mutating func forget() { tails = [:] }

    /// More segments than ever exist at a time; dropped ones are forgotten now and then.
    private static let limit = 4096
}
