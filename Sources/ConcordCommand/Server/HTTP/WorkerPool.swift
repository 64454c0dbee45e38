import Foundation

/// Threads that do jobs in the order of their arrival.
final class WorkerPool: Sendable {
    private let jobs: Channel<@Sendable () -> Void>
    private let workers = DispatchGroup()

    /// Parsing a query and SQLite's own parser use the stack; secondary threads have little of it on some systems.
    private static let stackBytes = 8 << 20

    init(threads: Int, capacity: Int) {
        jobs = Channel(capacity: capacity, senders: 1)
        for _ in 0..<threads {
            workers.enter()
            let thread = Thread { [jobs, workers] in
                while let job = jobs.receive() { job() }
                workers.leave()
            }
            thread.stackSize = Self.stackBytes
            thread.start()
        }
    }

    /// Adds a job; false if too many jobs already wait, or if the pool has been closed.
    func submit(_ job: @escaping @Sendable () -> Void) -> Bool { jobs.offer(job) }

    /// Accepts no more jobs, and returns once the accepted ones are done.
    func finish() {
        jobs.finish()
        workers.wait()
    }
}
