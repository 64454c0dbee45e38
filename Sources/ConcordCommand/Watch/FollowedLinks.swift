import Foundation

/// The symbolic links that walks have followed, because of which a file may have several paths.
struct FollowedLinks: Equatable, Sendable {
    struct Link: Equatable, Sendable {
        /// As the walk came to it.
        var path: String
        /// The same place without links on the way.
        var place: String
        /// Where it leads, without links; something need not be there.
        var target: String
    }

    private(set) var links: [Link] = []
    /// Whether these are all.
    private(set) var isComplete = true

    private static let mostLinks = 10_000
    /// How many links may lie behind each other before nothing is said of what is behind them.
    private static let deepest = 8

    mutating func add(_ path: String) {
        guard links.count < Self.mostLinks else {
            isComplete = false
            return
        }
        guard let folder = DirectoryWalk.resolve(PathText.folder(path)) else { return }
        let place = DirectoryWalk.path(of: PathText.name(path), in: folder)
        links.append(Link(path: path, place: place, target: Self.destination(of: place, in: folder)))
    }

    /// - Parameter isAll: Whether these are those of all roots.
    mutating func add(_ other: FollowedLinks, isAll: Bool = false) {
        if isAll { self = FollowedLinks() }
        isComplete = isComplete && other.isComplete && links.count + other.links.count <= Self.mostLinks
        links += other.links.prefix(Self.mostLinks - links.count)
    }

    /// Forgets what lies below a root, which has been walked again.
    mutating func removeAll(below root: IndexRoot, of roots: [IndexRoot]) {
        links.removeAll { roots.root(of: $0.path) == root }
    }

    /// Where a link leads; where it would lead if something were there.
    private static func destination(of link: String, in folder: String) -> String {
        if let target = DirectoryWalk.resolve(link) { return target }
        guard let text = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else { return link }
        return DirectoryWalk.located(text.hasPrefix("/") ? text : DirectoryWalk.path(of: text, in: folder))
    }

    /// Whether a change at a path has nothing to do with links: what lies there has no other path below a root, holds no links,
    /// and held none.
    ///
    /// - Parameters:
    ///   - path: As a watch reports it.
    ///   - place: The same without links in the folders on the way.
    func isApart(_ path: String, at place: String, roots: [IndexRoot]) -> Bool {
        guard isComplete, !Self.holdsLinks(path) else { return false }
        let isConcerned = links.contains { link in
            Self.covers(path, link.path) || Self.covers(place, link.place) || Self.covers(place, link.target)
        }
        return !isConcerned && isOnlyPath(path, of: place, roots, depth: 0)
    }

    /// Whether something is found by no other path.
    private func isOnlyPath(_ path: String, of place: String, _ roots: [IndexRoot], depth: Int) -> Bool {
        guard depth < Self.deepest else { return false }
        let leading = links.filter { Self.covers($0.target, place) }
        guard let link = leading.first else { return path == place }
        guard leading.count == 1, !roots.contains(where: { $0.covers(place) }) else { return false }
        return path == link.path + place.dropFirst(link.target.count)
            && isOnlyPath(link.path, of: link.place, roots, depth: depth + 1)
    }

    /// Where something is or was, without links in the folders on the way; nil where its folder is gone.
    static func place(of path: String) -> String? {
        DirectoryWalk.resolve(PathText.folder(path)).map { DirectoryWalk.path(of: PathText.name(path), in: $0) }
    }

    private static func covers(_ path: String, _ other: String) -> Bool {
        IndexRoot(path: path, options: WalkOptions()).covers(other)
    }

    /// Whether a path is that of a link, or of a folder with links in it.
    private static func holdsLinks(_ path: String) -> Bool {
        var walk = DirectoryWalk(WalkOptions(includesHidden: true))
        _ = walk.walk(entry: path) { _ in true }
        return walk.linkCount > 0
    }
}
