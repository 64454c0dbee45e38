import TestSupport
import Testing

@testable import ConcordCommand

@Suite("Changes are gathered until they have settled, in bounded memory")
struct ChangesTests {
    @Test func whatIsClosedSettlesBeforeWhatIsBeingWritten() {
        let changes = Changes()
        changes.touched("/r/slow", at: 0)
        changes.settled("/r/closed", at: 0)
        #expect(changes.take(at: 0) == nil)
        #expect(changes.take(at: Changes.gathering)?.paths == ["/r/closed"])
        #expect(changes.take(at: Changes.gathering) == nil)
        // Each write puts it off, but not for ever.
        changes.touched("/r/slow", at: 0.3)
        #expect(changes.take(at: Changes.quiet) == nil)
        #expect(changes.take(at: 0.3 + Changes.quiet)?.paths == ["/r/slow"])
        var now = 10.0
        while now < 30 {
            changes.touched("/r/log", at: now)
            now += 0.1
            if changes.take(at: now) != nil { break }
        }
        #expect(now > 10 + Changes.longestWait - 0.01)
        #expect(now < 10 + Changes.longestWait + 1)
    }

    @Test func movesCarryAlongWhatIsKnown() {
        let changes = Changes()
        changes.touched("/r/a/x", at: 0)
        changes.moved(from: "/r/a", to: "/r/b", isFolder: true, at: 0)
        let batch = changes.take(at: Changes.gathering)
        #expect(batch?.moves == [.init(from: "/r/a", to: "/r/b")])
        #expect(batch?.paths == ["/r/a", "/r/b"])
        // What was written in the folder counts as written where it is now.
        #expect(batch?.written == ["/r/b/x"])
        #expect(changes.take(at: Changes.quiet)?.paths == ["/r/b/x"])
        changes.settled("/r/c", at: 1)
        changes.moved(from: "/r/c", to: "/r/d", isFolder: false, at: 1)
        #expect(changes.take(at: 2)?.written == ["/r/c", "/r/d"])
        changes.moved(from: "/r/c", to: "/r/d", isFolder: false, at: 3)
        #expect(changes.take(at: 4)?.written == [])
    }

    /// What is told twice is not put off, and what has left waits for where it may have gone.
    @Test func theOrderOfWhatBelongsTogether() {
        let changes = Changes()
        changes.left("/r/gone", at: 0)
        changes.settled("/r/new", at: 0)
        changes.settled("/r/new", at: Changes.gathering / 2)
        #expect(changes.take(at: Changes.gathering)?.paths == ["/r/new"])
        #expect(changes.take(at: Changes.quiet)?.paths == ["/r/gone"])
    }

    @Test func tooManyPathsBecomeFoldersAndThoseEverything() {
        let changes = Changes(pathLimit: 10, folderLimit: 4)
        for number in 0..<11 { changes.settled("/r/\(number % 3)/\(number)", at: 0) }
        let batch = changes.take(at: 1)
        #expect(batch?.paths == ["/r/0", "/r/1", "/r/2"])
        #expect(batch?.isEverything == false)
        for number in 0..<11 { changes.settled("/r/\(number)/x", at: 2) }
        #expect(changes.take(at: 2) == Changes.Batch(isEverything: true))
        for number in 0..<11 { changes.moved(from: "/r/\(number)", to: "/r/n\(number)", isFolder: false, at: 3) }
        #expect(changes.take(at: 3) == Changes.Batch(isEverything: true))
        #expect(changes.take(at: 9) == nil)
    }

    @Test func whatIsLostComesBackAsEverything() {
        let changes = Changes()
        changes.moved(from: "/r/a", to: "/r/b", isFolder: false, at: 0)
        let batch = changes.take(at: 1)
        changes.putBack(batch!, at: 1)
        #expect(changes.take(at: 1) == Changes.Batch(isEverything: true))
        changes.settled("/r/a", at: 2)
        changes.putBack(changes.take(at: 3)!, at: 3)
        #expect(changes.take(at: 3) == nil)
        #expect(changes.take(at: 3 + Changes.longestWait)?.paths == ["/r/a"])
    }

    @Test(
        arguments: [
            (["/a/b", "/a", "/ab"], ["/a", "/ab"]), (["/a-b", "/a/c", "/a"], ["/a", "/a-b"]), (["/", "/a"], ["/"]),
            (["/a!", "/a/b", "/a/b/c", "/a/bc"], ["/a/b", "/a/bc", "/a!"]), ([], []),
        ])
    func pathsBelowOthersAreLeftOut(_ paths: [String], _ kept: [String]) {
        #expect(Changes.withoutCovered(paths) == kept)
    }

    @Test func unmountedFoldersAreLeftAlone() {
        let changes = Changes()
        changes.settled("/r/disk/a", at: 0)
        changes.settled("/r/other", at: 0)
        changes.unmounted("/r/disk")
        #expect(changes.take(at: 1)?.paths == ["/r/other"])
        #expect(changes.takeUnmounted() == ["/r/disk"])
        #expect(changes.takeUnmounted() == [])
    }
}
