import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("The system starts what concord service prints")
struct ServiceTests {
    @Test(
        arguments: [
            ("/usr/bin/concord", "/usr/bin/concord"), ("--db", "--db"), ("/a b/c", "\"/a b/c\""),
            ("100%", "\"100%%\""), ("$HOME", "\"$$HOME\""), ("say \"hi\"", "\"say \\\"hi\\\"\""),
            ("a\\b", "\"a\\\\b\""),
            ("", "\"\""), ("käse", "\"käse\""), ("it's", "\"it's\""), ("a;b", "\"a;b\""),
        ])
    func words(_ word: String, _ expected: String) { #expect(BackgroundService.systemdWord(word) == expected) }

    @Test func controlsHaveNoPlaceInAUnit() {
        #expect(throws: UsageError.self) { _ = try BackgroundService(command: ["/bin/concord", "a\nb"]).systemdUnit() }
    }

    /// systemd's own parser reads the unit back.
    @Test func systemdAcceptsTheUnit() throws {
        guard let program = Subprocess.find("systemd-analyze", path: "/usr/bin:/bin") else {
            print("SKIPPED: systemd-analyze is not installed")
            return
        }
        let folder = try TemporaryFolder()
        let concord = try #require(BuiltCommand()).path
        let unit = BackgroundService(
            command: [
                concord, "serve", "--watch", "--db", folder["with space/100% $HOME \"q\" \\n.db"], "--port", "7701",
            ])
        try folder.write("concord.service", unit.systemdUnit())
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["verify", "--man=no", "--user", folder["concord.service"]]
        process.environment = ["XDG_RUNTIME_DIR": folder.path, "HOME": folder.path, "PATH": "/usr/bin:/bin"]
        try folder.write("messages", "")
        process.standardError = FileHandle(forWritingAtPath: folder["messages"])
        try process.run()
        process.waitUntilExit()
        let messages = try String(contentsOfFile: folder["messages"], encoding: .utf8)
        #expect(process.terminationStatus == 0, "\(messages)")
        #expect(!messages.contains("concord.service"), "\(messages)")
    }

    @Test func thePropertyListIsOne() throws {
        let command = ["/opt/con & cord", "serve", "--db", "/a<b>\"c'.db"]
        let text = BackgroundService(command: command).launchdPropertyList
        let list = try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil) as? [String: Any]
        #expect(list?["ProgramArguments"] as? [String] == command)
        #expect(list?["RunAtLoad"] as? Bool == true)
    }

    @Test func theCommandPrintsThem() throws {
        let command = try #require(BuiltCommand())
        let unit = try command.run(["service", "--systemd", "--db", "/tmp/a b.db", "-p", "7800", "--rescan", "60"])
        #expect(unit.code == 0)
        #expect(
            unit.output.contains(
                "ExecStart=\(command.path) serve --watch --db \"/tmp/a b.db\" --port 7800 --rescan 60\n")
                || unit.output.contains("serve --watch --db \"/tmp/a b.db\" --port 7800 --rescan 60\n"))
        let agent = try command.run(["service", "--launchd", "--no-serve"])
        #expect(agent.output.contains("<string>watch</string>"))
        #expect(try command.run(["service", "--no-serve", "--port", "1"]).code == 2)
        #expect(try command.run(["service", "--port", "99999"]).code == 2)
    }
}
