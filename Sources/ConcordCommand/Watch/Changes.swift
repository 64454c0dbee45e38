import Foundation

/// Changes below the watched folders that are not in the index yet. They wait here until they have settled.
///
/// Memory is bounded: too many paths are replaced by their folders, and too many folders by all roots.
///
/// `@unchecked Sendable` because the mutable properties are only touched while `condition` is locked.
final class Changes: @unchecked Sendable {
    struct Move: Equatable, Sendable {
        var from: String
        var to: String
    }

    /// The work that is due, in the order in which it is done.
    struct Batch: Equatable, Sendable {
        var moves: [Move] = []
        /// Files and folders that may have changed or may no longer exist, each with everything below it.
        var paths: [String] = []
        /// Files that were written to. If such a file was also moved, it has to be read again.
        var written: Set<String> = []
        /// Whether all roots have to be walked.
        var isEverything = false
    }

    private struct Entry {
        /// When the entry is due, in seconds on the watcher's clock; `first` is when it began.
        var due: Double
        var first: Double
        /// Whether the file may have been written to, not only moved here.
        var isWritten: Bool
    }

    /// In seconds. A file that is being written is read after it has been quiet for this long, or at the latest after
    /// `longestWait`.
    static let quiet = 0.4
    static let longestWait = 8.0
    /// In seconds. Changes that arrive together, such as the files of a copied folder, are indexed together.
    static let gathering = 0.08

    private let condition = NSCondition()
    private let pathLimit: Int
    private let folderLimit: Int
    private var entries: [String: Entry] = [:]
    /// No entry is due earlier.
    private var earliest = Double.infinity
    private var moves: [Move] = []
    private var isEverything = false
    private var isWoken = false
    private var away: Set<String> = []
    private var areRootsChanged = false

    init(pathLimit: Int = 20_000, folderLimit: Int = 1000) {
        self.pathLimit = pathLimit
        self.folderLimit = folderLimit
    }

    // MARK: What a watch reports

    /// A file was written and closed, created in another way, or removed.
    func settled(_ path: String, at now: Double) {
        condition.withLock {
            let due = now + Self.gathering
            let known = entries[path]
            insert(path, Entry(due: min(known?.due ?? due, due), first: known?.first ?? now, isWritten: true))
        }
    }

    /// A file or folder was moved to a place that is not watched. It waits, in case it is found elsewhere.
    func left(_ path: String, at now: Double) {
        condition.withLock {
            insert(path, Entry(due: now + Self.quiet, first: entries[path]?.first ?? now, isWritten: true))
        }
    }

    /// A file is being written.
    func touched(_ path: String, at now: Double) {
        condition.withLock {
            let first = entries[path]?.first ?? now
            let due = min(now + Self.quiet, max(first + Self.longestWait, now))
            insert(path, Entry(due: due, first: first, isWritten: true))
        }
    }

    /// A file or folder was moved, with everything below it.
    func moved(from old: String, to new: String, isFolder: Bool, at now: Double) {
        condition.withLock {
            guard !isEverything else { return }
            if isFolder {
                for (path, entry) in entries where path.hasPrefix(old + "/") {
                    entries[path] = nil
                    entries[new + path.dropFirst(old.count)] = entry
                }
            }
            let wasWritten = entries[old]?.isWritten ?? false
            moves.append(Move(from: old, to: new))
            // Another file may be at the old path by now.
            insert(old, Entry(due: now + Self.gathering, first: now, isWritten: false))
            let due = now + Self.gathering
            insert(new, Entry(due: due, first: now, isWritten: wasWritten))
            if moves.count > pathLimit { collapse() }
        }
    }

    /// Events were lost, so everything may have changed.
    func lost() {
        condition.withLock {
            collapse()
            condition.broadcast()
        }
    }

