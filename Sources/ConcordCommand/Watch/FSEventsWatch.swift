#if os(macOS)
    import CoreServices
    import Foundation

    /// Watches folders by FSEvents, which reports paths, and says below which folders it has lost some.
    ///
    /// A rename arrives as two unrelated paths; the file is recognized by its content.
    ///
    /// `@unchecked Sendable` because the stream is only touched by `init` and `stop`, which its owner calls one after
    /// the other.
    final class FSEventsWatch: FolderWatch, @unchecked Sendable {
        private static let latency = 0.05

        /// The argument of the system's callback.
        private final class Receiver: Sendable {
            let watched: WatchedRoots
            let changes: Changes
            let now: @Sendable () -> Double

            init(_ watched: WatchedRoots, _ changes: Changes, _ now: @escaping @Sendable () -> Double) {
                self.watched = watched
                self.changes = changes
                self.now = now
            }

            func receive(_ path: String, _ flags: Int) {
                func has(_ flag: Int) -> Bool { flags & flag != 0 }
                if has(kFSEventStreamEventFlagRootChanged) { return changes.rootsChanged() }
                if has(kFSEventStreamEventFlagUnmount) { return changes.unmounted(path) }
                if has(kFSEventStreamEventFlagUserDropped) || has(kFSEventStreamEventFlagKernelDropped) {
                    return changes.lost()
                }
                guard let root = watched.root(of: path), !watched.isOwn(path), DirectoryWalk.visits(path, below: root)
                else { return }
                if has(kFSEventStreamEventFlagMustScanSubDirs) || has(kFSEventStreamEventFlagItemIsDir) {
                    changes.settled(path, at: now())
                } else {
                    // FSEvents does not report whether a file has been closed.
                    changes.touched(path, at: now())
                }
            }
        }

        private let stream: FSEventStreamRef
        private let receiver: Unmanaged<Receiver>
        let limitation: String? = nil

        /// - Throws: `WatchProblem`.
        init(_ watched: WatchedRoots, changes: Changes, now: @escaping @Sendable () -> Double) throws {
            let receiver = Unmanaged.passRetained(Receiver(watched, changes, now))
            var context = FSEventStreamContext(
                version: 0, info: receiver.toOpaque(), retain: nil, release: nil, copyDescription: nil)
            let callback: FSEventStreamCallback = { _, info, count, paths, flags, _ in
                guard let info else { return }
                let receiver = Unmanaged<Receiver>.fromOpaque(info).takeUnretainedValue()
                let paths = paths.assumingMemoryBound(to: UnsafePointer<CChar>.self)
                for index in 0..<count {
                    guard var path = String(validatingCString: paths[index]) else { continue }
                    if path.count > 1, path.hasSuffix("/") { path.removeLast() }
                    receiver.receive(path, Int(flags[index]))
                }
            }
            let flags =
                kFSEventStreamCreateFlagFileEvents | kFSEventStreamCreateFlagWatchRoot
                | kFSEventStreamCreateFlagNoDefer
            guard
                let stream = FSEventStreamCreate(
                    nil, callback, &context, watched.roots.map(\.path) as CFArray,
                    FSEventStreamEventId(kFSEventStreamEventIdSinceNow), Self.latency,
                    FSEventStreamCreateFlags(flags))
            else {
                receiver.release()
                throw WatchProblem.unavailable("FSEvents could not be started")
            }
            FSEventStreamSetDispatchQueue(stream, DispatchQueue(label: "concord watch"))
            guard FSEventStreamStart(stream) else {
                FSEventStreamInvalidate(stream)
                FSEventStreamRelease(stream)
                receiver.release()
                throw WatchProblem.unavailable("FSEvents could not be started")
            }
            self.stream = stream
            self.receiver = receiver
        }

        func stop() {
            FSEventStreamStop(stream)
            FSEventStreamInvalidate(stream)
            FSEventStreamRelease(stream)
            receiver.release()
        }
    }
#endif
