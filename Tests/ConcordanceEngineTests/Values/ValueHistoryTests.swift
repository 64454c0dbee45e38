import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite("Stored values of a table")
struct ValueHistoryTests {
    @Test(arguments: ValueTableHistory.Content.allCases, UInt64(0)..<12)
    func `filter, sort and count as SQLite does, whatever has happened`(
        content: ValueTableHistory.Content, seed: UInt64
    ) throws {
        let folder = try TemporaryFolder()
        var history = try ValueTableHistory(content, seed: seed, in: folder)
        var rows: Set<Int> = []
        var depth = 0
        var saved: [Set<Int>] = []
        for step in 0..<160 {
            let rowID = Int.random(in: 1...60, using: &history.random)
            switch Int.random(in: 0..<24, using: &history.random) {
            case 0..<8:
                guard rows.insert(rowID).inserted else { break }
                try history.insert(rowID)
            case 8, 9:
                guard rows.remove(rowID) != nil else { break }
                try history.delete(rowID)
            case 10, 11: try history.changeText(rowID)
            case 12..<16: try history.changeValues { "\($0) = \(rowID)" }
            case 16: try history.changeValues { "\($0) % 3 = \(rowID % 3)" }
            case 17:
                try history.execute("SAVEPOINT s\(depth)")
                saved.append(rows)
                depth += 1
            case 18:
                guard depth > 0 else { break }
                try history.execute("ROLLBACK TO s\(depth - 1)")
                rows = saved[depth - 1]
            case 19, 20:
                guard depth > 0 else { break }
                depth -= 1
                saved.removeLast()
                try history.execute("RELEASE s\(depth)")
            case 21: try history.execute("INSERT INTO t(t, rank) VALUES ('merge', \(rowID % 2 == 0 ? -2 : 2))")
            case 22: try history.execute("INSERT INTO t(t) VALUES ('optimize')")
            default: try history.compare()
            }
            if step % 40 == 39 { try history.checkIntegrity() }
        }
        try history.compare()
        try history.checkIntegrity()
        while depth > 0 {
            depth -= 1
            try history.execute("RELEASE s\(depth)")
        }
        try history.compare()
        try history.checkIntegrity()
        if content != .contentless {
            try history.execute("INSERT INTO t(t) VALUES ('rebuild')")
            try history.compare()
        }
    }

    /// Merges in small steps, between which values of their inputs change.
    @Test(arguments: ValueTableHistory.Content.allCases, UInt64(0)..<2)
    func `survive merges under way, in pages of many documents`(
        content: ValueTableHistory.Content, seed: UInt64
    ) throws {
        let folder = try TemporaryFolder()
        var history = try ValueTableHistory(content, seed: 100 + seed, in: folder)
        var next = 1
        for round in 0..<6 {
            try history.execute("BEGIN")
            for _ in 0..<(round < 2 ? 4500 : 300) {
                try history.insert(next)
                next += 1
            }
            try history.execute("COMMIT")
            try history.compare()
        }
        for round in 0..<12 {
            try history.execute("INSERT INTO t(t, rank) VALUES ('merge', \(round == 0 ? -4 : 4))")
            let rowID = Int.random(in: 1..<next, using: &history.random)
            try history.changeValues { "\($0) BETWEEN \(rowID) AND \(rowID + round * 20)" }
            try history.delete(Int.random(in: 1..<next, using: &history.random))
            if round % 4 == 3 { try history.compare() }
        }
        try history.checkIntegrity()
        for _ in 0..<20 { try history.execute("INSERT INTO t(t, rank) VALUES ('merge', 500)") }
        try history.checkIntegrity()
        for _ in 0..<4 { try history.compare() }
    }
}
