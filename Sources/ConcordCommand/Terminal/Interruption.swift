import Foundation

/// Turns SIGINT and SIGTERM into a flag as long as it exists. A second signal ends the process at once, which does the
/// index no harm.
final class Interruption {
    let flag = Flag()
    private let raised = DispatchSemaphore(value: 0)
    private var sources: [any DispatchSourceSignal] = []
    private static let signals = [SIGINT, SIGTERM]

    init() {
        let registered = DispatchGroup()
        for number in Self.signals {
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            let (flag, raised) = (flag, raised)
            source.setEventHandler {
                if flag.isRaised { _exit(128 + number) }
                flag.raise()
                raised.signal()
            }
            registered.enter()
            source.setRegistrationHandler { registered.leave() }
            source.resume()
            sources.append(source)
        }
        // A signal that comes earlier ends the process. If signals were ignored until then, it would be lost.
        registered.wait()
        #if canImport(Darwin)
            // Sources only observe signals there; elsewhere they replace what the signals do.
            for number in Self.signals { signal(number, SIG_IGN) }
        #endif
    }

    /// Waits for the first signal.
    func wait() { raised.wait() }

    deinit {
        for source in sources { source.cancel() }
        for number in Self.signals { signal(number, SIG_DFL) }
    }
}
