import Foundation

/// Runs another program for its output: without a shell, with limits on time and output.
enum Subprocess {
    enum Failure: Error, Equatable {
        case cannotStart(String)
        case tookTooLong
        case printedTooMuch
        case exited(Int32)
    }

    /// The path of a program in the folders of `PATH`, without its relative folders, which are not trusted.
    static func find(_ name: String, path: String?) -> String? {
        for folder in (path ?? "").split(separator: ":") where folder.hasPrefix("/") {
            let candidate = "\(folder)/\(name)"
            if access(candidate, X_OK) == 0 { return candidate }
        }
        return nil
    }

    /// Runs `program` and returns its standard output. Its standard input and standard error are `/dev/null`.
    static func output(of program: String, _ arguments: [String], limit: Int, seconds: Double) throws -> [UInt8] {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure.cannotStart(systemMessage()) }
        let (readEnd, writeEnd) = (ends[0], ends[1])
        defer { close(readEnd) }
        // Another child that starts in the meantime must not keep this pipe open.
        _ = fcntl(readEnd, F_SETFD, FD_CLOEXEC)
        _ = fcntl(writeEnd, F_SETFD, FD_CLOEXEC)
        let child: pid_t
        do {
            child = try start(program, arguments, output: writeEnd)
        } catch {
            close(writeEnd)
            throw error
        }
        close(writeEnd)
        let result = Result { try collect(readEnd, limit: limit, seconds: seconds) }
        if case .failure = result { kill(child, SIGKILL) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        let bytes = try result.get()
        // The lower seven bits are the signal, the next eight the exit code.
        guard status == 0 else { throw Failure.exited(status & 0x7F != 0 ? -(status & 0x7F) : status >> 8 & 0xFF) }
        return bytes
    }

    /// This process's environment, for the child.
    private static var environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        #if canImport(Darwin)
            return _NSGetEnviron().pointee
        #else
            return environ
        #endif
    }

    private static func start(_ program: String, _ arguments: [String], output: Int32) throws -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, program, &actions, nil, words, environment)
        guard code == 0 else { throw Failure.cannotStart(systemMessage(code)) }
        return child
    }

    /// Starts a program that has the terminal: with this process's output, and its input unless another one is given; with
    /// the signals as if nobody had changed them.
    ///
    /// - Parameter arguments: With the program's name first.
    static func startInTerminal(_ program: String, _ arguments: [String], input: Int32?) throws -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGPIPE] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, program, &actions, &attributes, words, environment)
        guard code == 0 else { throw Failure.cannotStart(systemMessage(code)) }
        return child
    }

    private static func collect(_ descriptor: Int32, limit: Int, seconds: Double) throws -> [UInt8] {
        let deadline = DispatchTime.now().uptimeNanoseconds + UInt64(max(0, seconds) * 1e9)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let now = DispatchTime.now().uptimeNanoseconds
            guard now < deadline else { throw Failure.tookTooLong }
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let milliseconds = Int32(clamping: (deadline - now) / 1_000_000 + 1)
            let ready = poll(&waiting, 1, milliseconds)
            if ready < 0, errno != EINTR { throw Failure.cannotStart(systemMessage()) }
            guard ready > 0 else { continue }
            let got = read(descriptor, &piece, piece.count)
            if got == 0 { return bytes }
            if got < 0 {
                if errno == EINTR { continue }
                throw Failure.cannotStart(systemMessage())
            }
            bytes.append(contentsOf: piece[..<got])
            if bytes.count > limit { throw Failure.printedTooMuch }
        }
    }
}
