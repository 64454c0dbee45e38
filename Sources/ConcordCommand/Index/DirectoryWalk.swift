import Foundation

/// What to visit below a root.
struct WalkOptions: Equatable, Sendable {
    /// Whether to visit hidden files, and folders of version control, builds and dependencies.
    var includesHidden = false
    var followsLinks = false
}

/// Visits the files below a folder, in each folder in the order of their names.
///
/// Memory is bounded by one path of folders and their entries. Each folder is visited once, so circles of links or
/// mounts come to an end.
struct DirectoryWalk {
    enum Visit {
        case file(path: String, stamp: FileStamp)
        /// A file or folder that cannot be visited. Links that are not followed, FIFOs and devices are not problems.
        case problem(path: String, ExtractionProblem)
    }

    private struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    private static let skippedFolders: Set<String> = ["node_modules", "__pycache__", "CVS", "DerivedData"]

    let options: WalkOptions
    /// Files and folders that are passed over, with everything below them.
    private let excluded: Set<String>
    private var visited: Set<Identity> = []
    /// Those that were followed.
    private(set) var links = FollowedLinks()
    /// How many there were, followed or not.
    private(set) var linkCount = 0

    init(_ options: WalkOptions, excluding excluded: Set<String> = []) {
        self.options = options
        self.excluded = excluded
    }

