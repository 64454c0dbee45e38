#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The processor time of the calling thread: unlike a clock's, this time does not pass while other threads and
/// processes run, so a bound on it also holds on a busy machine.
public enum ProcessorTime {
    /// How many seconds of processor time `body` takes on this thread, which must do all its work.
    public static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = now
        try body()
        return now - start
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
