import Concordance
import ConcordanceSQLite
import ConcordanceSearch
import Foundation

/// The walk of an indexing run: finds the files, and decides which of them have to be read.
///
/// `@unchecked Sendable` because the mutable properties are only touched while `lock` is held, and all others never
/// change.
final class Scan: @unchecked Sendable {
    /// The result of a walk.
    struct Outcome: Sendable {
        var seen = IdentifierSet()
        /// Files with greater row ids were added after the walk began.
        var newestKnown = Int64.max
        var unchanged = 0
        var unreadable: [IndexingReport.Problem] = []
        var links = FollowedLinks()
        /// All roots of the index.
        var roots: [IndexRoot] = []
    }

    private let targets: [(path: String, root: IndexRoot)]
    /// Whether the targets are below watched roots: files that do not exist have been deleted, and moves were seen.
    private let isFollowing: Bool
    private let databasePath: String
    private let roots: [IndexRoot]
    private let stopping = Flag()
    private let lock = NSLock()
    private var result = Outcome()
    private var unchangedBytes = 0
    private var total: (files: Int, bytes: Int)?
    private var failure: (any Error)?
    /// Files found again under another path; only the walk touches the set.
    private var found: Set<Int64> = []

    init(_ targets: [(path: String, root: IndexRoot)], isFollowing: Bool, of file: IndexFile) throws {
        self.targets = targets
        self.isFollowing = isFollowing
        databasePath = file.path
        roots = try file.roots()
        result.roots = roots
        result.newestKnown = try IndexFile.number(file.database, "SELECT max(id) FROM files")
    }

    func stop() { stopping.raise() }

    /// - Throws: The error of the database that made the walk fail.
    func outcome() throws -> Outcome {
        try lock.withLock {
            if let failure { throw failure }
            return result
        }
    }

    /// The writer's progress, completed by that of the walk.
    func complete(_ progress: IndexProgress, textBytes: Int, since start: DispatchTime) -> IndexProgress {
        var progress = progress
        lock.withLock {
            progress.files += result.unchanged
            progress.bytes += unchangedBytes
            progress.total = total
        }
        progress.textBytes = textBytes
        progress.seconds = Indexer.seconds(since: start)
        return progress
    }

    /// Walks all targets, and sends the files that have to be read.
    func run(into candidates: Channel<Candidate>) {
        defer { candidates.finish() }
        do {
            let database = try IndexFile.connect(databasePath, isReadOnly: true)
            let lookup = try database.makeStatement(
                sql: "SELECT id, size, modified, changed, hash, complete FROM files WHERE path = ?")
            let origins = try MovedFiles(database)
            for (path, root) in targets {
                let others = roots.inside(root)
                var walk = DirectoryWalk(root.options, excluding: Set(others.map(\.path)))
                var lookupFailure: (any Error)?
                func receive(_ visit: DirectoryWalk.Visit) -> Bool {
                    do {
                        return try self.receive(
                            visit, root: root, lookup: lookup, origins: origins, into: candidates)
                    } catch {
                        lookupFailure = error
                        return false
                    }
                }
                let isBelow = isFollowing && path != root.path
                // A file that has moved to a place outside the walk counts as deleted.
                if isBelow, !DirectoryWalk.visits(path, below: root) { continue }
                // What has become part of another root is found by that one's walk.
                if others.contains(where: { $0.covers(path) }) { continue }
                let isComplete =
                    isBelow ? walk.walk(entry: path, visit: receive) : walk.walk(path, visit: receive)
                if let lookupFailure { throw lookupFailure }
                lock.withLock { result.links.add(walk.links) }
                guard isComplete else { return }
            }
        } catch {
            lock.withLock { failure = error }
        }
    }

    /// Counts the files, for the estimate of the time left.
    func count() {
        var files = 0
        var bytes = 0
        for (path, root) in targets {
            var walk = DirectoryWalk(root.options, excluding: Set(roots.inside(root).map(\.path)))
            let isComplete = walk.walk(path) { visit in
                if case .file(_, let stamp) = visit {
                    files += 1
                    bytes += stamp.summableSize
                }
                return !stopping.isRaised
            }
            guard isComplete else { return }
        }
        let counted = (files, bytes)
        lock.withLock { total = counted }
    }

    private func receive(
        _ visit: DirectoryWalk.Visit, root: IndexRoot, lookup: Statement, origins: MovedFiles,
        into candidates: Channel<Candidate>
    ) throws -> Bool {
        guard !stopping.isRaised else { return false }
        switch visit {
        case .problem(let path, let problem):
            lock.withLock {
                if result.unreadable.count < IndexingReport.mostProblems {
                    result.unreadable.append(.init(path: path, problem: problem))
                }
            }
            return true
        case .file(let path, let stamp):
            if IndexFile.isPart(path, of: databasePath) { return true }
            let known = try Self.find(path, lookup)
            let isUnchanged = known.map { $0.isComplete && $0.stamp == stamp } ?? false
            lock.withLock {
                if let known { result.seen.insert(known.id) }
                if isUnchanged {
                    result.unchanged += 1
                    unchangedBytes += stamp.summableSize
                }
            }
            if isUnchanged { return true }
            var candidate = Candidate(path: path, relativePath: root.relative(path), stamp: stamp, known: known)
            candidate.wasSeenMoving = isFollowing && known?.stamp.changed == FileStamp.movedHere
            if known == nil, let origin = try origins.origin(of: path, stamp), found.insert(origin.file.id).inserted {
                candidate.origin = origin
            }
            return candidates.send(candidate)
        }
    }

    private static func find(_ path: String, _ lookup: Statement) throws -> KnownFile? {
        try lookup.setArguments([path])
        defer { lookup.reset() }
        guard try lookup.step() else { return nil }
        return KnownFile(
            id: lookup.int64(at: 0),
            stamp: FileStamp(size: lookup.int64(at: 1), modified: lookup.int64(at: 2), changed: lookup.int64(at: 3)),
            hash: lookup.isNull(at: 4) ? nil : UInt64(bitPattern: lookup.int64(at: 4)),
            isComplete: lookup.int64(at: 5) != 0)
    }
}

/// A set of row identifiers, which are small and dense: one bit each.
struct IdentifierSet: Sendable {
    private var words: [UInt64] = []
    private static let mostWords: Int64 = 1 << 26

    mutating func insert(_ identifier: Int64) {
        let word = identifier >> 6
        guard (0..<Self.mostWords).contains(word) else { return }
        while words.count <= word { words.append(0) }
        words[Int(word)] |= 1 << UInt64(identifier & 63)
    }

    func contains(_ identifier: Int64) -> Bool {
        let word = identifier >> 6
        guard (0..<Int64(words.count)).contains(word) else { return false }
        return words[Int(word)] & (1 << UInt64(identifier & 63)) != 0
    }
}
