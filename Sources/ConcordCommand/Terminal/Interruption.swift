import Foundation

/// Turns SIGINT and SIGTERM into a flag as long as it exists. A second signal ends the process at once, which does the
/// index no harm.
final class Interruption {
    let flag = Flag()
    private let raised = DispatchSemaphore(value: 0)
    private var sources: [any DispatchSourceSignal] = []

    init() {
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            let (flag, raised) = (flag, raised)
            source.setEventHandler {
                if flag.isRaised { _exit(128 + number) }
                flag.raise()
                raised.signal()
            }
            source.resume()
            sources.append(source)
        }
    }

    /// Waits for the first signal.
    func wait() { raised.wait() }

    deinit {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
}
