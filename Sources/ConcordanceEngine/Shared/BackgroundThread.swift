import CConcordanceThread

/// Work on a thread of its own. It must not use SQLite, whose connection may be used by the thread that waits.
final class BackgroundThread {
    private let work: Work
    /// The thread, until it has been waited for.
    private var thread: OpaquePointer?

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Begins; where there can be no thread, the work is done at once.
    init(_ body: @escaping @Sendable () -> Void) {
        work = Work(body)
        thread = concordance_thread_start(
            { context in
                guard let context else { return }
                Unmanaged<Work>.fromOpaque(context).takeUnretainedValue().body()
            }, Unmanaged.passUnretained(work).toOpaque())
        if thread == nil { body() }
    }

    deinit { wait() }

    /// Waits until the work is done.
    func wait() {
        guard let running = thread else { return }
        concordance_thread_join(running)
        thread = nil
    }
}
