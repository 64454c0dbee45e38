import Foundation
import TestSupport

@testable import ConcordCommand

/// The executable that stands beside the test bundle.
struct BuiltCommand {
    struct Output: Sendable {
        var code: Int32
        var output: String
        var messages: String
    }

    let path: String

    /// Nil if there is none, as in Xcode.
    init?() {
        let places = Bundle.allBundles.map(\.bundlePath) + [CommandLine.arguments[0]]
        let candidates = places.map {
            URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("concord").path
        }
        guard let path = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            return nil
        }
        self.path = path
    }

    func start(_ arguments: [String], input: String? = nil, environment: [String: String] = [:]) throws -> Running {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "HOME": NSTemporaryDirectory(),
        ]
        .merging(environment) { $1 }
        // Files rather than pipes, which fill up.
        let folder = try TemporaryFolder()
        for name in ["out", "err", "in"] { try folder.write(name, name == "in" ? input ?? "" : "") }
        process.standardInput = FileHandle(forReadingAtPath: folder["in"])
        process.standardOutput = FileHandle(forWritingAtPath: folder["out"])
        process.standardError = FileHandle(forWritingAtPath: folder["err"])
        try process.run()
        return Running(process: process, folder: folder)
    }

    func run(_ arguments: [String], input: String? = nil, environment: [String: String] = [:]) throws -> Output {
        try start(arguments, input: input, environment: environment).wait()
    }

    /// A process, killed when nobody holds it any more.
    final class Running {
        let process: Process
        let folder: TemporaryFolder

        init(process: Process, folder: TemporaryFolder) {
            self.process = process
            self.folder = folder
        }

        deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

        func wait() throws -> Output {
            process.waitUntilExit()
            let code = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
            return Output(code: code, output: try read("out"), messages: try read("err"))
        }

        /// What it has printed so far: `out` or `err`.
        func read(_ name: String) throws -> String {
            String(decoding: try Data(contentsOf: URL(fileURLWithPath: folder[name])), as: UTF8.self)
        }
    }
}
