import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("Forged manifests")
struct ManifestTests {
    private let shape = IndexShape(columnCount: 1, hasPositions: true, prefixes: [])

    private func reread(_ change: (inout Manifest) -> Void) throws -> Manifest {
        var manifest = Manifest(columnCount: 1)
        manifest.nextSegment = 5
        manifest.garbage = [1, 3]
        change(&manifest)
        return try manifest.encode(shape: shape).withUnsafeBytes { try Manifest($0, shape: shape) }
    }

    @Test func `a whole one is read as written`() throws {
        #expect(try reread { _ in }.garbage == [1, 3])
    }

    @Test func `segments are numbered from 1 on`() {
        #expect(throws: (any Error).self) {
            try reread {
                $0.nextSegment = 0
                $0.garbage = []
            }
        }
    }

    @Test func `a segment is dropped once`() {
        #expect(throws: (any Error).self) { try reread { $0.garbage = [3, 3] } }
    }

    /// A list this long used to compare each with each.
    @Test func `many dropped segments are read in no time`() throws {
        let seconds = try ProcessorTime.seconds {
            let manifest = try reread {
                $0.nextSegment = 1_000_000
                $0.garbage = Array(1..<400_000)
                $0.segments = (400_000..<800_000).map {
                    Manifest.Entry(
                        info: SegmentInfo(
                            id: $0, documentCount: 0, minimumRowID: 0, maximumRowID: 0, byteCount: 1, level: 0),
                        stamp: 1)
                }
            }
            #expect(manifest.garbage.count == 399_999 && manifest.segments.count == 400_000)
        }
        #expect(seconds < 60)
    }
}
