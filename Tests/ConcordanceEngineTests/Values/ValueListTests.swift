import ConcordanceSQLite
import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite struct `Lists of values` {
    private static func values(_ text: [UInt8]) -> [StoredValue]? {
        text.withUnsafeBufferPointer { ValueList(json: $0)?.values }
    }

    private static func text(_ string: String) -> StoredValue { .text(Array(string.utf8)) }

    static let lists: [(json: String, values: [StoredValue])] = [
        ("[]", []), (" [ ] ", []), ("\t[\n1\r, 2 ]", [.integer(1), .integer(2)]),
        (#"["b", "a", "b", 1, null, 2.5, true, false]"#, [.integer(0), .integer(1), .real(2.5), text("a"), text("b")]),
        ("[null]", []), ("[true, 1, 1.0]", [.integer(1), .real(1)]), ("[0, -0, -0.0, 0e5]", [.integer(0), .real(0)]),
        ("[9223372036854775807, -9223372036854775808]", [.integer(.min), .integer(.max)]),
        ("[9223372036854775808]", [.real(0x1p63)]), ("[-9223372036854775809]", [.real(-0x1p63)]),
        ("[1e2, 1E+2, 12.50, 1e-2]", [.real(0.01), .real(12.5), .real(100)]), ("[1e999]", [.real(.infinity)]),
        ("[-1e999]", [.real(-.infinity)]), ("[1e-999]", [.real(0)]),
        ("[100000000000000000000]", [.real(1e20)]),
        (#"["\"\\\/\b\f\n\r\t"]"#, [text("\"\\/\u{8}\u{C}\n\r\t")]), (#"["\u0041\u00e9\u65E5"]"#, [text("Aé日")]),
        (#"["\uD83D\uDE00", "😀"]"#, [text("😀")]), (#"["\u0000"]"#, [.text([0])]), (#"[""]"#, [.text([])]),
        (#"["日本"]"#, [text("日本")]), ("[\"\u{7F}\"]", [text("\u{7F}")]),
    ]

    @Test(arguments: lists.indices)
    func `are JSON arrays of scalars`(index: Int) {
        let (json, values) = Self.lists[index]
        #expect(Self.values(Array(json.utf8)) == values, "\(json)")
    }

    @Test(arguments: [
        "", " ", "[", "]", "[]]", "[] x", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1 2]", "[1;2]", "1", "\"a\"", "{}",
        "[[]]",
        "[[1]]", "[{}]", "[{\"a\":1}]", "[tru]", "[truex]", "[True]", "[nul]", "[nan]", "[NaN]", "[Infinity]", "['a']",
        "[01]", "[-01]", "[00]", "[-]", "[+1]", "[.5]", "[1.]", "[1.e2]", "[1e]", "[1e+]", "[0x10]", "[1_000]", "[--1]",
        "[\"a]", "[\"\\\"]", "[\"\\x41\"]", "[\"\\u12\"]", "[\"\\u12G4\"]", "[\"\\uD800\"]", "[\"\\uD800a\"]",
        "[\"\\uD800\\u0041\"]", "[\"\\uD800\\uD800\"]", "[\"\\uDC00\"]", "[\"\\uDC00\\uD800\"]", "[\"a\nb\"]",
        "[\"a\u{0}\"]",
        "[\"a\" \"b\"]", "[a]", "plain text", "[draft] a title", "// c\n[1]", "[1] // c", "[/**/1]", "\u{FEFF}[1]",
        "\u{B}[1]", "[1]\u{C}", "\u{A0}[1]", String(repeating: "[", count: 100_000),
        String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000),
    ])
    func `are nothing else`(text: String) { #expect(Self.values(Array(text.utf8)) == nil, "\(text.prefix(60))") }

    @Test(
        arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE6, 0x97], [0x80]]
            as [[UInt8]])
    func `are UTF-8`(bytes: [UInt8]) {
        #expect(Self.values(Array("[\"".utf8) + bytes + Array("\"]".utf8)) == nil)
        #expect(Self.values(Array("[\"\"]".utf8) + bytes) == nil)
    }

    /// Values as JSON can have them.
    private static func jsonValues(_ generator: inout ValueGenerator) -> [StoredValue] {
        (0..<Int.random(in: 0...8, using: &generator.random)).map { _ in
            switch generator.any() {
            case .text(let bytes): .text(Array(String(decoding: bytes, as: UTF8.self).utf8))
            case .blob: .integer(Int64.random(in: -3...3, using: &generator.random))
            case let value: value
            }
        }
    }

    @Test(arguments: 0..<20)
    func `are written as they are read`(seed: UInt64) {
        var generator = ValueGenerator(seed: 700 + seed)
        for _ in 0..<50 {
            let list = ValueList(Self.jsonValues(&generator))
            let isDistinct = zip(list.values, list.values.dropFirst()).allSatisfy { $0 < $1 }
            #expect(isDistinct && !list.values.contains(.null))
            let json = list.json
            #expect(Self.values(json) == list.values, "\(String(decoding: json, as: UTF8.self))")
        }
    }

    @Test(arguments: 0..<20)
    func `damaged or not, are read without a trap`(seed: UInt64) {
        var generator = ValueGenerator(seed: 800 + seed)
        for _ in 0..<200 {
            var json = ValueList(Self.jsonValues(&generator)).json
            for _ in 0..<Int.random(in: 1...3, using: &generator.random) where !json.isEmpty {
                let index = Int.random(in: 0..<json.count, using: &generator.random)
                switch Int.random(in: 0..<3, using: &generator.random) {
                case 0: json.removeSubrange(index...)
                case 1: json[index] = Array("[]\",\\u0e-.5tn ".utf8).randomElement(using: &generator.random)!
                default: json.remove(at: index)
                }
            }
            if let values = Self.values(json) { #expect(Self.values(ValueList(values).json) == values) }
        }
    }

    @Test
    func `have the values that json_each gives`() throws {
        let db = try Database(path: ":memory:")
        var generator = ValueGenerator(seed: 900)
        // Versions of SQLite differ in \u0000, and in reals whose last bit they read differently.
        var texts = Self.lists.map(\.json).filter { !$0.contains("u0000") }
        for _ in 0..<200 {
            let values = Self.jsonValues(&generator).filter { value in
                switch value {
                case .real(let real): real.rounded() == real && real.magnitude < 0x1p53
                case .text(let bytes): !bytes.contains(0)
                default: true
                }
            }
            texts.append(String(decoding: ValueList(values).json, as: UTF8.self))
        }
        for text in texts {
            let rows = try Row.fetchAll(db, sql: "SELECT value FROM json_each(?)", arguments: [text])
            let values = rows.map { row -> StoredValue in
                switch row.databaseValues[0] {
                case .null: .null
                case .int64(let value): .integer(value)
                case .double(let value): .real(value)
                case .text(let value): .text(Array(value.utf8))
                case .blob(let value): .blob(value)
                }
            }
            #expect(Self.values(Array(text.utf8)) == ValueList(values).values, "\(text)")
        }
    }
}
