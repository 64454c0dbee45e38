import Concordance
import Foundation

/// The progress of an indexing run.
struct IndexProgress: Equatable, Sendable {
    var files = 0
    /// Bytes of the files on disk.
    var bytes = 0
    /// The total of files and bytes; nil until they have been counted.
    var total: (files: Int, bytes: Int)?
    /// Bytes of text added to the index.
    var textBytes = 0
    var seconds = 0.0
    var path = ""

    static func == (left: IndexProgress, right: IndexProgress) -> Bool {
        left.files == right.files && left.bytes == right.bytes && left.textBytes == right.textBytes
    }
}

/// What an indexing run did.
struct IndexingReport: Equatable, Sendable {
    var new = 0
    var changed = 0
    var unchanged = 0
    var removed = 0
    /// Files found under another path, and not read again.
    var moved = 0
    var skipped = 0
    var documents = 0
    var textBytes = 0
    var seconds = 0.0
    var isInterrupted = false
    /// The first problems with files, by path.
    var problems: [Problem] = []
    /// Folders and roots that could not be read at all.
    var unreadable: [Problem] = []
    /// The links that the walk has followed.
    var links = FollowedLinks()

    struct Problem: Equatable, Sendable {
        var path: String
        var problem: ExtractionProblem
    }

    static let mostProblems = 1000
}

/// Brings an index up to date with files: one thread walks the folders, several extract text, and the caller's thread
/// writes.
///
/// Faster threads wait for slower ones, so at most `parcelBytes` of text are in memory between them.
final class Indexer {
    private static let parcelBytes = 16 << 20
    private static let candidatesAhead = 256
    /// Bytes of text that are sent to the writer together.
    private static let batchBytes = 1 << 20
    /// libxml2 and the JSON parser need a deep stack, and on some systems secondary threads have a small one.
    private static let stackBytes = 8 << 20

    private let file: IndexFile
    private let extractor: Extractor
    private let workers: Int

    init(_ file: IndexFile, extractor: Extractor, workers: Int? = nil) {
        self.file = file
        self.extractor = extractor
        // One processor is left for the writer.
        self.workers = workers ?? min(max(ProcessInfo.processInfo.activeProcessorCount - 1, 1), 8)
    }

    /// Indexes the files at or below the targets, each with the root that covers it.
    ///
    /// - Parameters:
    ///   - isFollowing: Whether the roots are watched: anything but a root that does not exist has been deleted.
    ///   - keeping: Folders whose files stay in the index although they do not exist now.
    func run(
        _ targets: [(path: String, root: IndexRoot)], isFollowing: Bool = false, keeping: Set<String> = [],
        interruption: Flag, progress: (IndexProgress) -> Void
    ) throws -> IndexingReport {
        let start = DispatchTime.now()
        let writer = try IndexWriter(file.database)
        try writer.noteLimit(extractor.limits.fileBytes)
        let scan = try Scan(targets, isFollowing: isFollowing, of: file)
        let candidates = Channel<Candidate>(capacity: Self.candidatesAhead, senders: 1)
        let parcels = Channel<Parcel>(capacity: Self.parcelBytes, senders: workers)
        defer {
            candidates.close()
            parcels.close()
            scan.stop()
        }
        Self.startThread { scan.run(into: candidates) }
        // A few changes need no estimate.
        if !isFollowing || targets.contains(where: { $0.path == $0.root.path }) {
            Self.startThread { scan.count() }
        }
        for _ in 0..<workers {
            Self.startThread { [extractor] in Self.extract(candidates, with: extractor, into: parcels) }
        }

        var report = IndexingReport()
        var state = IndexProgress()
        var moved: Set<Int64> = []
        receiving: while !interruption.isRaised {
            switch parcels.receive(within: 0.2) {
            case .element(let parcel):
                try writer.write(parcel)
                report.add(parcel)
                if case .moved? = parcel.ending, let origin = parcel.candidate.origin {
                    moved.insert(origin.file.id)
                }
                if parcel.ending != nil {
                    state.files += 1
                    state.bytes += parcel.candidate.stamp.summableSize
                    state.path = parcel.candidate.path
                }
            case .nothingYet: break
            case .ended: break receiving
            }
            try writer.commitIfDue()
            progress(scan.complete(state, textBytes: report.textBytes, since: start))
        }
        report.isInterrupted = interruption.isRaised
        try writer.commit()
        let outcome = try scan.outcome()
        report.unchanged += outcome.unchanged
        report.unreadable = outcome.unreadable
        report.links = outcome.links
        if !report.isInterrupted {
            for (path, root) in targets {
                let others = outcome.roots.inside(root)
                report.removed += try removeVanished(
                    outcome, below: path, writer,
                    keeping: { id, path in
                        moved.contains(id) || keeping.contains { path.hasPrefix($0 + "/") }
                            || others.contains { $0.covers(path) }
                    })
            }
        }
        report.seconds = Self.seconds(since: start)
        return report
    }

    /// Removes all files at or below `path` from the index; returns how many.
    func remove(_ path: String) throws -> Int {
        try removeVanished(Scan.Outcome(), below: path, IndexWriter(file.database)) { _, _ in false }
    }

