/// Reports what happens below folders. From the moment when `init` returns, no change is missed.
protocol FolderWatch: AnyObject, Sendable {
    /// Why the watch does not see everything, and what to do about it, for the user; nil if it does.
    var limitation: String? { get }
    /// Stops reporting.
    func stop()
}

/// What has to be watched.
struct WatchedRoots: Sendable {
    var roots: [IndexRoot]
    /// The path of the index, whose own files may be in a watched folder.
    var database: String

    /// Whether the file at a path belongs to the index itself.
    func isOwn(_ path: String) -> Bool { IndexFile.isPart(path, of: database) }

    /// The root to which a file at a path belongs.
    func root(of path: String) -> IndexRoot? { roots.root(of: path) }
}
