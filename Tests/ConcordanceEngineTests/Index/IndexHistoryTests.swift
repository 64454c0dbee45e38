import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("An index after any history")
struct IndexHistoryTests {
    /// Words of one to four characters, so that prefixes are shared and some words are too short for them.
    static let words = ["a", "ab", "abc", "abcd", "abd", "b", "ba", "é", "éa", "éab", "日", "日本", "日本語", "z", "zz"]

    static func document(columns: Int, _ random: inout SeededGenerator) -> ModelDocument {
        (0..<columns).map { _ in
            (0..<Int.random(in: 0...6, using: &random)).map { _ in
                let word = words[Int.random(in: 0..<words.count, using: &random)]
                return ModelToken(text: word, isColocated: Int.random(in: 0..<8, using: &random) == 0)
            }
        }
    }

    static let shapes = [
        IndexShape(columnCount: 2, hasPositions: true, prefixes: [1, 2, 3]),
        IndexShape(columnCount: 1, hasPositions: true, prefixes: []),
        IndexShape(columnCount: 3, hasPositions: false, prefixes: [2]),
        IndexShape(columnCount: 2, hasPositions: true, prefixes: [1], hasAdjustments: false),
    ]

    @Test(arguments: 0..<24)
    func `holds what a dictionary of documents holds`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let shape = Self.shapes[Int(seed) % Self.shapes.count]
        let folder = try TemporaryFolder()
        var first = try IndexHarness(in: folder, shape: shape)
        try first.db.execute(sql: "PRAGMA journal_mode = WAL")
        // A buffer without rows takes some 98,000 bytes: the second bound is reached after a few rows.
        let memoryBound = [InvertedIndex.defaultMemoryBound, 101_000, 1][Int(seed / 4) % 3]
        let runSize = Int(seed / 12) % 2 == 0 ? MergePolicy.stepSize : 0
        first.index.memoryBound = memoryBound
        first.index.runSize = runSize
        first.index.retainedBound = 0
        var log: [String] = ["memory bound \(memoryBound)"]
        for _ in 0..<100 {
            do {
                if !first.isInTransaction, Int.random(in: 0..<5, using: &random) == 0 {
                    log.append("another connection:")
                    let other = try IndexHarness(in: folder, shape: shape, documents: first.committed)
                    for _ in 0..<3 { try Self.step(other, &random, &log) }
                    if other.isInTransaction { try other.commit() }
                    first.adopt(other.documents)
                }
                if !first.isInTransaction, Int.random(in: 0..<15, using: &random) == 0 {
                    log.append("reopen")
                    first = try IndexHarness(in: folder, shape: shape, documents: first.committed)
                    first.index.memoryBound = memoryBound
                    first.index.runSize = runSize
                }
                try Self.step(first, &random, &log)
                if let difference = try first.differenceOfRowIDs() {
                    Issue.record("seed \(seed): \(difference)\n\(log.joined(separator: "\n"))")
                    return
                }
                guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
                if let difference = try first.difference() {
                    Issue.record("seed \(seed): \(difference)\n\(log.joined(separator: "\n"))")
                    return
                }
            } catch {
                Issue.record("seed \(seed): \(error)\n\(log.joined(separator: "\n"))")
                return
            }
        }
    }

    /// Most words of a removed row stand in the row that replaces it; where one does not, the dictionary is read.
    @Test(arguments: 0..<6)
    func `holds them after rows are replaced by similar ones`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let shape = Self.shapes[Int(seed) % 3]
        let harness = try IndexHarness(in: try TemporaryFolder(), shape: shape)
        // Tokens that share places are looked for in the dictionary only.
        func document() -> ModelDocument {
            Self.document(columns: shape.columnCount, &random).map { $0.map { ModelToken(text: $0.text) } }
        }
        func similar(_ old: ModelDocument) -> ModelDocument {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: document()
            case 1: old.map { Array($0.dropLast()) }
            default: old.map { $0.shuffled(using: &random) }
            }
        }
        let rows = 1...Int64(300)
        try harness.begin()
        for rowID in rows { try harness.insert(rowID, document()) }
        try harness.commit()
        var scanned = 0
        var unscanned = 0
        for round in 1...80 {
            let before = harness.index.dictionaryScanCount
            try harness.begin()
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                guard let rowID = rows.randomElement(using: &random) else { continue }
                let old = harness.documents[rowID] ?? []
                if !old.isEmpty, Int.random(in: 0..<8, using: &random) == 0 {
                    try harness.delete(rowID, text: Bool.random(using: &random) ? nil : document())
                }
                try harness.insert(rowID, old.isEmpty ? document() : similar(old))
            }
            if round % 9 == 0 { try harness.rollback() } else { try harness.commit() }
            if harness.index.dictionaryScanCount > before { scanned += 1 } else { unscanned += 1 }
            if let difference = try harness.difference() {
                Issue.record("seed \(seed), round \(round): \(difference)")
                return
            }
        }
        #expect(scanned > 5)
        #expect(unscanned > 20)
    }

    private static func step(_ harness: IndexHarness, _ random: inout SeededGenerator, _ log: inout [String]) throws {
        let rowID = Int64.random(in: -3...12, using: &random)
        let columns = harness.shape.columnCount
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<7:
            let document = document(columns: columns, &random)
            log.append("insert \(rowID) \(document.map { $0.map { ($0.isColocated ? "+" : "") + $0.text } })")
            try harness.insert(rowID, document)
        case 7..<10:
            log.append("delete \(rowID)")
            try harness.delete(rowID, text: harness.documents[rowID] ?? [])
        case 10:
            log.append("delete \(rowID) by another text")
            try harness.delete(rowID, text: document(columns: columns, &random))
        case 11:
            log.append("delete \(rowID) without text")
            try harness.delete(rowID, text: nil)
        case 12 where !harness.isInTransaction:
            log.append("begin")
            try harness.begin()
        case 12, 13:
            guard harness.isInTransaction else { return }
            log.append("savepoint \(harness.savepointCount)")
            try harness.savepoint()
        case 14, 15:
            guard harness.isInTransaction, harness.savepointCount > 0 else { return }
            let number = Int.random(in: 0..<harness.savepointCount, using: &random)
            log.append("rollback to \(number)")
            try harness.rollback(to: number)
        case 16:
            guard harness.isInTransaction, harness.savepointCount > 0 else { return }
            let number = Int.random(in: 0..<harness.savepointCount, using: &random)
            log.append("release \(number)")
            try harness.release(number)
        case 17:
            log.append("flush")
            try harness.flush()
        case 18:
            guard harness.isInTransaction else { return }
            if Int.random(in: 0..<3, using: &random) == 0 {
                log.append("rollback")
                try harness.rollback()
            } else {
                log.append("commit")
                try harness.commit()
            }
        default:
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                log.append("delete all")
                try harness.deleteAll()
            case 1:
                log.append("optimize")
                try harness.optimize()
            default:
                let pages = [-1, 1, 2, 100].randomElement(using: &random) ?? 1
                log.append("merge \(pages)")
                _ = try harness.merge(pages: pages)
            }
        }
    }
}
