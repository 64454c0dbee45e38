import Concordance
import ConcordanceSearch
import Foundation

/// Keeps an index up to date with its folders until it is stopped.
///
/// The first walk brings the index up to date; from then on a `FolderWatch` reports changes. If it has lost events,
/// cannot see everything, or has been started again, all folders are walked. Whatever is missing from the index when
/// the process is killed is found by the first walk of the next process.
final class Watcher {
    struct Options: Sendable {
        var extractor = Extractor()
        /// Seconds after which all folders are walked again even if nothing was reported; nil to walk only when
        /// necessary.
        var rescan: Double?
    }

    /// What happens, as reported to the user.
    enum Notice: Sendable {
        /// All roots have been walked: at the beginning, and whenever necessary.
        case walked(IndexingReport, roots: Int)
        case changed(IndexingReport)
        case missing(String)
        case back(String)
        /// Why some changes are not seen at once.
        case limited(String)
        case trouble(String)
    }

    /// Seconds between checks of what causes no events: the roots in the index, disks that were missing.
    private static let lookInterval = 1.0
    /// The least number of seconds between walks if not all changes are reported, and the least ratio of that time to
    /// the duration of a walk.
    private static let walkInterval = 30.0
    private static let walkFactor = 10.0
    /// Seconds after which work is noted in the lock file, for others to see.
    private static let visibleSeconds = 0.4
    /// Seconds to wait after a temporary error. After a batch, the watcher rests as long as the batch took, but at most
    /// this long.
    private static let patience = 5.0

    private let file: IndexFile
    private let lock: IndexLock
    private let options: Options
    private let tell: (Notice) -> Void
    private let changes: Changes
    /// Creates the watch; tests replace it.
    var makeWatch: (WatchedRoots, Changes) throws -> any FolderWatch = Watcher.systemWatch
    private var watch: (any FolderWatch)?
    private var watched: WatchedRoots
    private var known: [IndexRoot] = []
    private var unmounted: Set<String> = []
    /// By which files below the roots may have several paths.
    private var links = FollowedLinks()
    private var missing: Set<String> = []
    private var limitation: String?
    private var restUntil = 0.0
    private var lookAt = 0.0
    private var walkedAt = 0.0
    private var walkSeconds = 0.0
    private var isInTrouble = false
    private let identity: FileIdentity?

    init(
        _ file: IndexFile, lock: IndexLock, options: Options, changes: Changes = Changes(),
        tell: @escaping (Notice) -> Void
    ) {
        self.changes = changes
        self.file = file
        self.lock = lock
        self.options = options
        self.tell = tell
        watched = WatchedRoots(roots: [], database: file.path)
        identity = FileIdentity(file.path)
    }

    /// Seconds on a monotonic clock.
    @Sendable private static func now() -> Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    /// - Parameter progress: Called while all roots are walked.
    /// - Throws: Errors that are not temporary: the index is damaged, or no longer exists.
    func run(interruption: Flag, progress: (IndexProgress) -> Void = { _ in }) throws {
        defer { watch?.stop() }
        // Files that an earlier process saw moving may have changed since.
        try file.database.execute(
            "UPDATE files SET changed = \(FileStamp.distrusted) WHERE changed = \(FileStamp.movedHere)")
        while !interruption.isRaised {
            try lookAround()
            if Self.now() < restUntil {
                Thread.sleep(forTimeInterval: min(restUntil - Self.now(), 0.1))
                continue
            }
            changes.wait(until: Self.now, seconds: 0.2)
            guard let batch = changes.take(at: Self.now()) else { continue }
            try apply(batch, interruption, progress)
        }
    }

    // MARK: Roots

    private func lookAround() throws {
        guard Self.now() >= lookAt else { return }
        lookAt = Self.now() + Self.lookInterval
        guard FileIdentity(file.path) == identity else { throw IndexError.replaced(file.path) }
        unmounted.formUnion(changes.takeUnmounted())
        let mounted = unmounted.filter { FileIdentity.isMountPoint($0) }
        // With what lay on the disk before.
        for place in mounted { unmounted = unmounted.filter { $0 != place && !$0.hasPrefix(place + "/") } }
        let roots = try file.roots()
        let present = roots.filter { access($0.path, F_OK) == 0 && !unmounted.contains($0.path) }
        let isChanged = changes.takeRootsChanged()
        if isChanged || !mounted.isEmpty || present != watched.roots || roots != known { begin(roots, present) }
        noteLimitation()
        if let interval = walkInterval, Self.now() > walkedAt + interval { changes.lost() }
    }

    /// Begins to watch, and walks everything, since anything may have happened before.
    private func begin(_ roots: [IndexRoot], _ present: [IndexRoot]) {
        watch?.stop()
        watch = nil
        known = roots
        watched.roots = present
        let gone = Set(roots.map(\.path)).subtracting(present.map(\.path))
        for path in gone.subtracting(missing).sorted() { tell(.missing(path)) }
        for path in missing.subtracting(gone).sorted() where known.contains(where: { $0.path == path }) {
            tell(.back(path))
        }
        missing = gone
        do {
            watch = try makeWatch(watched, changes)
        } catch {
            limitation = nil
            limit("\(error)")
        }
        changes.lost()
    }

    private static func systemWatch(_ watched: WatchedRoots, _ changes: Changes) throws -> any FolderWatch {
        #if os(Linux)
            try InotifyWatch(watched, changes: changes, now: now)
        #elseif os(macOS)
            try FSEventsWatch(watched, changes: changes, now: now)
        #else
            throw WatchProblem.unavailable("there is no way to watch them on this platform")
        #endif
    }

