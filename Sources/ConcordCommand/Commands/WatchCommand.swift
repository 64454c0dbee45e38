import Concordance
import Foundation

/// `concord watch`
enum WatchCommand {
    static func run(_ arguments: ParsedArguments, console: Console) throws -> ExitCode {
        let options = try options(arguments, console: console)
        let path = IndexLocation.path(option: arguments.value("db"), environment: console.environment)
        let requested = try IndexCommand.requestedRoots(arguments, console: console)
        let lock = try IndexLock.waiting(for: path, IndexActivity(.watch), console: console)
        let file = try IndexFile.openOrCreate(path: path, analyzer: nil, rebuild: false)
        if file.isEmptied { console.message("The index was made by an older concord; all files are read again.") }
        for root in requested.roots.sorted(by: { $0.path < $1.path }) { _ = try file.remember(root) }
        guard try !file.roots().isEmpty else { throw IndexError.nothingToFollow }
        let interruption = Interruption()
        let isQuiet = arguments.has("quiet")
        var line = ProgressLine(console, isQuiet: isQuiet)
        let notices = WatchNotices(console, isQuiet: isQuiet, isVerbose: arguments.has("verbose"))
        let watcher = Watcher(file, lock: lock, options: options) { notice in
            line.finish()
            notices.show(notice)
        }
        try watcher.run(interruption: interruption.flag) { line.show($0) }
        line.finish()
        return .success
    }

    static func options(_ arguments: ParsedArguments, console: Console) throws -> Watcher.Options {
        Watcher.Options(
            extractor: try IndexCommand.extractor(arguments, console: console),
            rescan: try arguments.count("rescan", in: 1...1_000_000).map(Double.init))
    }
}

/// Prints what a watcher does.
struct WatchNotices {
    private let console: Console
    private let isQuiet: Bool
    private let isVerbose: Bool

    init(_ console: Console, isQuiet: Bool, isVerbose: Bool) {
        self.console = console
        self.isQuiet = isQuiet
        self.isVerbose = isVerbose
    }

    func show(_ notice: Watcher.Notice) {
        switch notice {
        case .walked(let report, let roots):
            guard !isQuiet, !report.isInterrupted else { return }
            console.message(IndexCommand.summary(report) + " Following \(counted(roots, "folder")).")
        case .changed(let report):
            if isVerbose, report.isWorthTelling { console.message(IndexCommand.summary(report)) }
        case .missing(let path):
            console.complain(
                "\(TerminalText.line(path)) is missing; its documents stay, and it is followed again once it is back")
        case .back(let path):
            if !isQuiet { console.message("\(TerminalText.line(path)) is back.") }
        case .limited(let why):
            console.complain("some changes cannot be seen at once, so folders are walked again instead: \(why)")
        case .trouble(let why):
            console.complain("the index cannot be written to; trying again: \(why)")
        }
        for problem in isVerbose ? notice.problems : [] {
            console.message("skipped \(TerminalText.line(problem.path)): \(problem.problem)")
        }
    }
}

extension Watcher.Notice {
    fileprivate var problems: [IndexingReport.Problem] {
        switch self {
        case .walked(let report, _), .changed(let report): report.unreadable + report.problems
        default: []
        }
    }
}

/// A watcher on a thread of its own, for a server.
final class BackgroundWatch: Sendable {
    private let flag = Flag()
    private let ended = DispatchGroup()

    private static let stackBytes = 8 << 20
    /// Seconds between attempts to follow the folders, while another process writes to the index or after a failure.
    private static let interval = 5.0

    init(_ database: String, _ options: Watcher.Options, environment: [String: String]) {
        ended.enter()
        let thread = Thread { [flag, ended] in
            Self.run(database, options, Console(environment: environment), flag)
            ended.leave()
        }
        thread.stackSize = Self.stackBytes
        thread.start()
    }

    /// Stops the watcher, and waits until it has stopped.
    func stop() {
        flag.raise()
        ended.wait()
    }

    private static func run(_ database: String, _ options: Watcher.Options, _ console: Console, _ flag: Flag) {
        var isTold = false
        let notices = WatchNotices(console, isQuiet: true, isVerbose: false)
        while !flag.isRaised {
            do {
                let lock = try IndexLock(database, IndexActivity(.watch))
                let file = try IndexFile.openOrCreate(path: database, analyzer: nil, rebuild: false)
                isTold = false
                try Watcher(file, lock: lock, options: options, tell: notices.show).run(interruption: flag)
            } catch IndexLock.Refusal.held(let holder) {
                if !isTold, let holder {
                    console.complain(
                        "process \(holder.process) is writing to the index; the folders are followed once it ends")
                    isTold = true
                }
            } catch {
                if !isTold { console.complain("the folders are not followed: \(error)") }
                isTold = true
            }
            let end = Date(timeIntervalSinceNow: interval)
            while !flag.isRaised, Date() < end { Thread.sleep(forTimeInterval: 0.1) }
        }
    }
}
