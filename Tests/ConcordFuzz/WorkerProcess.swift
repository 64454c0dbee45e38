import Foundation

/// A worker, from its start to its end: passes its findings on.
struct WorkerProcess {
    private(set) var findings = 0

    /// The seed of the last script that it began.
    private(set) var lastSeed: UInt64?

    /// `failure` if it said nothing for too long.
    static let hanging = "hangs"

    /// How it ended, if not orderly.
    private(set) var failure: String?

    /// - Parameter patience: After how many seconds without a line it counts as hanging.
    init(_ executable: URL, _ arguments: [String], patience: Double) throws {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let hasHung = try read(pipe.fileHandleForReading, of: process, patience)
        process.waitUntilExit()
        if hasHung {
            failure = Self.hanging
        } else if process.terminationReason == .uncaughtSignal {
            failure = "crashes with signal \(process.terminationStatus)"
        }
    }

    /// Reads to the end of the output; kills the process when it says nothing for too long.
    private mutating func read(_ output: FileHandle, of process: Process, _ patience: Double) throws -> Bool {
        var rest = Data()
        var isInFinding = false
        while true {
            var descriptor = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, Int32(patience * 1000)) != 0 else {
                kill(process.processIdentifier, SIGKILL)
                return true
            }
            let data = output.availableData
            if data.isEmpty { return false }
            rest += data
            while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
                take(String(decoding: rest[..<newline], as: UTF8.self), &isInFinding)
                rest = Data(rest[(newline + 1)...])
            }
        }
    }

    private mutating func take(_ line: String, _ isInFinding: inout Bool) {
        if isInFinding {
            isInFinding = line != FuzzWorker.end
            print(isInFinding ? line : "")
        } else if line.hasPrefix(FuzzWorker.finding) {
            findings += 1
            isInFinding = true
        } else if line.hasPrefix(FuzzWorker.started) {
            lastSeed = UInt64(line.dropFirst(FuzzWorker.started.count))
        }
    }
}
