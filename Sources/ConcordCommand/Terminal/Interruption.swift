import Foundation

/// Turns SIGINT and SIGTERM into a flag for as long as it lives; the second signal ends the process at once, which the
/// index survives as it survives everything.
final class Interruption {
    let flag = Flag()
    private var sources: [any DispatchSourceSignal] = []

    init() {
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            let flag = flag
            source.setEventHandler {
                if flag.isRaised { _exit(128 + number) }
                flag.raise()
            }
            source.resume()
            sources.append(source)
        }
    }

    deinit {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
}
