import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("A damaged page of values gives an error or values")
struct HostileValuePageTests {
    /// Opens a page and reads everything in it. Returns whether it could be opened; an error must be `corrupt`.
    private func read(_ bytes: [UInt8], count: Int, _ context: @autoclosure () -> String) throws -> Bool {
        do {
            try withPage(bytes, count: count) { page in
                var isInDictionary = true
                for index in 0..<count {
                    var last: UInt32?
                    page.forEachCode(at: index) { code in
                        isInDictionary = isInDictionary && code <= page.greatestCode && code >= page.leastCode
                        isInDictionary = isInDictionary && last.map { $0 < code } ?? true
                        last = code
                    }
                    if index % 64 == 0 { _ = page.values(at: index) }
                }
                #expect(isInDictionary, "\(context())")
                let codes = page.codes(from: .excluding(.integer(3)), to: .including(.text([0x62])))
                #expect(codes.upperBound <= page.greatestCode &+ 1, "\(context())")
                _ = page.codes(equalTo: page.value(page.greatestCode))
                _ = page.value(.max)
            }
            return true
        } catch let error as DatabaseError {
            #expect(error.resultCode == .SQLITE_CORRUPT, "\(context())")
            return false
        }
    }

    private static let small: [[ValueGenerator.Document]] = ValueGenerator.Kind.allCases.flatMap { kind in
        [false, true].map { hasLists in
            var generator = ValueGenerator(seed: 300)
            return generator.documents(kind, count: 21, hasLists: hasLists)
        }
    }

    @Test(arguments: small.indices)
    func `cut anywhere, with more after it, or with other counts`(index: Int) throws {
        let documents = Self.small[index]
        let bytes = encodedPage(of: documents)
        for end in 0..<bytes.count {
            let isRead = try read(Array(bytes[..<end]), count: documents.count, "cut at \(end)")
            #expect(!isRead, "cut at \(end)")
        }
        #expect(try !read(bytes + [0], count: documents.count, "with a byte more"))
        for count in [0, 1, 20, 22, 4096, 1 << 20] { _ = try read(bytes, count: count, "with a count of \(count)") }
    }

    @Test(arguments: small.indices)
    func `each byte anything`(index: Int) throws {
        let documents = Self.small[index]
        let bytes = encodedPage(of: documents)
        for offset in bytes.indices.prefix(400) {
            for value in offset < 12 ? Array(UInt8.min...UInt8.max) : [0, 1, 0x7F, 0x80, 0xFF, bytes[offset] ^ 4] {
                var damaged = bytes
                damaged[offset] = value
                _ = try read(damaged, count: documents.count, "\(value) at \(offset)")
            }
        }
    }

    @Test(arguments: 0..<40)
    func `flipped bits, and numbers that are too large`(seed: UInt64) throws {
        var generator = ValueGenerator(seed: 400 + seed)
        let kind = generator.kind()
        let count = min(generator.count(), 500)
        let bytes = encodedPage(of: generator.documents(kind, count: count, hasLists: seed % 2 == 0))
        for round in 0..<100 {
            var damaged = bytes
            for _ in 0..<[1, 1, 2, 10].randomElement(using: &generator.random)! {
                let near = min(Bool.random(using: &generator.random) ? 16 : damaged.count, damaged.count)
                guard near > 0 else { break }
                let index = Int.random(in: 0..<near, using: &generator.random)
                switch Int.random(in: 0..<6, using: &generator.random) {
                case 0: damaged.removeSubrange(index...)
                case 1: damaged.replaceSubrange(index...index, with: Array(repeating: 0xFF, count: 9) + [1])
                case 2: damaged.insert(UInt8.random(in: 0...255, using: &generator.random), at: index)
                default: damaged[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator.random)
                }
            }
            _ = try read(damaged, count: count, "seed \(seed), round \(round)")
        }
    }

    @Test(arguments: 0..<40)
    func `bytes that are not a page`(seed: UInt64) throws {
        var random = SeededGenerator(seed: 500 + seed)
        for _ in 0..<200 {
            let size = Int.random(in: 0...40, using: &random)
            var bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
            if !bytes.isEmpty { bytes[0] &= 15 }
            _ = try read(bytes, count: Int.random(in: 0...8, using: &random), "\(bytes)")
        }
    }
}
