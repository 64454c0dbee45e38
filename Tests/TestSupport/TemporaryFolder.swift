import Foundation

/// A folder for one test, removed with its last reference.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() throws {
        path = NSTemporaryDirectory() + "concordance-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file or folder in it; it need not exist.
    public subscript(name: String) -> String { path + "/" + name }

    /// Writes a file, creating its folders, and returns its path.
    @discardableResult
    public func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = URL(fileURLWithPath: self[name])
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return self[name]
    }

    /// Writes a text as UTF-8, creating the folders, and returns its path.
    @discardableResult
    public func write(_ name: String, _ text: String) throws -> String { try write(name, Array(text.utf8)) }

    public func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: self[name]) }
}
