import Foundation

/// A request as the server's code sees it: its parsed and decoded target, and the headers that matter.
struct HTTPRequest: Sendable {
    var method: String
    /// The decoded path, which is only compared, never opened.
    var path: String
    /// The decoded parameters of the query, in order.
    var parameters: [(name: String, value: String)]
    /// The target as it was sent.
    var target: String
    /// The headers that `HTTPRequest.headerNames` lists, by their names in lower case.
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    /// Whether the client is on this machine.
    var isLocal = false

    /// The headers that the server reads.
    static let headerNames = [
        "host", "origin", "authorization", "cookie", "if-none-match", "accept-encoding", "x-concord", "content-length",
        "sec-fetch-site", "transfer-encoding",
    ]

    /// Parses a target; throws if it is not a path, or if its escapes are wrong.
    init(method: String, target: String) throws {
        self.method = method
        self.target = target
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard target.hasPrefix("/"), let path = parts.first else {
            throw HTTPProblem(400, "the address of a request is a path such as /api/search?q=words")
        }
        self.path = try PercentEncoding.decode(path.utf8, plusIsSpace: false)
        let query = parts.dropFirst().first ?? ""
        // The page reads its own address, as somebody may have typed it: /?q=100%
        parameters = try self.path.hasPrefix("/api/") ? Self.parameters(query) : (try? Self.parameters(query)) ?? []
    }

    private static func parameters(_ query: Substring) throws -> [(String, String)] {
        try query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (
                try PercentEncoding.decode(parts[0].utf8, plusIsSpace: true),
                try parts.count > 1 ? PercentEncoding.decode(parts[1].utf8, plusIsSpace: true) : ""
            )
        }
    }

    /// The first parameter of that name.
    func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// A parameter that is a number; nil if there is none.
    func count(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = parameter(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw HTTPProblem(400, "\(name) is a number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
        }
        return number
    }
}

/// `%41`, and in queries `+` for a space (https://url.spec.whatwg.org/#application/x-www-form-urlencoded).
enum PercentEncoding {
    static func decode(_ text: some Sequence<UInt8>, plusIsSpace: Bool) throws -> String {
        var bytes: [UInt8] = []
        var iterator = text.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(digit), let low = iterator.next().flatMap(digit) else {
                    throw HTTPProblem(400, "a % in the address is followed by two hexadecimal digits; write %25 for %")
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(0x20)
            default: bytes.append(byte)
            }
        }
        guard let decoded = String(bytes: bytes, encoding: .utf8) else {
            throw HTTPProblem(400, "the address is not UTF-8 once its escapes are decoded")
        }
        guard !bytes.contains(0) else { throw HTTPProblem(400, "the address contains a NUL character") }
        return decoded
    }

    /// Encodes everything except what RFC 3986 calls unreserved and, if asked, `/`.
    static func encode(_ text: String, keepingSlashes: Bool = false) -> String {
        var result = ""
        for byte in text.utf8 {
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte) || keepingSlashes && byte == 0x2F
            if isPlain {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}

/// The answer to a request.
struct HTTPResponse: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        case kept(KeptAnswer)
        case stream(EventStream)
    }

    var status = 200
    var headers: [(name: String, value: String)] = []
    var body = Body.bytes([])

    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    static func json(_ value: JSONText, status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [jsonType], body: .bytes(value.bytes))
    }

    static let jsonType = (name: "Content-Type", value: "application/json; charset=utf-8")
}

/// Why a request fails (RFC 9457): a status, and a sentence that says what to do.
struct HTTPProblem: Error, Equatable, Sendable {
    var status: Int
    var detail: String
    var headers: [String: String] = [:]

    init(_ status: Int, _ detail: String, headers: [String: String] = [:]) {
        self.status = status
        self.detail = detail
        self.headers = headers
    }

    var response: HTTPResponse {
        let body = JSONText.object([
            ("type", .string("about:blank")), ("title", .string(Self.titles[status] ?? "Error")),
            ("status", .integer(status)), ("detail", .string(detail)),
        ])
        return HTTPResponse(
            status: status,
            headers: [("Content-Type", "application/problem+json; charset=utf-8"), ("Cache-Control", "no-store")]
                + headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
            body: .bytes(body.bytes))
    }

    /// RFC 9110, section 15.
    private static let titles = [
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        413: "Content Too Large", 414: "URI Too Long", 421: "Misdirected Request", 422: "Unprocessable Content",
        431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented",
        503: "Service Unavailable",
    ]
}
