import ConcordanceSQLite
import Dispatch

/// Tells the live sequences of one queue or pool that something has been committed.
///
///     own commit ── observer ──▶ look ──▶ raise every signal
///     timer, while there are signals ─▶ look ──▶ raise every signal where the version has changed
///
/// SQLite's commit hook reports the connection's own commits at once and misses none: the update hook would miss
/// REPLACE, `DELETE FROM table` and tables WITHOUT ROWID. A `VersionProbe`, which a timer asks on a queue of its own,
/// finds the commits of other connections and processes. After an own commit the probe is asked as well, so that the
/// timer does not report it a second time.
///
/// While an app is in the background, the timer rests: see `BackgroundWatch`.
///
/// Each queue or pool has one monitor, however many sequences there are: a hundred of them poll once.
final class CommitMonitor: Sendable {
    private struct Watcher: Sendable {
        let signal: ChangeSignal
        let interval: Duration?
    }

    private struct State {
        var watchers: [UInt64: Watcher] = [:]
        var nextID: UInt64 = 0
        var isLookScheduled = false
        var timer: (any DispatchSourceTimer)?
        var timerInterval: Duration?
        /// There is no timer in the background.
        var isInBackground = false
    }

    private let state = Locked(State())
    /// Keeps the observation of commits alive.
    private let observation = Locked<(any Sendable)?>(nil)
    private let background = Locked<BackgroundWatch?>(nil)
    /// Only blocks on `queue` use it, so nobody waits for the lock.
    private let probe: Locked<VersionProbe>
    private let queue: DispatchQueue

    private init(_ reader: some ConnectionReader) {
        probe = Locked(VersionProbe(reader))
        queue = DispatchQueue(label: "Concordance changes")
    }

    // MARK: - One for each database

    private static let monitors = ReaderTable<OnlyKey, CommitMonitor>()

    /// The monitor of `reader`, made when it is first asked for.
    static func of(_ reader: some ConnectionReader) -> CommitMonitor {
        let (monitor, _) = monitors.value(OnlyKey(), of: reader) { CommitMonitor(reader) }
        monitor.observeCommits(of: reader)
        return monitor
    }

    private func observeCommits(of reader: some ConnectionReader) {
        observation.withLock { observation in
            guard observation == nil else { return }
            // The monitor lives as long as the reader, and must not retain it.
            observation = reader.observeCommits { [weak self] in self?.didCommit() }
            background.withLock { $0 = BackgroundWatch { [weak self] in self?.setInBackground($0) } }
        }
    }

    // MARK: - Watching

    /// A signal that is raised after every commit while the `Watch` lives.
    ///
    /// Returns once the present state of the database is known, so that no change falls between what is read afterwards
    /// and what is reported.
    func watch(every interval: Duration?) async -> Watch {
        let signal = ChangeSignal()
        let id = state.withLock { state in
            state.nextID &+= 1
            state.watchers[state.nextID] = Watcher(signal: signal, interval: interval)
            adjustTimer(&state)
            return state.nextID
        }
        let watch = Watch(signal: signal, monitor: self, id: id)
        guard interval != nil else { return watch }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async {
                self.look(afterOwnCommit: false)
                continuation.resume()
            }
        }
        signal.lower()
        return watch
    }

    fileprivate func end(_ id: UInt64) {
        state.withLock { state in
            state.watchers[id] = nil
            adjustTimer(&state)
        }
    }

    /// How many sequences are waiting for changes.
    var watcherCount: Int { state.withLock { $0.watchers.count } }
    /// Whether the timer is running.
    var isPolling: Bool { state.withLock { $0.timer != nil } }
    /// Whether the probe has the file open.
    var isProbing: Bool { probe.withLock { $0.isOpen } }

    /// Stops looking for changes by others and closes the file; or looks at once, and resumes.
    func setInBackground(_ isInBackground: Bool) {
        state.withLock { state in
            state.isInBackground = isInBackground
            adjustTimer(&state)
        }
        if !isInBackground, isPolling { queue.async { self.look(afterOwnCommit: false) } }
    }

    // MARK: - Looking

    private func didCommit() {
        let isFirst = state.withLock { state in
            guard !state.watchers.isEmpty, !state.isLookScheduled else { return false }
            state.isLookScheduled = true
            return true
        }
        guard isFirst else { return }
        queue.async {
            self.state.withLock { $0.isLookScheduled = false }
            self.look(afterOwnCommit: true)
        }
    }

    /// An own commit always raises the signals: it may concern a temporary or attached database, which the probe does
    /// not see.
    private func look(afterOwnCommit: Bool) {
        // Without a timer, nothing would close the probe's file again.
        let isChanged = isPolling && probe.withLock { $0.look() } == .changed
        guard afterOwnCommit || isChanged else { return }
        let signals = state.withLock { $0.watchers.values.map(\.signal) }
        for signal in signals { signal.raise() }
    }

    /// Runs the timer at the shortest interval that a watcher asks for, and not at all without watchers.
    private func adjustTimer(_ state: inout State) {
        let interval = state.isInBackground ? nil : state.watchers.values.compactMap(\.interval).min()
        guard interval != state.timerInterval else { return }
        state.timerInterval = interval
        state.timer?.cancel()
        state.timer = nil
        guard let interval else {
            queue.async { [self] in closeProbeIfIdle() }
            return
        }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let nanoseconds = interval.dispatchNanoseconds
        timer.schedule(
            deadline: .now() + .nanoseconds(nanoseconds), repeating: .nanoseconds(nanoseconds),
            leeway: .nanoseconds(nanoseconds / 10))
        timer.setEventHandler { [weak self] in self?.look(afterOwnCommit: false) }
        timer.activate()
        state.timer = timer
    }

    private func closeProbeIfIdle() {
        guard state.withLock({ $0.timer == nil }) else { return }
        probe.withLock { $0.close() }
    }
}

/// A signal that is raised after commits; watching ends with this object.
final class Watch: Sendable {
    let signal: ChangeSignal
    private let monitor: CommitMonitor
    private let id: UInt64

    fileprivate init(signal: ChangeSignal, monitor: CommitMonitor, id: UInt64) {
        self.signal = signal
        self.monitor = monitor
        self.id = id
    }

    deinit { monitor.end(id) }
}

extension Duration {
    /// The duration for Dispatch: at least a millisecond, at most an hour.
    fileprivate var dispatchNanoseconds: Int {
        let duration = min(max(self, .milliseconds(1)), .seconds(3600))
        return Int(duration.components.seconds) * 1_000_000_000
            + Int(duration.components.attoseconds / 1_000_000_000)
    }
}