    /// A disk was unmounted. Its documents stay in the index.
    func unmounted(_ path: String) {
        condition.withLock {
            // The system names each folder of the disk, in any order; the highest stands for them.
            if !away.contains(where: { path.hasPrefix($0 + "/") }) {
                away = away.filter { !$0.hasPrefix(path + "/") }
                if away.count < folderLimit { away.insert(path) }
            }
            for entry in entries.keys where entry == path || entry.hasPrefix(path + "/") { entries[entry] = nil }
            wake()
        }
    }

    /// A root was removed, or replaced by another folder or file.
    func rootsChanged() {
        condition.withLock {
            areRootsChanged = true
            wake()
        }
    }

    private func insert(_ path: String, _ entry: Entry) {
        guard !isEverything else { return }
        var entry = entry
        if let known = entries[path] { entry.isWritten = entry.isWritten || known.isWritten }
        entries[path] = entry
        if entry.due < earliest {
            earliest = entry.due
            condition.broadcast()
        }
        if entries.count > pathLimit { replaceByFolders(entry.due) }
    }

    private func replaceByFolders(_ due: Double) {
        let folders = Set(entries.keys.map(PathText.folder))
        guard folders.count <= folderLimit else { return collapse() }
        entries = Dictionary(
            uniqueKeysWithValues: folders.map { ($0, Entry(due: due, first: due, isWritten: false)) })
    }

    private func collapse() {
        entries = [:]
        earliest = .infinity
        moves = []
        isEverything = true
        condition.broadcast()
    }

    private func wake() {
        isWoken = true
        condition.broadcast()
    }

    // MARK: What the watcher takes

    /// Waits until something may have settled, at most `seconds`.
    func wait(until now: () -> Double, seconds: Double) {
        condition.lock()
        defer { condition.unlock() }
        let end = now() + seconds
        while !isWoken, !isEverything {
            let left = min(end, earliest) - now()
            guard left > 0 else { break }
            _ = condition.wait(until: Date(timeIntervalSinceNow: left))
        }
        isWoken = false
    }

    /// Ends a wait.
    func interrupt() { condition.withLock { wake() } }

    /// What has settled by now; nil if nothing has.
    func take(at now: Double) -> Batch? {
        condition.withLock {
            var batch = Batch()
            if isEverything {
                isEverything = false
                batch.isEverything = true
                return batch
            }
            let due = entries.filter { $0.value.due <= now }
            defer { earliest = entries.values.lazy.map(\.due).min() ?? .infinity }
            guard !due.isEmpty else { return nil }
            batch.moves = moves
            moves = []
            batch.written = Set(entries.lazy.filter { $0.value.isWritten }.map(\.key))
            for path in due.keys { entries[path] = nil }
            batch.paths = Self.withoutCovered(Array(due.keys))
            return batch
        }
    }

    /// Puts back a batch that could not be handled.
    func putBack(_ batch: Batch, at now: Double) {
        condition.withLock {
            if batch.isEverything || !batch.moves.isEmpty { return collapse() }
            for path in batch.paths where entries[path] == nil {
                insert(path, Entry(due: now + Self.longestWait, first: now, isWritten: true))
            }
        }
    }

    /// The disks that were unmounted since the last call.
    func takeUnmounted() -> Set<String> {
        condition.withLock {
            defer { away = [] }
            return away
        }
    }

    /// Whether the roots have changed since the last call.
    func takeRootsChanged() -> Bool {
        condition.withLock {
            defer { areRootsChanged = false }
            return areRootsChanged
        }
    }

    /// The paths, without those below others of them.
    static func withoutCovered(_ paths: [String]) -> [String] {
        // "/" sorts before all other characters, so the paths below a path directly follow it.
        let sorted = paths.sorted { first, second in
            first.utf8.lazy.map { $0 == 0x2F ? 0 : $0 }.lexicographicallyPrecedes(
                second.utf8.lazy.map { $0 == 0x2F ? 0 : $0 })
        }
        var kept: [String] = []
        for path in sorted {
            if let last = kept.last, path == last || path.hasPrefix(last == "/" ? last : last + "/") { continue }
            kept.append(path)
        }
        return kept
    }
}
