import Concordance
import ConcordanceSearch
import Foundation
import Testing

@Suite("Properties know their columns")
struct KeyPathTests {
    struct Track: Codable, TableRecord {
        enum Kind: String, Codable, CaseIterable { case song, talk }
        struct Tag: Codable, Equatable { var name: String }
        final class Node: Codable { var children: [Node] = [] }

        var id: UUID
        var name: String
        var artist: String?
        var isLive: Bool
        var isLoud: Bool?
        var length: Double
        var recorded: Date?
        var kind: Kind
        var tags: [Tag]
        var lyrics: [String: String]
        var cover: Data
        var tree: Node
        var link: URL?
        var price: Decimal

        enum CodingKeys: String, CodingKey {
            case id, name = "title", artist, isLive, isLoud, length, recorded, kind, tags, lyrics, cover, tree, link,
                price
        }

        var shout: String { name.uppercased() + "!" }
        var trimmed: String { name.trimmingCharacters(in: .whitespaces) }
        var isLiveAndLoud: Bool { isLive && isLoud == true }
        var isEither: Bool { isLive != (isLoud ?? false) }
        var alias: String { name }
    }

    @Test func storedProperties() throws {
        #expect(try Track.column(for: \.id).name == "id")
        #expect(try Track.column(for: \.name).name == "title")
        #expect(try Track.column(for: \.artist).name == "artist")
        #expect(try Track.column(for: \.isLive).name == "isLive")
        #expect(try Track.column(for: \.isLoud).name == "isLoud")
        #expect(try Track.column(for: \.length).name == "length")
        #expect(try Track.column(for: \.recorded).name == "recorded")
        #expect(try Track.column(for: \.kind).name == "kind")
        #expect(try Track.column(for: \.tags).name == "tags")
        #expect(try Track.column(for: \.lyrics).name == "lyrics")
        #expect(try Track.column(for: \.cover).name == "cover")
        #expect(try Track.column(for: \.link).name == "link")
        #expect(try Track.column(for: \.price).name == "price")
    }

    @Test func computedProperties() throws {
        func refused(_ column: () throws -> Column) {
            let error = #expect(throws: KeyPathError.self) { try column() }
            guard case .notStored(record: "Track", _) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        refused { try Track.column(for: \.shout) }
        refused { try Track.column(for: \.trimmed) }
        refused { try Track.column(for: \.isLiveAndLoud) }
        refused { try Track.column(for: \.isEither) }
        // Another name for a stored property is that property's column.
        #expect(try Track.column(for: \.alias).name == "title")
    }

    @Test func typesThatRejectTrialValues() throws {
        enum Mood: String, Codable { case glad, sad }
        struct Diary: Codable, FetchableRecord, TableRecord {
            var day: Int
            var mood: Mood
        }
        let error = #expect(throws: KeyPathError.self) { try Diary.column(for: \.day) }
        #expect(error?.description.contains("make it CaseIterable") == true)
        // In a request, the error comes when it is used.
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE diary (day, mood)")
        #expect(throws: KeyPathError.self) { try Diary.filter { $0.day == 1 }.fetchAll(db) }
        #expect(try Diary.filter { $0["day"] == 1 }.fetchAll(db).isEmpty)
    }

    @Test func concurrentLookUps() async {
        await withTaskGroup(of: String?.self) { group in
            for number in 0..<64 {
                group.addTask {
                    let column = number % 2 == 0 ? try? Track.column(for: \.name) : try? Track.column(for: \.length)
                    return column?.name
                }
            }
            for await name in group { #expect(name == "title" || name == "length") }
        }
    }
}
