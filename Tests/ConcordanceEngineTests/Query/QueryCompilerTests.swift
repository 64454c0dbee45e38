import ConcordanceFTS5
import ConcordanceSQLite
import ConcordanceText
import Foundation
import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite struct `Queries are compiled as by FTS5` {
    /// A case of `parser-cases.jsonl` and `parser-generated.jsonl`.
    struct Case: Decodable, CustomStringConvertible {
        var expr: String
        var columns: [String]
        var options: [String]?
        var canonical: String?
        var error: String?
        var description: String { expr }
    }

    private static func compile(
        _ text: String, columns: [String] = ["a", "b", "c"], detail: TableOptions.Detail = .full,
        tokenizer: (any Tokenizer)? = nil, column: Int? = nil
    ) throws -> String {
        var options = TableOptions()
        options.columns = columns.map { TableOptions.Column(name: $0) }
        options.detail = detail
        let compiler = QueryCompiler(options: options, tokenizer: tokenizer ?? SynonymTokenizer())
        return try compiler.compile(text, column: column).canonicalText(columns: columns)
    }

    @Test(arguments: ["parser-cases", "parser-generated"])
    func `of its own tests and of generated expressions`(name: String) throws {
        guard let url = SharedData.url("fts5-cases/\(name).jsonl") else { return }
        let db = try Database(path: ":memory:")
        let registry = try ExtensionRegistry.of(try db.sqliteConnection)
        let decoder = JSONDecoder()
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
            let test = try decoder.decode(Case.self, from: Data(line.utf8))
            let tokenize = test.options?.first { $0.hasPrefix("tokenize") } ?? ""
            let components: [String] =
                if tokenize.contains("trigram") {
                    ["trigram"]
                } else if tokenize.contains("tokenchars") {
                    ["unicode61", "tokenchars", "\""]
                } else {
                    ["unicode61"]
                }
            let tokenizer = try TableTokenizer.make(components, registry)
            let columns = test.columns
            do {
                let text = try Self.compile(test.expr, columns: columns, tokenizer: tokenizer)
                #expect(test.error == nil && text == test.canonical, "\(test.expr)")
            } catch let error as DatabaseError {
                #expect(error.message == test.error, "\(test.expr)")
            }
        }
    }

    /// A string without tokens, a star, columns in columns, NEAR with one phrase.
    @Test(arguments: [
        ("\"\"", ""), ("\"\" AND x", "\"\" AND \"x\""), ("\"\" x", "\"x\""), ("x \"\"", "\"x\""),
        ("\"\" \"\"", ""), ("\"\" OR x", "\"\" OR \"x\""), ("x NOT \"\"", "\"x\" NOT \"\""),
        ("x y \"\" z", "\"x\" AND \"y\" AND \"z\""), ("NEAR(\"\" x)", "\"x\""),
        ("NEAR(x \"\" y)", "NEAR(\"x\" \"y\", 10)"),
        ("NEAR(\"\" \"\")", ""), ("NEAR(x)", "\"x\""), ("NEAR(x y, 0)", "NEAR(\"x\" \"y\", 0)"),
        ("x* + y", "\"x\" * + \"y\""), ("\"x y\"*", "\"x\" + \"y\" *"), ("x* + \"\"", "\"x\""),
        ("\"\" + x*", "\"x\" *"),
        ("\"x|y\"", "\"x\"|\"y\""), ("\"x|y|z\" + w", "\"x\"|\"z\"|\"y\" + \"w\""), ("x + \"|y\"", "\"x\"|\"y\""),
        ("a:x", "a : \"x\""), ("{b a}:x", "{a b} : \"x\""), ("- a:x", "{b c} : \"x\""),
        ("{a b}:({b c}:x)", "b : \"x\""),
        ("a:(b:x)", ""), ("a:(b:x OR y)", "\"\" OR a : \"y\""), ("A : x", "a : \"x\""), ("^x", "\"x\""),
        ("x AND y AND z OR w", "(\"x\" AND \"y\" AND \"z\") OR \"w\""),
        ("x NOT y NOT z", "(\"x\" NOT \"y\") NOT \"z\""),
        ("x\0y z", "\"x\""),
    ])
    func `in corners of the language`(text: String, canonical: String) throws {
        #expect(try Self.compile(text) == canonical)
    }

    @Test(arguments: [
        ("", TableOptions.Detail.full, "fts5: syntax error near \"\""),
        ("x AND", .full, "fts5: syntax error near \"\""),
        ("nosuch:x", .full, "no such column: nosuch"),
        ("NEAR(x y, z)", .full, "expected integer, got \"z\""),
        ("NEAR(x y)", .column, "fts5: NEAR queries are not supported (detail!=full)"),
        ("\"x y\"", .column, "fts5: phrase queries are not supported (detail!=full)"),
        ("x+y", .none, "fts5: phrase queries are not supported (detail!=full)"),
        ("^x", .none, "fts5: phrase queries are not supported (detail!=full)"),
        ("a:x", .none, "fts5: column queries are not supported (detail=none)"),
        // FTS5 has compiled the beginning before it sees the error after it.
        ("\"x y\" AND AND", .none, "fts5: phrase queries are not supported (detail!=full)"),
        ("x AND AND \"x y\"", .none, "fts5: syntax error near \"AND\""),
        ("a:x )", .none, "fts5: column queries are not supported (detail=none)"),
    ])
    func `with its errors`(text: String, detail: TableOptions.Detail, message: String) {
        let error = #expect(throws: DatabaseError.self, "\(text)") { try Self.compile(text, detail: detail) }
        #expect(error?.message == message, "\(text)")
        #expect(error?.resultCode == .SQLITE_ERROR)
    }

    @Test(arguments: [("x", TableOptions.Detail.column), ("\"x|y\"", .column), ("a:x", .column), ("x*", .none)])
    func `as far as the index can answer them`(text: String, detail: TableOptions.Detail) throws {
        _ = try Self.compile(text, detail: detail)
    }

    @Test func `for the column at the left of MATCH`() throws {
        #expect(try Self.compile("x OR {a b}:y", column: 1) == "b : \"x\" OR b : \"y\"")
        #expect(try Self.compile("a:x", column: 1) == "")
        #expect(throws: DatabaseError.self) { try Self.compile("x", detail: .none, column: 1) }
    }

    @Test func `to phrases that are numbered as in the text`() throws {
        var options = TableOptions()
        options.columns = [TableOptions.Column(name: "a")]
        let compiler = QueryCompiler(options: options, tokenizer: SynonymTokenizer())
        let query = try compiler.compile("\"\" v AND \"\" OR NEAR(x \"\" \"y z\") NOT ^w", column: nil)
        #expect(
            query.phrases.map { $0.terms.map { String(decoding: $0.bytes, as: UTF8.self) } }
                == [["v"], [], ["x"], ["y", "z"], ["w"]])
        #expect(query.phrases.map(\.isInitial) == [false, false, false, false, true])
    }

    @Test func `of any length, up to a height`() throws {
        let text = Array(repeating: "x", count: 50_000).joined(separator: " ")
        #expect(try Self.compile(text).utf8.count == 50_000 * 3 + 49_999 * 5)
        let high = Array(repeating: "x", count: 256).joined(separator: " NOT ")
        _ = try Self.compile(high)
        let error = #expect(throws: DatabaseError.self) { try Self.compile(high + " NOT x") }
        #expect(error?.message == "fts5 expression tree is too large (maximum depth 256)")
    }
}
