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
}
