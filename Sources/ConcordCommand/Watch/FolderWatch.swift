/// The system's word on what happens below folders. Whoever makes one gets changes from the moment on when `init` returns.
protocol FolderWatch: AnyObject, Sendable {
    /// Why it does not see everything, for people, with what to do about it; nil where it does.
    var limitation: String? { get }
    /// Reports no more.
    func stop()
}

/// What has to be watched, and what not.
struct WatchedRoots: Sendable {
    var roots: [IndexRoot]
    /// The index itself, whose own files may lie in a watched folder.
    var database: String

    /// Whether something by this name in a folder belongs to the index.
    func isOwn(_ path: String) -> Bool { IndexFile.isPart(path, of: database) }

    /// The root that something belongs to.
    func root(of path: String) -> IndexRoot? { roots.first { $0.covers(path) } }

    /// Whether a walk of its root visits something by this path, as far as its names say.
    func visits(_ path: String) -> Bool {
        guard let root = root(of: path), !isOwn(path) else { return false }
        if root.options.includesHidden || path == root.path { return true }
        var folder = root.path
        var names = path.dropFirst(root.path == "/" ? 1 : root.path.count + 1).split(separator: "/")[...]
        while let name = names.popFirst() {
            let entry = DirectoryWalk.path(of: String(name), in: folder)
            guard DirectoryWalk.isVisited(String(name), in: folder, root.options),
                names.isEmpty || !DirectoryWalk.isSkippedFolder(String(name), root.options)
            else { return false }
            folder = entry
        }
        return true
    }
}
