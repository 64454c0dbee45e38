import Concordance
import Foundation
import TestSupport
import Testing

@Suite("An index that several install, or that is killed")
struct InstallationLoadTests {
    @Test func `by two connections at once gives one index`() async throws {
        let notes = try ManyNotes(count: 2_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                let queue = try DatabaseQueue(path: notes.path, configuration: .patient)
                group.addTask { try await queue.install(ManyNotes.index) }
            }
            try await group.waitForAll()
        }
        let report = try await notes.pool().verify(ManyNotes.index, thorough: true)
        #expect(report.isClean, "\(report)")
    }

    @Test func `a killed process leaves what the next one completes`() throws {
        let notes = try ManyNotes(count: 5_000)
        #if os(Linux)
            let child = Process()
            child.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            child.arguments = ["--testing-library", "swift-testing", "--filter", "KilledChildTests"]
            child.environment = ProcessInfo.processInfo.environment.merging(["CONCORDANCE_KILLED_CHILD": notes.path]) {
                $1
            }
            child.standardOutput = FileHandle.nullDevice
            child.standardError = FileHandle.nullDevice
            try child.run()
            defer { if child.isRunning { child.terminate() } }
            let pool = try notes.pool()
            var done = 0
            while done < 1_000, child.isRunning {
                if case .incomplete(let rows) = try pool.indexState(of: ManyNotes.index) { done = rows }
            }
            kill(child.processIdentifier, SIGKILL)
            child.waitUntilExit()
            #expect(child.terminationReason == .uncaughtSignal && done >= 1_000)
            guard case .incomplete = try pool.indexState(of: ManyNotes.index) else {
                Issue.record("\(try pool.indexState(of: ManyNotes.index))")
                return
            }
            try pool.write { try $0.execute(sql: "DELETE FROM notes WHERE id % 100 = 0") }
            try pool.install(ManyNotes.index)
            let report = try pool.verify(ManyNotes.index, thorough: true)
            #expect(report.isClean && report.rowsCompared == 4_950, "\(report)")
        #endif
    }
}

/// What the test `a killed process …` runs in a process of its own.
@Suite("Installing in a process that is killed")
struct KilledChildTests {
    private static let path = ProcessInfo.processInfo.environment["CONCORDANCE_KILLED_CHILD"]

    @Test(.enabled(if: path != nil, "runs in a process of its own"))
    func `installs until it is killed`() throws {
        guard let path = Self.path else { return }
        try DatabasePool(path: path).install(ManyNotes.index) { progress in
            // So that it never ends before it is killed.
            while progress.rowsDone > 4_000 { pause() }
        }
    }
}
