import Concordance
import ConcordanceSQLite
import Foundation

/// Shows what a command is doing, and for how long, when the amount of work is unknown: one line that is overwritten,
/// on a terminal only, and only if the work takes more than a moment.
final class ActivityLine {
    private struct State: Sendable {
        var stage: String
        var isShown = false
        var isOver = false
    }

    private let state: Locked<State>
    private let timer: (any DispatchSourceTimer)?

    private static let patience = 0.5
    private static let interval = 0.2

    init(_ console: Console, _ stage: String, isQuiet: Bool = false) {
        state = Locked(State(stage: stage))
        guard console.isMessageTerminal, !isQuiet else {
            timer = nil
            return
        }
        let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        let start = DispatchTime.now()
        let columns = console.width - 1
        timer.schedule(deadline: start + Self.patience, repeating: Self.interval)
        timer.setEventHandler { [state] in
            let seconds = Indexer.seconds(since: start)
            state.withLock { state in
                guard !state.isOver else { return }
                state.isShown = true
                let whole = seconds < 1 ? "" : " \(duration(seconds.rounded(.down)))"
                Self.write("\r" + TerminalText.fitting("\(state.stage) …\(whole)", columns: columns) + "\u{1B}[K")
            }
        }
        timer.resume()
        self.timer = timer
    }

    /// Shows the next stage of the work.
    func begin(_ stage: String) { state.withLock { $0.stage = stage } }

    /// Clears the line for what follows.
    func finish() {
        timer?.cancel()
        state.withLock { state in
            state.isOver = true
            if state.isShown { Self.write("\r\u{1B}[K") }
            state.isShown = false
        }
    }

    deinit { finish() }

    private static func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in _ = Foundation.write(2, bytes.baseAddress, bytes.count) }
    }
}