    /// Visits `root`, a file or a folder, until `visit` returns false.
    ///
    /// - Returns: Whether everything was visited.
    mutating func walk(_ root: String, visit: (Visit) -> Bool) -> Bool {
        var status = stat()
        guard stat(root, &status) == 0 else { return visit(.problem(path: root, .unreadable(systemMessage()))) }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            if let refusal = FileStream.refusal(mode: status.st_mode) {
                return visit(.problem(path: root, .notAFile(refusal)))
            }
            return visit(.file(path: root, stamp: FileStamp(status)))
        }
        visited.insert(Self.identity(status))
        return walk([root], visit: visit)
    }

    /// Visits a file or folder below a root, with everything below it, as a walk of the root would; nothing if it no
    /// longer exists.
    mutating func walk(entry path: String, visit: (Visit) -> Bool) -> Bool {
        var folders: [String] = []
        return visitEntry(path, name: PathText.name(path), folders: &folders, visit: visit)
            && walk(folders, visit: visit)
    }

    private mutating func walk(_ folders: [String], visit: (Visit) -> Bool) -> Bool {
        var pending = folders
        while let folder = pending.popLast() {
            guard let names = names(in: folder, visit: visit) else { return false }
            var folders: [String] = []
            for name in names {
                let path = Self.path(of: name, in: folder)
                guard visitEntry(path, name: name, folders: &folders, visit: visit) else { return false }
            }
            pending += folders.reversed()
        }
        return true
    }

    private mutating func visitEntry(
        _ path: String, name: String, folders: inout [String], visit: (Visit) -> Bool
    ) -> Bool {
        if excluded.contains(path) { return true }
        var status = stat()
        guard lstat(path, &status) == 0 else {
            // A file that has disappeared since its folder was read is not a problem.
            return errno == ENOENT || errno == ENOTDIR || visit(.problem(path: path, .unreadable(systemMessage())))
        }
        if status.st_mode & S_IFMT == S_IFLNK {
            linkCount += 1
            if options.followsLinks { links.add(path) }
            // A dangling link is skipped, like one that is not followed.
            guard options.followsLinks, stat(path, &status) == 0 else { return true }
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return visit(.file(path: path, stamp: FileStamp(status)))
        case S_IFDIR:
            if !Self.isSkippedFolder(name, options), visited.insert(Self.identity(status)).inserted {
                folders.append(path)
            }
            return true
        default: return true
        }
    }

    /// The sorted names in a folder; nil if `visit` has returned false.
    private func names(in folder: String, visit: (Visit) -> Bool) -> [String]? {
        // Without permission to search a folder, all of its files would seem to be gone.
        guard access(folder, R_OK | X_OK) == 0, let directory = opendir(folder) else {
            return visit(.problem(path: folder, .unreadable(systemMessage()))) ? [] : nil
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let (name, isValid) = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
                    (String(cString: $0), String(validatingCString: $0) != nil)
                }
            }
            if name == "." || name == ".." { continue }
            if !isValid {
                // Nothing can be indexed under such a name; the rest of the folder is not affected.
                let path = Self.path(of: name, in: folder)
                if !visit(.problem(path: path, .unreadable("its name is not UTF-8"))) { return nil }
                continue
            }
            guard Self.isVisited(name, in: folder, options) else { continue }
            names.append(name)
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Whether a walk visits a file or folder with this name, skipped folders (`isSkippedFolder`) aside.
    static func isVisited(_ name: String, in folder: String, _ options: WalkOptions) -> Bool {
        options.includesHidden || !name.hasPrefix(".") || isMailFolder(name, in: folder)
    }

    static func isSkippedFolder(_ name: String, _ options: WalkOptions) -> Bool {
        !options.includesHidden && skippedFolders.contains(name)
    }

    /// Whether a walk of a root reaches a path below it, judging by names.
    static func visits(_ path: String, below root: IndexRoot) -> Bool {
        var folder = root.path
        var names = path.dropFirst(root.path == "/" ? 1 : root.path.count + 1).split(separator: "/")[...]
        while let name = names.popFirst() {
            let name = String(name)
            guard isVisited(name, in: folder, root.options), names.isEmpty || !isSkippedFolder(name, root.options)
            else {
                return false
            }
            folder = self.path(of: name, in: folder)
        }
        return true
    }

    /// Whether a walk of a root reaches a path at or below it, judging by names and by what is there now.
    static func reaches(_ path: String, from root: IndexRoot) -> Bool {
        guard root.covers(path), visits(path, below: root) else { return false }
        var place = path
        while place != root.path, place.count > root.path.count {
            var status = stat()
            let isThere = lstat(place, &status) == 0
            if isThere, status.st_mode & S_IFMT == S_IFLNK {
                guard root.options.followsLinks else { return false }
                _ = stat(place, &status)
            }
            // What is missing may be a folder once it is back.
            let isFile = isThere && status.st_mode & S_IFMT != S_IFDIR
            if !isFile, isSkippedFolder(PathText.name(place), root.options) { return false }
            place = PathText.folder(place)
        }
        return true
    }

    /// The names of the subfolders that a walk visits.
    static func folders(in folder: String, _ options: WalkOptions) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let type = Int32(entry.pointee.d_type)
            let mayBeFolder =
                type == Int32(DT_DIR) || type == Int32(DT_UNKNOWN) || options.followsLinks && type == Int32(DT_LNK)
            guard mayBeFolder, let name = name(of: entry), name != ".", name != "..",
                isVisited(name, in: folder, options), !isSkippedFolder(name, options)
            else { continue }
            if type != Int32(DT_DIR) {
                var status = stat()
                let path = path(of: name, in: folder)
                guard (options.followsLinks ? stat(path, &status) : lstat(path, &status)) == 0,
                    status.st_mode & S_IFMT == S_IFDIR
                else { continue }
            }
            names.append(name)
        }
        return names
    }

    /// Nil if the name is not UTF-8.
    private static func name(of entry: UnsafeMutablePointer<dirent>) -> String? {
        withUnsafePointer(to: &entry.pointee.d_name) { tuple in
            tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
                String(validatingCString: $0)
            }
        }
    }

    /// The subfolders of a Maildir have names that begin with a dot
    /// (https://www.courier-mta.org/imap/README.maildirquota.html).
    private static func isMailFolder(_ name: String, in folder: String) -> Bool {
        [folder, path(of: name, in: folder)].allSatisfy {
            access($0 + "/cur", F_OK) == 0 && access($0 + "/new", F_OK) == 0
        }
    }

    static func path(of name: String, in folder: String) -> String {
        folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    private static func identity(_ status: stat) -> Identity {
        Identity(device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
    }

    /// The absolute path of an existing file or folder, without links, dots and doubled slashes; nil if it does not
    /// exist.
    static func resolve(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(validatingCString: resolved)
    }

    /// The absolute path of a file or folder that need not exist, without following links.
    static func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path).standardized.path
    }

    /// The path of a file or folder that need not exist, without links in the part that does: `docs/all.zip/a.txt` is where
    /// `docs/all.zip` is.
    static func located(_ path: String) -> String {
        if let resolved = resolve(path) { return resolved }
        var existing = absolute(path)
        var missing: [String] = []
        while existing != "/", !existing.isEmpty {
            if let resolved = resolve(existing) {
                existing = resolved
                break
            }
            missing.append(PathText.name(existing))
            existing = PathText.folder(existing)
        }
        return missing.reversed().reduce(existing) { Self.path(of: $1, in: $0) }
    }
}