    private func removeVanished(
        _ outcome: Scan.Outcome, below target: String, _ writer: IndexWriter, keeping: (Int64, String) -> Bool
    ) throws -> Int {
        if outcome.unreadable.contains(where: { $0.path == target }) { return 0 }
        let gone = try vanished(below: target, outcome, keeping: keeping)
        for start in stride(from: 0, to: gone.count, by: 500) {
            try writer.remove(Array(gone[start..<min(start + 500, gone.count)]))
            try writer.commit()
        }
        return gone.count
    }

    /// The files at or below `target` that the walk did not find, except those in folders that could not be read.
    private func vanished(
        below target: String, _ outcome: Scan.Outcome, keeping: (Int64, String) -> Bool
    ) throws -> [Int64] {
        var gone: [Int64] = []
        let base = target == "/" ? "" : target
        let statement = try file.database.makeStatement(
            sql: "SELECT id, path FROM files WHERE path = ? OR (path > ? AND path < ?)")
        // "0" is the character after "/".
        try statement.forEachRow(arguments: [target, base + "/", base + "0"]) { row in
            let (id, path) = (row.int64(at: 0), row.string(at: 1) ?? "")
            guard id <= outcome.newestKnown, !outcome.seen.contains(id), !keeping(id, path) else { return }
            if outcome.unreadable.contains(where: { path.hasPrefix($0.path + "/") }) { return }
            gone.append(id)
        }
        return gone
    }

    private static func startThread(_ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.stackSize = stackBytes
        thread.start()
    }

    static func seconds(since start: DispatchTime) -> Double {
        Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
    }
}

// The work of an extraction thread.
extension Indexer {
    private struct Stopped: Error {}

    private static func extract(
        _ candidates: Channel<Candidate>, with extractor: Extractor, into parcels: Channel<Parcel>
    ) {
        while let candidate = candidates.receive() {
            do {
                try extract(candidate, with: extractor, into: parcels)
            } catch {
                break
            }
        }
        parcels.finish()
    }

    /// - Throws: `Stopped` if the channel has been closed.
    private static func extract(
        _ candidate: Candidate, with extractor: Extractor, into parcels: Channel<Parcel>
    ) throws {
        if let same = unchangedStamp(candidate, extractor) {
            return try send(Parcel(candidate: candidate, ending: .same(same)), into: parcels)
        }
        if let origin = candidate.origin, let now = try? extractor.fingerprint(candidate.path),
            now.hash == origin.file.hash
        {
            return try send(Parcel(candidate: candidate, ending: .moved(now.stamp)), into: parcels)
        }
        // A file that changes while it is read gets a second chance.
        for isLastTry in [false, true] {
            var parcel = Parcel(candidate: candidate, isFirst: true)
            var bytes = 0
            do {
                let summary = try extractor.extract(candidate.path) { document in
                    var document = document
                    document.signature = ContentSignature(document.body)
                    parcel.documents.append(document)
                    bytes += document.body.utf8.count + document.title.utf8.count
                    guard bytes >= batchBytes else { return }
                    try send(parcel, into: parcels)
                    parcel = Parcel(candidate: candidate)
                    bytes = 0
                }
                parcel.ending = .indexed(summary)
                return try send(parcel, into: parcels)
            } catch let problem as ExtractionProblem {
                if problem == .changedWhileRead, !isLastTry { continue }
                parcel.documents = []
                parcel.ending = .skipped(problem)
                return try send(parcel, into: parcels)
            }
        }
    }

    private static func send(_ parcel: Parcel, into parcels: Channel<Parcel>) throws {
        let cost = parcel.documents.reduce(1000) { $0 + $1.body.utf8.count + $1.title.utf8.count }
        guard parcels.send(parcel, cost: cost) else { throw Stopped() }
    }

    /// The new stamp of a file whose content is unchanged; nil if it must be read.
    private static func unchangedStamp(_ candidate: Candidate, _ extractor: Extractor) -> FileStamp? {
        guard let known = candidate.known, known.isComplete, known.stamp.size == candidate.stamp.size else {
            return nil
        }
        // Only the path has changed.
        if candidate.wasSeenMoving, known.stamp.modified == candidate.stamp.modified { return candidate.stamp }
        guard let hash = known.hash,
            let now = try? extractor.fingerprint(candidate.path), now.hash == hash
        else { return nil }
        return now.stamp
    }
}

extension IndexingReport {
    fileprivate mutating func add(_ parcel: Parcel) {
        documents += parcel.documents.count
        textBytes += parcel.documents.reduce(0) { $0 + $1.body.utf8.count + $1.title.utf8.count }
        switch parcel.ending {
        case .indexed: if parcel.candidate.known == nil { new += 1 } else { changed += 1 }
        case .same: unchanged += 1
        case .moved: moved += 1
        case .skipped(let problem):
            skipped += 1
            if problems.count < Self.mostProblems {
                problems.append(Problem(path: parcel.candidate.path, problem: problem))
            }
        case nil: break
        }
    }
}
