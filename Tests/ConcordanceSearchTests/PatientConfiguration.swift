import Concordance

extension Configuration {
    /// Waits for other connections' locks however long that takes on a busy machine.
    static var patient: Configuration {
        var configuration = Configuration()
        configuration.busyTimeout = 3600
        return configuration
    }
}
