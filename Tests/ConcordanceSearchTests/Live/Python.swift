import Foundation

/// Other processes that use the same file, by Python's own SQLite module.
enum Python {
    /// Whether there is one; prints a line if not.
    static func isThere(function: String = #function) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", "import sqlite3"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        if process.terminationStatus == 0 { return true }
        print("SKIPPED \(function): no python3 with sqlite3 on this machine")
        return false
    }

    /// Starts `script`, whose `sys.argv[1]` is the database.
    static func start(_ script: String, _ path: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", "import sqlite3, sys\n" + script, path]
        try process.run()
        return process
    }
}
