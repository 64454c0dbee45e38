import Foundation

/// A folder for a benchmark's databases: one that is kept for later runs, or a temporary one that `remove` deletes.
public struct BenchmarkFolder: Sendable {
    private let url: URL
    private let isKept: Bool

    /// - Parameters:
    ///   - kept: The folder that is kept; nil for a temporary one.
    ///   - name: What the name of a temporary folder begins with.
    public init(kept: String?, name: String) throws {
        isKept = kept != nil
        url =
            kept.map { URL(fileURLWithPath: $0) }
            ?? FileManager.default.temporaryDirectory.appendingPathComponent("\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Deletes the folder, unless it is kept.
    public func remove() { if !isKept { try? FileManager.default.removeItem(at: url) } }

    /// The path of a database.
    public func path(_ name: String) -> String { url.appendingPathComponent(name + ".sqlite").path }

    /// A path without a database: an existing one is deleted.
    public func newPath(_ name: String) throws -> String {
        let path = self.path(name)
        for suffix in ["", "-wal", "-shm", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
        return path
    }

    /// The path of a database. If it does not exist, `build` creates it at the path that it gets, and leaves neither a
    /// connection nor a write-ahead log open.
    public func path(_ name: String, build: (String) throws -> Void) throws -> String {
        let path = self.path(name)
        if FileManager.default.fileExists(atPath: path) { return path }
        // A run that is interrupted here leaves nothing that looks finished.
        let unfinished = try newPath(name + "-unfinished")
        try build(unfinished)
        try FileManager.default.moveItem(atPath: unfinished, toPath: path)
        return path
    }
}
