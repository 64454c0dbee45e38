/// The exit code of the process.
enum ExitCode: Int32, Sendable {
    /// Done; for `search`, something was found; for `check`, the index is intact.
    case success = 0
    /// `search` found nothing; `check` found damage.
    case nothing = 1
    /// The command line has a mistake; nothing was done. For `search`, any error, as with grep.
    case usage = 2
    /// The index, or a file given by the user, cannot be used.
    case failure = 3
    /// The user interrupted the command.
    case interrupted = 130
}
