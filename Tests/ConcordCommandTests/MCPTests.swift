import Concordance
import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("Assistants search by the Model Context Protocol")
struct MCPTests {
    private let documents: IndexedDocuments
    private let server: MCPServer

    init() throws {
        documents = try IndexedDocuments([
            "roses.md": "# Roses\nPrune the roses in spring.", "tools.txt": "A spade and shears for roses.",
            "long.txt": (0..<20_000).map { "line \($0)\n" }.joined(),
        ])
        server = try MCPServer(SearchService(documents.source()))
    }

    private func send(_ text: String) -> String? { server.answer(to: .text(Array(text.utf8))) }

    private func answer(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
        let message: [String: Any] = ["jsonrpc": "2.0", "id": 1, "method": method, "params": parameters]
        let text = String(decoding: try JSONSerialization.data(withJSONObject: message), as: UTF8.self)
        let line = try #require(send(text))
        #expect(!line.contains("\n"))
        return try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    private func object(_ line: String?) throws -> [String: Any] {
        let line = try #require(line)
        return try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    private func call(_ tool: String, _ arguments: [String: Any]) throws -> (text: String, result: [String: Any]) {
        let result = try #require(
            answer("tools/call", ["name": tool, "arguments": arguments])["result"] as? [String: Any])
        let content = try #require((result["content"] as? [[String: Any]])?.first)
        #expect(content["type"] as? String == "text")
        return (content["text"] as? String ?? "", result)
    }

    @Test(arguments: [
        ("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"),
        ("1999-01-01", "2025-06-18"),
    ])
    func theVersionIsAgreedOn(_ wanted: String, _ agreed: String) throws {
        let result = try #require(answer("initialize", ["protocolVersion": wanted])["result"] as? [String: Any])
        #expect(result["protocolVersion"] as? String == agreed)
        #expect((result["serverInfo"] as? [String: Any])?["name"] as? String == "concord")
        #expect((result["capabilities"] as? [String: Any])?["tools"] != nil)
        #expect(try answer("ping")["result"] as? [String: String] == [:])
    }

    @Test func toolsAreDescribed() throws {
        let tools = try #require((answer("tools/list")["result"] as? [String: Any])?["tools"] as? [[String: Any]])
        #expect(tools.map { $0["name"] as? String } == ["search", "read_document"])
        for tool in tools {
            #expect((tool["inputSchema"] as? [String: Any])?["type"] as? String == "object")
            #expect((tool["annotations"] as? [String: Any])?["readOnlyHint"] as? Bool == true)
        }
    }

    @Test func whatIsFoundCanBeRead() throws {
        let (text, result) = try call("search", ["query": "roses spring"])
        #expect(text.hasPrefix("1 document found."))
        #expect(text.contains("roses.md"))
        #expect(text.contains("language: \"\" (1)"))
        let found = try #require((result["structuredContent"] as? [String: Any])?["documents"] as? [[String: Any]])
        let id = try #require(found.first?["id"] as? String)
        #expect(try call("read_document", ["id": id]).text.contains("Prune the roses in spring."))
        #expect(try call("read_document", ["id": Int(id) as Any]).text.contains("Prune the roses in spring."))
        for kind: Any in ["text", ["text"]] {
            #expect(try call("search", ["query": "roses", "filters": ["kind": kind]]).text.contains("tools.txt"))
        }
        #expect(try call("search", ["query": "qqqqq"]).text.hasPrefix("Nothing found."))
        let first = try call("search", ["query": "roses", "limit": 1]).result["structuredContent"] as? [String: Any]
        let cursor = try #require(first?["cursor"] as? String)
        let second =
            try call("search", ["query": "roses", "limit": 1, "cursor": cursor]).result["structuredContent"]
            as? [String: Any]
        #expect((second?["documents"] as? [Any])?.count == 1)
        #expect(second?["cursor"] is NSNull)
    }

    @Test func longDocumentsAreReadPieceByPiece() throws {
        let found = try call("search", ["query": "\"line 19999\""]).result["structuredContent"] as? [String: Any]
        let id = try #require((found?["documents"] as? [[String: Any]])?.first?["id"] as? String)
        var text = ""
        var from: String?
        var calls = 0
        repeat {
            var arguments: [String: Any] = ["id": id]
            if let from { arguments["from"] = from }
            let piece = try #require(call("read_document", arguments).result["structuredContent"] as? [String: Any])
            text += piece["text"] as? String ?? ""
            from = piece["next"] as? String
            calls += 1
        } while from != nil && calls < 100
        #expect(calls > 1)
        #expect(text == (0..<20_000).map { "line \($0)\n" }.joined())
    }

    @Test(
        arguments: [
            ("search", "{}", -32602), ("search", "{\"query\":1}", -32602),
            ("search", "{\"query\":\"a\",\"limit\":0}", -32602),
            ("search", "{\"query\":\"a\",\"limit\":true}", -32602),
            ("search", "{\"query\":\"a\",\"filters\":[]}", -32602),
            ("search", "{\"query\":\"a\",\"filters\":{\"kind\":true}}", -32602),
            ("search", "{\"query\":\"a\",\"filters\":{\"kind\":[\"text\",null]}}", -32602),
            ("search", "[]", -32602), ("read_document", "{}", -32602), ("read_document", "{\"id\":\"x\"}", -32602),
            ("read_document", "{\"id\":\"1\",\"from\":\"x\"}", -32602), ("delete", "{}", -32602),
            ("search", "{\"query\":\"a\",\"lmit\":3}", -32602),
            ("read_document", "{\"id\":\"1\",\"query\":\"a\"}", -32602),
        ])
    func wrongArgumentsAreErrorsOfTheProtocol(_ tool: String, _ arguments: String, _ code: Int) throws {
        let line = send(
            "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"tools/call\",\"params\":{\"name\":\"\(tool)\",\"arguments\":\(arguments)}}"
        )
        let answer = try object(line)
        #expect((answer["error"] as? [String: Any])?["code"] as? Int == code)
        #expect(answer["id"] as? String == "x")
    }

    @Test func anUnknownArgumentIsNamedWithThoseThereAre() throws {
        for (tool, arguments, message) in [
            (
                "search", ["query": "a", "kind": "pdf", "lmit": 3],
                "search has no argument 'kind'; it takes query, limit, cursor, sort, table, filters"
            ),
            (
                "read_document", ["id": "1", "limit": 3],
                "read_document has no argument 'limit'; it takes id, from, table"
            ),
        ] as [(String, [String: Any], String)] {
            let error = try answer("tools/call", ["name": tool, "arguments": arguments])["error"] as? [String: Any]
            #expect(error?["code"] as? Int == -32602)
            #expect(error?["message"] as? String == message)
        }
    }

    @Test func whatGoesWrongInAToolIsItsAnswer() throws {
        for (tool, arguments) in [
            ("read_document", ["id": "999"]), ("search", ["query": "a", "cursor": "x"]),
            ("search", ["query": "a", "sort": "x"]),
            ("search", ["query": "a", "table": "x"]),
        ] as [(String, [String: Any])] {
            let (text, result) = try call(tool, arguments)
            #expect(result["isError"] as? Bool == true)
            #expect(text.count > 10)
        }
    }

    /// No line ends it, and each that is due an answer gets one.
    @Test(
        arguments: [
            ("{", -32700), ("nonsense", -32700), ("\u{0}", -32700), (String(repeating: "[", count: 100_000), -32700),
            ("1", -32600),
            ("\"text\"", -32600), ("null", -32600), ("[]", -32600), ("{}", -32600),
            ("{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", -32600),
            ("{\"jsonrpc\":\"2.0\",\"id\":1}", -32600), ("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}", -32600),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"nothing\"}", -32601),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}", -32602),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":5}", -32600),
        ])
    func malformedMessages(_ line: String, _ code: Int) throws {
        let answer = try object(send(line))
        #expect((answer["error"] as? [String: Any])?["code"] as? Int == code)
        #expect(try answerToPing())
    }

    private func answerToPing() throws -> Bool { try answer("ping")["result"] != nil }

    @Test func notificationsAndAnswersAreNotAnswered() throws {
        #expect(send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}") == nil)
        #expect(send("{\"jsonrpc\":\"2.0\",\"method\":\"nothing\"}") == nil)
        #expect(send("{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}") == nil)
        let batch = send(
            "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"method\":\"x\"},{\"jsonrpc\":\"2.0\",\"id\":2.5,\"method\":\"ping\"}]"
        )
        #expect(
            batch == "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}},{\"jsonrpc\":\"2.0\",\"id\":2.5,\"result\":{}}]")
    }

    @Test func theCommandSpeaksItOverItsStandardInput() throws {
        let command = try #require(BuiltCommand())
        let long = String(repeating: "x", count: 5 << 20)
        let input = """
            {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}

            \(long)
            {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{"query":"spade"}}}
            """
        let result = try command.run(["mcp", "--db", documents.path], input: input)
        #expect(result.code == 0)
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[1].contains("-32700"))
        #expect(lines[2].contains("tools.txt"))
    }
}
