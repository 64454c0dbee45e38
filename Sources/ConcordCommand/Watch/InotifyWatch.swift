#if os(Linux)
    import Foundation

    /// Watches folders by inotify (man 7 inotify): one watch for each folder, none for files.
    ///
    /// A folder is listed after its watch has been added, so no change falls in between. Folders form a tree, so a
    /// renamed folder is one node that changes its name.
    ///
    /// A watch is added by path, and events describe the past: if folders move in quick succession, the path may
    /// already lead to another folder. So, once no folder has come or gone for a moment, the affected places are
    /// compared with the tree; if they differ, the tree is built again.
    ///
    /// `@unchecked Sendable` because `limit` is only touched while `lock` is held, and everything else only by `init`
    /// and then by the one thread that `init` starts.
    final class InotifyWatch: FolderWatch, @unchecked Sendable {
        private final class Folder {
            let descriptor: Int32
            var name: String
            /// Nil for a root, whose name is its path.
            weak var parent: Folder?
            var children: [String: Folder] = [:]
            let options: WalkOptions
            /// The names of the files to watch in it; nil for all.
            var only: Set<String>?

            init(_ descriptor: Int32, _ name: String, in parent: Folder?, _ options: WalkOptions) {
                self.descriptor = descriptor
                self.name = name
                self.parent = parent
                self.options = options
            }

            var path: String { parent.map { DirectoryWalk.path(of: name, in: $0.path) } ?? name }
        }

        private struct Departure {
            var path: String
            var isFolder: Bool
            /// The node of the folder, which has left its place in the tree.
            var node: Folder?
            var at: Double
        }

        private static let eventBytes = 64 << 10
        /// The two events of a move follow each other at once if both places are watched.
        private static let departureSeconds = 0.05
        /// The tree is compared with the disk once no folder has come or gone for this long.
        private static let calmSeconds = 0.05
        /// If more folders have come or gone, the tree is built again without comparing.
        private static let suspectLimit = 1000
        private static let mask =
            UInt32(IN_CREATE | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE)
            | UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK)

        private let watched: WatchedRoots
        /// The paths of the roots. Each has a place of its own in the tree, also if it is below another one.
        private let rootPaths: Set<String>
        private let changes: Changes
        private let now: @Sendable () -> Double
        private let descriptor: Int32
        private let wakeEnds: (read: Int32, write: Int32)
        private var folders: [Int32: Folder] = [:]
        private var rootFolders: [String: Folder] = [:]
        private var departures: [UInt32: Departure] = [:]
        /// Whether links have led to folders that were watched already: events tell one of their paths only.
        private var hasAliases = false
        private var suspects: Set<String> = []
        private var suspectedAt = 0.0
        private let lock = NSLock()
        private var limit: String?

        /// - Throws: `WatchProblem`.
        init(_ watched: WatchedRoots, changes: Changes, now: @escaping @Sendable () -> Double) throws {
            self.watched = watched
            rootPaths = Set(watched.roots.map(\.path))
            self.changes = changes
            self.now = now
            descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
            guard descriptor >= 0 else {
                throw errno == EMFILE ? WatchProblem.tooManyInstances : WatchProblem.unavailable(systemMessage())
            }
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else {
                let message = systemMessage()
                close(descriptor)
                throw WatchProblem.unavailable(message)
            }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            wakeEnds = (ends[0], ends[1])
            for root in watched.roots { addRoot(root) }
            let thread = Thread { [self] in run() }
            thread.stackSize = 1 << 20
            thread.start()
        }

        var limitation: String? { lock.withLock { limit } }

        func stop() { _ = write(wakeEnds.write, "x", 1) }

        // MARK: Folders

        private func addRoot(_ root: IndexRoot) {
            var status = stat()
            guard stat(root.path, &status) == 0 else { return }
            if status.st_mode & S_IFMT == S_IFDIR {
                rootFolders[root.path] = add(root.path, name: root.path, in: nil, root.options)
                return
            }
            // A file is watched through its folder, since a program that saves it may replace it by another file.
            let (folder, name) = (PathText.folder(root.path), PathText.name(root.path))
            let known = inotify_add_watch(descriptor, folder, Self.mask)
            guard known >= 0 else { return noteFailure(folder) }
            if let there = folders[known] {
                if there.only != nil { there.only?.insert(name) }
            } else {
                let added = Folder(known, folder, in: nil, root.options)
                added.only = [name]
                folders[known] = added
            }
        }

        /// Watches a folder and those below it.
        @discardableResult
        private func add(_ path: String, name: String, in parent: Folder?, _ options: WalkOptions) -> Folder? {
            guard let top = addOne(path, name: name, in: parent, options) else { return nil }
            var pending: [(Folder, String)] = [(top, path)]
            while let (folder, path) = pending.popLast() {
                for name in subfolders(of: path, options) {
                    let inner = DirectoryWalk.path(of: name, in: path)
                    if let added = addOne(inner, name: name, in: folder, options) { pending.append((added, inner)) }
                }
            }
            return top
        }

        /// The names of the subfolders that a walk of the same root visits.
        private func subfolders(of path: String, _ options: WalkOptions) -> [String] {
            DirectoryWalk.folders(in: path, options).filter {
                !rootPaths.contains(DirectoryWalk.path(of: $0, in: path))
            }
        }

        /// Watches one folder; nil if it is already watched, or cannot be.
        private func addOne(_ path: String, name: String, in parent: Folder?, _ options: WalkOptions) -> Folder? {
            let watch = inotify_add_watch(descriptor, path, Self.flags(options))
            guard watch >= 0 else {
                noteFailure(path)
                return nil
            }
            guard folders[watch] == nil else {
                hasAliases = true
                return nil
            }
            let folder = Folder(watch, name, in: parent, options)
            folders[watch] = folder
            parent?.children[name] = folder
            return folder
        }

        private static func flags(_ options: WalkOptions) -> UInt32 {
            options.followsLinks ? mask : mask | UInt32(IN_DONT_FOLLOW)
        }

        private func noteFailure(_ path: String) {
            switch errno {
            case ENOSPC: lock.withLock { limit = limit ?? WatchProblem.tooManyFolders(folders.count).description }
            case ENOMEM: lock.withLock { limit = limit ?? WatchProblem.unavailable(systemMessage()).description }
            // The folder has disappeared, is not a folder or cannot be read; a walk reports what cannot be read.
            default: break
            }
        }

        private func remove(_ folder: Folder) {
            if let parent = folder.parent, parent.children[folder.name] === folder {
                parent.children[folder.name] = nil
            }
            var pending = [folder]
            while let next = pending.popLast() {
                inotify_rm_watch(descriptor, next.descriptor)
                folders[next.descriptor] = nil
                pending += next.children.values
            }
        }

        // MARK: Events

        private func run() {
            defer {
                for end in [descriptor, wakeEnds.read, wakeEnds.write] { close(end) }
            }
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.eventBytes, alignment: 16)
            defer { buffer.deallocate() }
            while true {
                var polled = [
                    pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: wakeEnds.read, events: Int16(POLLIN), revents: 0),
                ]
                let timeout: Int32 =
                    departures.isEmpty && suspects.isEmpty ? -1 : Int32(Self.departureSeconds * 1000)
                let ready = poll(&polled, 2, timeout)
                if polled[1].revents != 0 { return }
                if ready > 0 {
                    let count = read(descriptor, buffer.baseAddress, buffer.count)
                    if count > 0 { receive(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
                }
                expireDepartures()
                if !suspects.isEmpty, departures.isEmpty, now() - suspectedAt >= Self.calmSeconds { compare() }
            }
        }

        private func receive(_ bytes: UnsafeRawBufferPointer) {
            let head = MemoryLayout<inotify_event>.size
            var place = 0
            while place + head <= bytes.count {
                let event = bytes.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
                let end = place + head + Int(event.len)
                guard end <= bytes.count else { return }
                let name = bytes[place + head..<end].prefix { $0 != 0 }
                place = end
                guard event.mask & UInt32(IN_Q_OVERFLOW) == 0 else {
                    // The lost events may concern new folders, so the owner of the watch starts it again.
                    departures = [:]
                    beginAgain()
                    continue
                }
                guard let folder = folders[event.wd] else { continue }
                handle(event, folder, name)
            }
        }

        private func handle(_ event: inotify_event, _ folder: Folder, _ bytes: Slice<UnsafeRawBufferPointer>) {
            let mask = event.mask
            func has(_ flags: Int32...) -> Bool { flags.contains { mask & UInt32(bitPattern: $0) != 0 } }
            if has(IN_UNMOUNT) {
                changes.unmounted(folder.path)
                if folder.parent == nil { changes.rootsChanged() }
                return
            }
            if has(IN_IGNORED) {
                if folder.parent == nil { changes.rootsChanged() }
                return remove(folder)
            }
            if has(IN_DELETE_SELF, IN_MOVE_SELF) {
                if folder.parent == nil { changes.rootsChanged() }
                return
            }
            // Files whose names are not UTF-8 are not indexed.
            let name = String(decoding: bytes, as: UTF8.self)
            guard !name.isEmpty, name.utf8.elementsEqual(bytes) else { return }
            if let only = folder.only, !only.contains(name) { return }
            let path = DirectoryWalk.path(of: name, in: folder.path)
            let isFolder = mask & UInt32(IN_ISDIR) != 0
            let isRoot = rootPaths.contains(path)
            if isRoot, isFolder {
                // Its own watch tells what happens to it, unless this is another folder, or one that could not be watched.
                let isOther = has(IN_CREATE, IN_MOVED_TO) || has(IN_ATTRIB) && rootFolders[path] == nil
                if isOther { changes.rootsChanged() }
                return
            }
            if has(IN_CREATE, IN_DELETE, IN_MOVED_FROM, IN_MOVED_TO), isFolder || isFolderLink(path, name, folder) {
                suspect(path)
            }
            let isVisited =
                !watched.isOwn(path) && (isRoot || DirectoryWalk.isVisited(name, in: folder.path, folder.options))
                && !(isFolder && DirectoryWalk.isSkippedFolder(name, folder.options))
            if has(IN_MOVED_FROM) {
                let node = isFolder ? folder.children.removeValue(forKey: name) : nil
                if isVisited {
                    departures[event.cookie] = Departure(path: path, isFolder: isFolder, node: node, at: now())
                } else if let node {
                    remove(node)
                }
            } else if has(IN_MOVED_TO) {
                arrive(path, name, in: folder, isFolder: isFolder, isVisited: isVisited, cookie: event.cookie)
            } else if isVisited {
                change(path, name, in: folder, isFolder: isFolder, has)
            }
        }

        /// Whether a link is or was here that leads to a folder, and is followed. Of links nobody says where they lead.
        private func isFolderLink(_ path: String, _ name: String, _ folder: Folder) -> Bool {
            guard folder.options.followsLinks else { return false }
            var status = stat()
            return folder.children[name] != nil || stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        }

        private func change(
            _ path: String, _ name: String, in folder: Folder, isFolder: Bool, _ has: (Int32...) -> Bool
        ) {
            if isFolder {
                if has(IN_DELETE) {
                    if let gone = folder.children[name] { remove(gone) }
                    changes.settled(path, at: now())
                } else if folder.children[name] == nil, folder.only == nil {
                    // A new folder, or one that has become readable. What it already contains causes no events.
                    add(path, name: name, in: folder, folder.options)
                    changes.settled(path, at: now())
                }
                return
            }
            if has(IN_CLOSE_WRITE, IN_DELETE) {
                changes.settled(path, at: now())
            } else {
                changes.touched(path, at: now())
            }
        }

        private func arrive(
            _ path: String, _ name: String, in folder: Folder, isFolder: Bool, isVisited: Bool, cookie: UInt32
        ) {
            let departure = departures.removeValue(forKey: cookie)
            let node = departure?.node
            guard isVisited else {
                if let departure { leave(departure) }
                return
            }
            if let replaced = folder.children[name] { remove(replaced) }
            if isFolder, let node {
                // Another root may have other options; then the folder's subtree is built again.
                if node.options == folder.options {
                    node.name = name
                    node.parent = folder
                    folder.children[name] = node
                } else {
                    remove(node)
                    add(path, name: name, in: folder, folder.options)
                }
            } else if isFolder, folder.only == nil {
                add(path, name: name, in: folder, folder.options)
            }
            if let departure {
                changes.moved(from: departure.path, to: path, isFolder: isFolder, at: now())
            } else {
                changes.settled(path, at: now())
            }
        }

        /// A file or folder has moved to a place that is not watched.
        private func leave(_ departure: Departure) {
            if let node = departure.node { remove(node) }
            changes.left(departure.path, at: now())
        }

        // MARK: Comparing the tree with the disk

        private func beginAgain() {
            suspects = []
            changes.lost()
            changes.rootsChanged()
        }

        private func suspect(_ path: String) {
            suspectedAt = now()
            suspects.insert(path)
            if suspects.count > Self.suspectLimit { beginAgain() }
        }

        /// Compares the tree with the disk, at and below the places of folders that came or went.
        private func compare() {
            let places = Changes.withoutCovered(Array(suspects))
            suspects = []
            for path in places {
                guard let root = watched.root(of: path), rootFolders[root.path] != nil, path != root.path else {
                    continue
                }
                // With links, one folder has several places; folders that cannot be watched have none in the tree.
                guard !(root.options.followsLinks && hasAliases), limitation == nil else { return beginAgain() }
                // The folder around it may have come or gone as well.
                var place = path
                var parent = node(of: PathText.folder(place), below: root)
                while parent == nil, place != root.path {
                    place = PathText.folder(place)
                    parent = node(of: PathText.folder(place), below: root)
                }
                guard let parent else { continue }
                let name = PathText.name(place)
                guard DirectoryWalk.isVisited(name, in: parent.path, root.options),
                    !DirectoryWalk.isSkippedFolder(name, root.options)
                else { continue }
                guard isAsThere(place, name, in: parent) else { return beginAgain() }
                changes.settled(place, at: now())
            }
        }

        /// Whether the tree agrees with the disk at and below a place; adds new folders.
        private func isAsThere(_ path: String, _ name: String, in parent: Folder) -> Bool {
            var pending = [(path, name, parent)]
            while let (path, name, parent) = pending.popLast() {
                let known = parent.children[name]
                let watch = inotify_add_watch(descriptor, path, Self.flags(parent.options))
                if watch < 0 {
                    guard known == nil else { return false }
                    continue
                }
                if known?.descriptor != watch {
                    guard known == nil, folders[watch] == nil else { return false }
                    let added = Folder(watch, name, in: parent, parent.options)
                    folders[watch] = added
                    parent.children[name] = added
                }
                guard let folder = folders[watch] else { return false }
                let names = Set(subfolders(of: path, folder.options))
                guard folder.children.keys.allSatisfy(names.contains) else { return false }
                pending += names.map { (DirectoryWalk.path(of: $0, in: path), $0, folder) }
            }
            return true
        }

        private func expireDepartures() {
            guard !departures.isEmpty else { return }
            let oldest = now() - Self.departureSeconds
            for (cookie, departure) in departures where departure.at <= oldest {
                departures[cookie] = nil
                leave(departure)
            }
        }

        /// The node of a path, at or below a root.
        private func node(of path: String, below root: IndexRoot) -> Folder? {
            guard var node = rootFolders[root.path] else { return nil }
            if path == root.path { return node }
            for name in path.dropFirst(root.path == "/" ? 1 : root.path.count + 1).split(separator: "/") {
                guard let child = node.children[String(name)] else { return nil }
                node = child
            }
            return node
        }
    }
#endif
