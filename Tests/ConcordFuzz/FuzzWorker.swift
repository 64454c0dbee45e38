import DifferentialFuzzing
import Foundation

/// Runs scripts in this process, and says on standard output which, before it does.
struct FuzzWorker {
    private let run: FuzzRun

    init(_ run: FuzzRun) { self.run = run }

    /// How the lines that it writes begin. The lines of a finding follow it, up to `end`.
    static let (started, finding, end) = ("run ", "finding ", "end")

    func work(seed: UInt64, seconds: Int) throws {
        let deadline = Date().addingTimeInterval(Double(seconds))
        let fuzzer = Fuzzer(run)
        var seed = seed
        while Date() < deadline {
            write("\(Self.started)\(seed)")
            if let finding = try fuzzer.finding(seed: seed) {
                write("\(Self.finding)\(seed)\n\(finding)\n\(Self.end)")
            }
            seed &+= 1
        }
    }

    /// Runs the script in a file of JSON; returns the exit status, 1 if it shows a difference.
    func replay(_ path: String) throws -> Int32 {
        let script = try JSONDecoder().decode(FuzzScript.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        return try run.difference(in: script) == nil ? 0 : 1
    }

    /// Runs the statements of a file on both sides, and prints each with its results.
    func show(_ path: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let sides = try [run.reference, run.module].map { ($0, try $0.open(":memory:")) }
        for statement in text.components(separatedBy: ";\n") where !statement.isEmpty {
            print(statement)
            for (module, session) in sides {
                print("  \(module.name): \(session.run(module.translate(statement)))")
            }
        }
    }

    private func write(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