    private func noteLimitation() {
        if let limitation = watch?.limitation { limit(limitation) }
    }

    private func limit(_ reason: String) {
        if limitation == nil { tell(.limited(reason)) }
        limitation = reason
    }

    /// Seconds between walks; nil if events report everything.
    private var walkInterval: Double? {
        let needed = watch.map { $0.limitation != nil } ?? true ? Self.walkInterval : nil
        guard let wanted = [needed, options.rescan].compactMap({ $0 }).min() else { return nil }
        return max(wanted, walkSeconds * Self.walkFactor)
    }

    // MARK: Changes

    private func apply(_ batch: Changes.Batch, _ interruption: Flag, _ progress: (IndexProgress) -> Void) throws {
        let start = Self.now()
        var activity = IndexActivity(.watch)
        do {
            let moved = try applyMoves(batch)
            let targets = targets(batch)
            let isWalk = batch.isEverything
            var report = try Indexer(file, extractor: options.extractor).run(
                targets, isFollowing: true, keeping: unmounted, interruption: interruption
            ) { state in
                if isWalk { progress(state) }
                guard isWalk || state.seconds > Self.visibleSeconds else { return }
                activity.isBusy = true
                (activity.read, activity.total, activity.path) = (state.files, state.total?.files, state.path)
                lock.note(activity)
            }
            report.moved += moved
            // What has not been walked is not known.
            if !report.isInterrupted {
                for target in targets where target.path == target.root.path {
                    links.removeAll(below: target.root, of: watched.roots)
                }
                links.add(report.links, isAll: isWalk)
            }
            if isWalk {
                (walkedAt, walkSeconds) = (Self.now(), Self.now() - start)
                tell(.walked(report, roots: targets.count))
            } else {
                tell(.changed(report))
            }
            isInTrouble = false
        } catch let error as DatabaseError where Self.mayPass(error) {
            try? file.database.execute(sql: "ROLLBACK")
            changes.putBack(batch, at: Self.now())
            if !isInTrouble { tell(.trouble(error.message ?? "\(error)")) }
            isInTrouble = true
            restUntil = Self.now() + Self.patience
        }
        if activity.isBusy { lock.note(IndexActivity(.watch), isUrgent: true) }
        restUntil = max(restUntil, Self.now() + min(Self.now() - start, Self.patience))
    }

    private static func mayPass(_ error: DatabaseError) -> Bool {
        [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CANTOPEN].contains(error.resultCode)
    }

    /// - Returns: The number of files that got another path.
    private func applyMoves(_ batch: Changes.Batch) throws -> Int {
        guard !batch.moves.isEmpty else { return 0 }
        var count = 0
        let writer = try IndexWriter(file.database)
        for move in batch.moves {
            guard let root = watched.root(of: move.to), !root.options.followsLinks else { continue }
            let source = IndexRoot(path: move.from, options: root.options)
            count += try writer.rename(move.from, to: move.to, below: root, except: known.inside(source))
        }
        try writer.distrustMoves(to: batch.written)
        try writer.commit()
        return count
    }

    /// The paths to walk, each with its root.
    private func targets(_ batch: Changes.Batch) -> [(path: String, root: IndexRoot)] {
        if batch.isEverything { return watched.roots.map { ($0.path, $0) } }
        var targets: [(path: String, root: IndexRoot)] = []
        var walked: Set<String> = []
        func walk(_ root: IndexRoot) {
            if walked.insert(root.path).inserted { targets.append((root.path, root)) }
        }
        for path in batch.paths where !unmounted.contains(where: { path == $0 || path.hasPrefix($0 + "/") }) {
            // A folder stands for all changes below it, and may contain roots.
            for root in watched.roots.inside(IndexRoot(path: path, options: WalkOptions())) { walk(root) }
            guard let root = watched.root(of: path) else { continue }
            guard let place = FollowedLinks.place(of: path) else {
                // Gone with its folder.
                if root.options.followsLinks { walk(root) } else { targets.append((path, root)) }
                continue
            }
            if !root.options.followsLinks || links.isApart(path, at: place, roots: watched.roots) {
                targets.append((path, root))
            } else {
                walk(root)
            }
            guard !links.links.isEmpty else { continue }
            // The watch tells one of the paths of a folder that links lead to.
            for other in watched.roots where other != root {
                let isOther = place != path && watched.root(of: place) == other
                if other.options.followsLinks {
                    if isOther || !links.isApart(path, at: place, roots: [root]) { walk(other) }
                } else if isOther {
                    targets.append((place, other))
                }
            }
        }
        // If a root disappears with the folder around it, no event says so; its documents stay in the index.
        let gone = Set(watched.roots.map(\.path).filter { access($0, F_OK) != 0 })
        return targets.filter { target in
            guard !gone.contains(target.root.path) else { return false }
            return target.path == target.root.path || !walked.contains(target.root.path)
        }
    }
}

extension IndexingReport {
    var isWorthTelling: Bool { new + changed + removed + moved + skipped > 0 }
}

/// Identifies the file or folder at a path, to recognize when another one takes its place.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let inode: UInt64

    /// Nil if nothing is at the path.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }

    /// Whether a disk is mounted at a path.
    static func isMountPoint(_ path: String) -> Bool {
        guard let there = FileIdentity(path), let above = FileIdentity(PathText.folder(path)) else { return false }
        return there.device != above.device
    }
}
