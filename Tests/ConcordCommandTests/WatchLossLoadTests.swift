#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @testable import ConcordCommand

    @Suite("What the system does not tell of, and disks that are taken away")
    struct WatchLossLoadTests {
        private let command: BuiltCommand
        private let folder: TemporaryFolder

        init() throws {
            command = try #require(BuiltCommand())
            folder = try TemporaryFolder()
        }

        private var database: String { folder["index.db"] }

        private func names() -> Set<String> {
            guard let lines = try? contents(database) else { return [] }
            return Set(lines.filter { $0.contains("|text|") }.map { PathText.name(String($0.prefix { $0 != "|" })) })
        }

        private func end(_ running: BuiltCommand.Running) throws {
            kill(running.process.processIdentifier, SIGTERM)
            #expect(try running.wait().code == 0)
        }

        /// While the process is stopped, more happens than the queue holds: the rest is lost, and everything is walked.
        @Test func moreEventsThanTheQueueHolds() throws {
            let limits = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
            let limit = Int(limits.filter(\.isNumber)) ?? 0
            guard (1...500_000).contains(limit) else {
                print("SKIPPED: the queue for file changes holds \(limit) events, which would take long to fill")
                return
            }
            try folder.write("many/a.txt", "alpha")
            try folder.write("many/b.txt", "beta")
            let running = try command.start(["watch", "-q", folder["many"], "--db", database])
            let process = running.process.processIdentifier
            try running.wait {
                names() == ["a.txt", "b.txt"] && IndexLock.holder(of: database)?.work == .watch
            }
            kill(process, SIGSTOP)
            try running.wait { try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8).contains(") T ") }
            // Events like the one before are not repeated, so the two take turns.
            for number in 0...limit { chmod(folder[number % 2 == 0 ? "many/a.txt" : "many/b.txt"], 0o644) }
            try folder.write("many/new/deep/c.txt", "told by no event")
            kill(process, SIGCONT)
            try running.wait { names() == ["a.txt", "b.txt", "c.txt"] }
            // The folder that no event told of is watched from now on.
            try folder.write("many/new/deep/d.txt", "delta")
            try running.wait { names() == ["a.txt", "b.txt", "c.txt", "d.txt"] }
            try end(running)
        }

        private func mount(_ path: String) -> Bool {
            let program = Subprocess.find("mount", path: "/usr/bin:/bin:/sbin:/usr/sbin") ?? "mount"
            return
                (try? Subprocess.output(
                    of: program, ["-t", "tmpfs", "-o", "size=1m", "tmpfs", path], limit: 1000, seconds: 30)) != nil
        }

        private func unmount(_ path: String) -> Bool {
            guard let program = Subprocess.find("umount", path: "/usr/bin:/bin:/sbin:/usr/sbin") else { return false }
            return (try? Subprocess.output(of: program, [path], limit: 1000, seconds: 30)) != nil
        }

        /// The documents of a disk stay while it is away, whether it is a root or lies below one.
        @Test(arguments: ["many", "many/disk"])
        func aDiskThatIsTakenAway(_ root: String) throws {
            let disk = folder["many/disk"]
            try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
            guard geteuid() == 0, mount(disk) else {
                print("SKIPPED: only root may mount a disk, and not in every container")
                return
            }
            var isMounted = true
            defer { if isMounted { _ = unmount(disk) } }
            try folder.write("many/disk/in/a.txt", "alpha")
            try folder.write("many/disk/b.txt", "beta")
            try folder.write("other/first.txt", "first")
            let running = try command.start(["watch", "-q", folder[root], folder["other"], "--db", database])
            try running.wait {
                names() == ["a.txt", "b.txt", "first.txt"] && IndexLock.holder(of: database)?.work == .watch
            }
            // Somebody may just be looking at it.
            try running.wait { unmount(disk) }
            isMounted = false
            // What is told later comes later.
            try folder.write("other/later.txt", "later")
            try running.wait { names().contains("later.txt") }
            #expect(names() == ["a.txt", "b.txt", "first.txt", "later.txt"])
            // Another disk comes to the same place.
            isMounted = mount(disk)
            try #require(isMounted)
            try folder.write("many/disk/c.txt", "gamma")
            try running.wait { names() == ["c.txt", "first.txt", "later.txt"] }
            try folder.write("many/disk/new/d.txt", "delta")
            try running.wait { names() == ["c.txt", "d.txt", "first.txt", "later.txt"] }
            try end(running)
        }
    }
#endif
