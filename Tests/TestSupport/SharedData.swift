import Foundation

/// Large test data that is beside the checkout on some machines: `../shared/data`.
public enum SharedData {
    public static let directory = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("shared/data", isDirectory: true)

    /// The file or folder at `path`; nil, with a printed line that says so, if the data is absent.
    public static func url(_ path: String, function: String = #function) -> URL? {
        let url = directory.appendingPathComponent(path)
        if FileManager.default.fileExists(atPath: url.path) { return url }
        print("SKIPPED \(function): no \(path) beside this checkout")
        return nil
    }
}
