import Foundation

/// Waiting, which only suites named ...LoadTests may do.
extension BuiltCommand.Running {
    struct Failure: Error { let what: String }

    /// Far longer than anything takes, so that what never comes is a failure with a name.
    private static let patience = Duration.seconds(600)

    /// Waits until a condition holds.
    ///
    /// - Throws: `Failure` if the process ends before, or nothing happens.
    func wait(until condition: () throws -> Bool) throws {
        let end = ContinuousClock.now + Self.patience
        while try !condition() {
            guard process.isRunning else { throw Failure(what: "it has ended: \(try wait())") }
            guard ContinuousClock.now < end else { throw Failure(what: "it does not come: \(try read("err"))") }
            usleep(5_000)
        }
    }

    /// Waits until `concord serve` has printed its address; its port.
    func port() throws -> Int {
        var port = 0
        try wait {
            let digits = try read("out").split(separator: "\n").first?.split(separator: ":").last?.filter(
                \.isNumber)
            port = digits.flatMap { Int($0) } ?? 0
            return port > 0
        }
        return port
    }
}
