/// Cleans the names of entries in containers.
enum EntryPath {
    /// The greatest length in bytes of a path that is shown and searched.
    private static let longest = 1024

    /// The components of an entry's path, without `.`, `..` and empty ones, which mean nothing inside an archive, and
    /// without control characters.
    static func components(_ path: String) -> [String] {
        clean(String(decoding: path.utf8.prefix(longest), as: UTF8.self)).split(separator: "/").map(String.init).filter
        { $0 != "." && $0 != ".." }
    }

    /// The name of an attachment, without the folders that some programs put before it.
    static func name(_ name: String) -> String {
        let last = name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        let name = clean(String(decoding: last.utf8.prefix(255), as: UTF8.self))
        return name == "." || name == ".." ? "" : name
    }

    private static func clean(_ name: String) -> String {
        String(decoding: TextStream.clean(Array(name.utf8)), as: UTF8.self).joiningSpaces()
    }
}
