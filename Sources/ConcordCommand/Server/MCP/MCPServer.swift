/// A server of the Model Context Protocol: JSON-RPC 2.0 over lines (https://modelcontextprotocol.io/specification).
///
/// No input ends it: anything that is not a message is answered with the appropriate JSON-RPC error.
final class MCPServer {
    /// The supported versions of the protocol, the newest first.
    private static let versions = ["2025-06-18", "2025-03-26", "2024-11-05"]
    /// The most messages in a batch, a feature of the version of March 2025.
    private static let batchLimit = 100

    private let tools: MCPTools

    init(_ service: SearchService) { tools = MCPTools(service) }

    /// The answer to a line; nil if it needs none.
    func answer(to line: MessageInput.Line) -> String? {
        guard case .text(let bytes) = line else { return Self.failure(.parse("the message is too long")).text }
        guard let value = JSONValue(bytes) else { return Self.failure(.parse("the message is not JSON")).text }
        if let batch = value.array {
            guard !batch.isEmpty, batch.count <= Self.batchLimit else {
                return Self.failure(.request("a batch has 1 to \(Self.batchLimit) messages")).text
            }
            let answers = batch.compactMap(answer(to:))
            return answers.isEmpty ? nil : JSONText.array(answers).text
        }
        return answer(to: value)?.text
    }

    private func answer(to message: JSONValue) -> JSONText? {
        guard let members = message.object else { return Self.failure(.request("a message must be an object")) }
        let id = members["id"].flatMap(Self.identifier)
        guard members["jsonrpc"] == .string("2.0") else {
            return Self.failure(.request("'jsonrpc' must be \"2.0\""), id: id)
        }
        guard let method = members["method"]?.string else {
            // A response, although this server sends no requests.
            if members["result"] != nil || members["error"] != nil { return nil }
            return Self.failure(.request("'method' is missing"), id: id)
        }
        // A notification is never answered.
        guard members["id"] != nil else { return nil }
        guard let id else { return Self.failure(.request("'id' must be a string or a number")) }
        do {
            let result = try result(of: method, members["params"]?.object ?? [:])
            return .object([("jsonrpc", .string("2.0")), ("id", id), ("result", result)])
        } catch let error as MCPError {
            return Self.failure(error, id: id)
        } catch {
            return Self.failure(.inside("\(error)"), id: id)
        }
    }

    private func result(of method: String, _ parameters: [String: JSONValue]) throws -> JSONText {
        switch method {
        case "initialize": return initialized(parameters)
        case "ping": return .object([])
        case "tools/list": return .object([("tools", .array(MCPTools.descriptions))])
        case "tools/call":
            guard let name = parameters["name"]?.string else {
                throw MCPError.parameters("'name', the name of the tool, is missing")
            }
            guard let arguments = (parameters["arguments"] ?? .object([:])).object else {
                throw MCPError.parameters("'arguments' must be an object")
            }
            return try tools.call(name, arguments)
        default: throw MCPError.method("there is no method '\(method.prefix(100))'")
        }
    }

    private func initialized(_ parameters: [String: JSONValue]) -> JSONText {
        let wanted = parameters["protocolVersion"]?.string ?? ""
        return .object([
            ("protocolVersion", .string(Self.versions.contains(wanted) ? wanted : Self.versions[0])),
            ("capabilities", .object([("tools", .object([("listChanged", .bool(false))]))])),
            (
                "serverInfo",
                .object([
                    ("name", .string("concord")), ("title", .string("Concord")),
                    ("version", .string(ConcordCommand.version)),
                ])
            ), ("instructions", .string(tools.instructions)),
        ])
    }

    /// The identifier of a message, to be sent back unchanged; nil if the value cannot be one.
    private static func identifier(_ value: JSONValue) -> JSONText? {
        switch value {
        case .string(let text): .string(text)
        case .integer(let number): .integer(number)
        case .number(let number): .number(number)
        case .null, .bool, .array, .object: nil
        }
    }

    private static func failure(_ error: MCPError, id: JSONText? = nil) -> JSONText {
        .object([
            ("jsonrpc", .string("2.0")), ("id", id ?? .null),
            ("error", .object([("code", .integer(error.code)), ("message", .string(error.message))])),
        ])
    }
}

/// An error of JSON-RPC (https://www.jsonrpc.org/specification#error_object).
enum MCPError: Error, Equatable {
    case parse(String)
    case request(String)
    case method(String)
    case parameters(String)
    case inside(String)

    var code: Int {
        switch self {
        case .parse: -32700
        case .request: -32600
        case .method: -32601
        case .parameters: -32602
        case .inside: -32603
        }
    }

    var message: String {
        switch self {
        case .parse(let text), .request(let text), .method(let text), .parameters(let text), .inside(let text): text
        }
    }
}
