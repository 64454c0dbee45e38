import DifferentialFuzzing
import Foundation

/// Lets workers run scripts in processes of their own, and shortens scripts that crash them or hang.
struct FuzzSupervisor {
    private let options: FuzzOptions
    private let deadline: Date
    private let executable = URL(fileURLWithPath: CommandLine.arguments[0])

    /// How long one script may take, shrinking included, in seconds.
    private static let patience = 120.0

    init(_ options: FuzzOptions) {
        self.options = options
        deadline = Date().addingTimeInterval(Double(options.seconds))
    }

    /// Returns how many findings there were.
    func work() throws -> Int {
        print("scripts from seed \(options.seed) on")
        var seed = options.seed
        var findings = 0
        while deadline.timeIntervalSinceNow > 0 {
            let worker = try WorkerProcess(executable, arguments(["--worker"], seed), patience: Self.patience)
            findings += worker.findings
            seed = (worker.lastSeed ?? seed) &+ 1
            if let failure = worker.failure {
                findings += try investigate(seed: seed &- 1, failure)
            }
        }
        print("\(seed &- options.seed) scripts, \(findings) findings")
        return findings
    }

    private func arguments(_ mode: [String], _ seed: UInt64) -> [String] {
        let seconds = max(Int(deadline.timeIntervalSinceNow), 1)
        return mode + ["--seed", "\(seed)", "--seconds", "\(seconds)"] + (options.isReferenceOnly ? ["--fts5"] : [])
            + options.comparison
    }

    /// A script whose process ended as `failure` says: a finding, unless FTS5 alone also ends like that.
    private func investigate(seed: UInt64, _ failure: String) throws -> Int {
        let script = FuzzScript(seed: seed)
        if try replay(script, ["--fts5"]) != nil {
            print("seed \(seed): FTS5 itself crashes (\(failure))")
            return 0
        }
        print("-- seed \(seed): \(failure)")
        guard let first = try replay(script, []) else {
            // A machine with other work may let a process wait as long as that.
            guard failure != WorkerProcess.hanging else {
                print("not when run alone")
                return 0
            }
            print("not when run alone: a shortened script does so")
            return 1
        }
        var shrinker = Shrinker(
            script, first, attempts: failure == WorkerProcess.hanging ? 60 : 600, time: .seconds(600)
        ) {
            candidate in
            try replay(candidate, ["--fts5"]) == nil ? try replay(candidate, []) : nil
        }
        shrinker.shrink()
        print(shrinker.script)
        return 1
    }

    /// How the process that runs a script ends, if not orderly.
    private func replay(_ script: FuzzScript, _ arguments: [String]) throws -> FuzzDifference? {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("concord-fuzz-\(UUID().uuidString)")
        try JSONEncoder().encode(script).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let worker = try WorkerProcess(
            executable, ["--replay", file.path] + options.comparison + arguments, patience: 30)
        guard let failure = worker.failure else { return nil }
        var actual = SQLResult()
        actual.error = failure
        return FuzzDifference(step: script.steps.count - 1, expected: SQLResult(), actual: actual)
    }
}
