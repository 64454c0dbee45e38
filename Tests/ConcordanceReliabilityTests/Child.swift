import Foundation
import TestSupport

/// The executable that does to a table what this process must not; it is beside the test bundle.
final class Child {
    static let path: String? = {
        let places = Bundle.allBundles.map(\.bundlePath) + [CommandLine.arguments[0]]
        return places.map {
            URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("ReliabilityChild").path
        }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    private let process = Process()
    private let output = Pipe()
    private var unread: [UInt8] = []

    /// Starts it; nil, with a printed line, if there is none, as in Xcode.
    init?(_ task: String, _ arguments: KeyValuePairs<String, Any>, function: String = #function) throws {
        guard let path = Self.path else {
            print("SKIPPED \(function): no ReliabilityChild beside the tests")
            return nil
        }
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = [task] + arguments.map { "\($0.key)=\($0.value)" }
        process.standardOutput = output
        try process.run()
    }

    /// Where a test has failed, nobody waits for it: it would keep the output of the tests open.
    deinit { if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) } }

    var isRunning: Bool { process.isRunning }

    /// The next line that it prints; nil at the end.
    func nextLine() -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: unread[..<end], as: UTF8.self)
                unread.removeFirst(end + 1)
                return line
            }
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { return nil }
            unread += data
        }
    }

    /// The signal that ended it, once all its lines are read; nil if it ended by itself.
    var signal: Int32? {
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal ? process.terminationStatus : nil
    }

    /// Kills it, and returns the rest of its output.
    func kill() -> [String] {
        Foundation.kill(process.processIdentifier, SIGKILL)
        return rest()
    }

    private func rest() -> [String] {
        var lines: [String] = []
        while let line = nextLine() { lines.append(line) }
        process.waitUntilExit()
        return lines
    }

    /// Waits for its end; returns its last line, and how it ended if not well.
    func finish() -> (last: String, failure: String?) {
        let last = rest().last ?? ""
        switch signal {
        case nil: return (last, process.terminationStatus == 0 ? nil : last)
        case SIGXCPU: return (last, "it computed for minutes without a line; its last: \(last)")
        case .some(let signal): return (last, "it was ended by signal \(signal); its last line: \(last)")
        }
    }
}

/// How much a test does; the environment asks for more in long runs.
enum Effort {
    /// - Parameter module: FTS5 shows that the tests test what they say; for that, the usual number is enough.
    static func count(_ name: String, _ usual: Int, module: String = "concordance") -> Int {
        guard module != "fts5" else { return usual }
        return ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? usual
    }

    /// Where seeds begin.
    static var firstSeed: Int { count("CONCORDANCE_SEED", 1) }
}
