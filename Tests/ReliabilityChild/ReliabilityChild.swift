import CFaultySQLite
import ConcordanceSQLite
import Foundation
import ReliabilitySupport

/// A process that does to a table what tests want done elsewhere: to be killed in the middle, to run out of memory, or
/// to crash. Arguments are `name=value`; the first one is what to do.
@main
struct ReliabilityChild {
    let arguments: [String: String]

    static func main() {
        var arguments: [String: String] = [:]
        for argument in CommandLine.arguments.dropFirst(2) {
            let parts = argument.split(separator: "=", maxSplits: 1)
            arguments[String(parts[0])] = parts.count == 2 ? String(parts[1]) : ""
        }
        let child = ReliabilityChild(arguments: arguments)
        do { try child.run(CommandLine.arguments.dropFirst().first ?? "") } catch {
            child.report("problem: \(error)")
            exit(1)
        }
    }

    private func run(_ task: String) throws {
        let workload = Workload(module: try text("module"), seed: UInt64(try number("seed")))
        // SQLite lets its allocator be replaced before anything else.
        if task == "faults", faulty_memory_install() != 0 { throw Problem("the faulty allocator cannot be installed") }
        if faulty_files_register() != 0 { throw Problem("the faulty file system cannot be registered") }
        switch task {
        case "write": try write(workload)
        case "faults": try faults(workload)
        case "damage": try damage(workload)
        case "read": try read(workload)
        default: throw Problem("unknown task \(task)")
        }
    }

    private func text(_ name: String) throws -> String {
        guard let value = arguments[name] else { throw Problem("no argument \(name)") }
        return value
    }

    private func number(_ name: String) throws -> Int {
        guard let value = Int(try text(name)) else { throw Problem("\(name) is no number") }
        return value
    }

    /// Prints a line at once, and lets SIGXCPU end the process if it computes for more than five minutes before the
    /// next one: a call that does not return shows as such, and only then, however busy the machine.
    private func report(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
        var limit = rlimit()
        #if os(Linux)
            let (resource, usage) = (__rlimit_resource_t(RLIMIT_CPU.rawValue), self.usage)
        #else
            let (resource, usage) = (RLIMIT_CPU, self.usage)
        #endif
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, rlim_t(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + 300))
        setrlimit(resource, &limit)
    }

    /// Does transactions forever, and prints which are committed.
    private func write(_ workload: Workload) throws {
        let operation = try number("kill")
        let db = try workload.open(text("path"), journal: text("journal"), vfs: operation > 0 ? "faulty" : nil)
        if try !db.tableExists("progress") {
            try db.execute(sql: "BEGIN")
            try workload.create(in: db)
            try db.execute(sql: "COMMIT")
        }
        var step = try workload.progress(db)
        report("\(step)")
        let operations = FAULTY_WRITE | FAULTY_SYNC | FAULTY_TRUNCATE | FAULTY_DELETE | FAULTY_LOCK
        if operation > 0 { faulty_files_arm(Int32(operations), Int64(operation), Int32(FAULTY_KILL)) }
        while true {
            step += 1
            try workload.perform(step, in: db)
            report("\(step)")
        }
    }

    private func faults(_ workload: Workload) throws {
        let manner = try number("manner")
        let operations = try number("operations")
        let fault: FaultRun.Fault =
            operations == 0 ? .memory(manner: manner) : .files(operations: operations, manner: manner)
        var run = try FaultRun(
            workload, fault: fault, journal: text("journal"), folder: text("folder"), steps: number("steps"))
        try run.run(count: number("count"), stride: number("stride"), progress: report)
        report("ok \(run.faultCount) faults, \(run.errors.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })")
    }

    private func damage(_ workload: Workload) throws {
        let run = try DamageRun(
            workload, isForged: text("forged") == "true", folder: text("folder"), steps: number("steps"))
        let first = try number("first")
        for seed in first..<first + (try number("count")) {
            report("seed \(seed)")
            let before = peakMemory
            try run.run(UInt64(seed))
            // The tables take some 20 MB. The address sanitizer keeps freed memory, so that its peak grows from seed to
            // seed.
            let growth = peakMemory - before
            if growth > 256 << 20 { throw Problem("seed \(seed): \(growth >> 20) MB of memory") }
        }
        let kinds = run.kinds.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        report("ok \(run.answers) calls answered, \(run.refusals) refused; rows damaged by stream \(kinds)")
    }

    /// The most bytes of memory that the process has had.
    private var peakMemory: Int {
        #if os(Linux)
            return Int(usage.ru_maxrss) * 1024
        #else
            return Int(usage.ru_maxrss)
        #endif
    }

    private var usage: rusage {
        var usage = rusage()
        #if os(Linux)
            getrusage(RUSAGE_SELF.rawValue, &usage)
        #else
            getrusage(RUSAGE_SELF, &usage)
        #endif
        return usage
    }

    private func read(_ workload: Workload) throws {
        var reader = SnapshotReader(workload)
        try reader.run(text("path"), changes: number("changes"))
        report("ok \(reader.snapshotCount) snapshots, \(reader.changeCount) changes")
    }
}
