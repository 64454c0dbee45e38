/// What the process says to the shell when it ends.
enum ExitCode: Int32, Sendable {
    /// Done; for `search`, something was found; for `check`, nothing is wrong.
    case success = 0
    /// `search` found nothing; `check` found something.
    case nothing = 1
    /// The command line makes no sense; nothing was done. For `search`, any error, as grep has it.
    case usage = 2
    /// The index or a file that was named cannot be used.
    case failure = 3
    /// Stopped by the user.
    case interrupted = 130
}
