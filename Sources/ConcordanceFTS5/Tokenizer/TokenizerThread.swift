import CConcordanceSQLite

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What the tokenizers that run on one thread share.
///
/// A tokenizer's C interface has no room for a Swift error, and a tokenizer does not know who called it: SQLite, or
/// another tokenizer that wraps it. So an error waits here until the outermost caller takes it. And since a chain of
/// wrappers is a chain of calls on one thread, its length is counted here.
final class TokenizerThread {
    fileprivate(set) var depth = 0
    private var error: (any Error)?

    /// Stores the first error of a tokenization.
    func fail(_ error: any Error) {
        if self.error == nil { self.error = error }
    }

    /// Removes and returns the waiting error.
    func takeError() -> (any Error)? {
        defer { error = nil }
        return error
    }

    /// The state of the running thread; nil if the system has no memory or no key left for it.
    static var current: TokenizerThread? {
        guard let key else { return nil }
        if let pointer = pthread_getspecific(key) {
            return Unmanaged<TokenizerThread>.fromOpaque(pointer).takeUnretainedValue()
        }
        let state = Unmanaged.passRetained(TokenizerThread())
        guard pthread_setspecific(key, state.toOpaque()) == 0 else {
            state.release()
            return nil
        }
        return state.takeUnretainedValue()
    }

    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) { pointer in
            // Optional on some systems, but not on others.
            let pointer: UnsafeMutableRawPointer? = pointer
            if let pointer { Unmanaged<TokenizerThread>.fromOpaque(pointer).release() }
        }
        return status == 0 ? key : nil
    }()
}

/// Bounds how deep tokenizers may wrap each other.
enum TokenizerDepth {
    /// Real chains have two or three links. At this depth, with the frames of Swift, SQLite and the user in between,
    /// even the half megabyte of stack of secondary threads on Darwin suffices.
    static let limit = 32

    /// Runs `body` one level deeper; throws `FTS5Error.tokenizerRecursion` if that is too deep.
    ///
    /// At the outermost level, discards an error that nobody took earlier.
    static func descend<Value>(
        _ name: @autoclosure () -> String, _ body: (TokenizerThread) throws -> Value
    ) throws -> Value {
        guard let thread = TokenizerThread.current else { throw FTS5Error.tokenizerFailed(name(), code: SQLITE_NOMEM) }
        guard thread.depth < limit else { throw FTS5Error.tokenizerRecursion(name()) }
        if thread.depth == 0 { _ = thread.takeError() }
        thread.depth += 1
        defer { thread.depth -= 1 }
        return try body(thread)
    }
}

/// Runs a tokenizer whose errors wait for the outermost caller, and are replaced by `SQLITE_ERROR`.
func parkingErrors(of name: @autoclosure () -> String, _ body: () throws -> Int32) -> Int32 {
    do {
        return try TokenizerDepth.descend(name()) { _ in try body() }
    } catch {
        TokenizerThread.current?.fail(error)
        return SQLITE_ERROR
    }
}
