/// Why folders cannot be watched, and what to do about it.
enum WatchProblem: Error, Equatable, CustomStringConvertible {
    case tooManyInstances
    case tooManyFolders(Int)
    case unavailable(String)

    var description: String {
        switch self {
        case .tooManyInstances:
            "this user's programs already have as many watches open as the system allows; raise the limit with: sudo sysctl "
                + "fs.inotify.max_user_instances=1024"
        case .tooManyFolders(let count):
            "the system allows no watches beyond these \(grouped(count)) folders; raise the limit with: "
                + "sudo sysctl fs.inotify.max_user_watches=1048576"
        case .unavailable(let why): "the system cannot watch folders: \(why)"
        }
    }
}
