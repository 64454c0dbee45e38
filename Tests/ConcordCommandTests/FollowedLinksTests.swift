import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("Of followed links, those are known that a change has to do with")
struct FollowedLinksTests {
    private static let options = WalkOptions(followsLinks: true)

    private func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    @Test func whatHasNothingToDoWithLinks() throws {
        let (folder, outside) = (try TemporaryFolder(), try TemporaryFolder())
        for name in ["a/f.txt", "a/deep/g.txt", "b/h.txt", "c/i.txt", "d/e/j.txt"] { try folder.write(name, "x") }
        for name in ["o/k.txt", "p/l.txt", "twice/m.txt"] { try outside.write(name, "x") }
        try link(folder["b/to-deep"], to: "../a/deep")
        try link(folder["b/to-file"], to: folder["c/i.txt"])
        try link(folder["out"], to: outside["o"])
        try link(outside["o/on"], to: outside["p"])
        try link(folder["first"], to: outside["twice"])
        try link(folder["second"], to: outside["twice"])
        try link(folder["dangling"], to: "d/not/yet.txt")
        try link(folder["loop"], to: "loop")
        let root = IndexRoot(path: try #require(DirectoryWalk.resolve(folder.path)), options: Self.options)
        var walk = DirectoryWalk(Self.options)
        #expect(walk.walk(root.path) { _ in true })
        for (name, expected) in [
            ("a/f.txt", true), ("a/gone.txt", true), ("b/h.txt", true), ("b/new.txt", true), ("d/e", true),
            ("d/e/j.txt", true),
            // Links lead to these, or into them.
            ("a/deep/g.txt", false), ("a/deep", false), ("a", false), ("c/i.txt", false), ("c", false),
            ("d/not", false),
            ("d/not/yet.txt", false), ("d", false),
            // Links, and folders with links.
            ("b/to-deep", false), ("b/to-file", false), ("b", false), ("dangling", false), ("loop", false),
            // Behind links: by one way, and by two.
            ("out/k.txt", true), ("out/on/l.txt", true), ("out/on", false), ("first/m.txt", false),
            ("second/m.txt", false),
            ("b/to-deep/g.txt", false),
        ] {
            let path = DirectoryWalk.path(of: name, in: root.path)
            guard let place = FollowedLinks.place(of: path) else {
                #expect(name == "d/not/yet.txt")
                continue
            }
            #expect(walk.links.isApart(path, at: place, roots: [root]) == expected, "\(name)")
        }
        // What is new may be a link.
        try link(folder["a/new"], to: folder["c"])
        let path = DirectoryWalk.path(of: "a/new", in: root.path)
        #expect(!walk.links.isApart(path, at: path, roots: [root]))
    }

    @Test func tooManyToBeKnown() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.txt", "x")
        var links = FollowedLinks()
        for number in 0...10_000 { links.add(folder["\(number)"]) }
        #expect(links.links.count == 10_000 && !links.isComplete)
        #expect(!links.isApart(folder["a.txt"], at: folder["a.txt"], roots: []))
    }

    /// Whatever happens, and in whatever order, the index becomes that of what is there.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func anyHistoryWithLinksLeadsToTheSameIndex(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let outside = try TemporaryFolder()
        try outside.write("o/a/outside.txt", "outside")
        let followed = try FollowedFolder(options: Self.options)
        let folder = followed.folder
        let names = ["a", "b", "c", "d.txt", "e.md"]
        func place() -> String {
            folder[
                (0..<Int.random(in: 1...3, using: &generator)).map { _ in names.randomElement(using: &generator)! }
                    .joined(separator: "/")]
        }
        func tryLink(_ path: String, to target: String) {
            try? FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        }
        for step in 0..<120 {
            let (first, second) = (place(), place())
            // Much of it fails, for want of a folder or because something is there.
            switch Int.random(in: 0..<12, using: &generator) {
            case 0..<5:
                try? FileManager.default.createDirectory(
                    atPath: PathText.folder(first), withIntermediateDirectories: true)
                try? "# T\(step % 4)\nstep \(step)".write(
                    toFile: first, atomically: Bool.random(using: &generator), encoding: .utf8)
            case 5..<7: _ = Foundation.rename(first, second)
            case 7: try? FileManager.default.removeItem(atPath: first)
            case 8: _ = try? outside.write("o/a/\(step % 3).txt", "outside \(step)")
            case 9: tryLink(first, to: outside["o"])
            default: tryLink(first, to: second)
            }
            if step % 30 == 29 { try followed.waitUntilAsFresh(options: Self.options) }
        }
        #expect(followed.notices.allSatisfy { !$0.hasPrefix("trouble") })
    }
}
