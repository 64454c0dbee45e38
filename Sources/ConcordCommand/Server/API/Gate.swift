import Foundation

/// Decides which requests are answered at all: a page of another origin, a name that somebody has pointed at this
/// machine, and who does not have the token get nothing.
struct Gate: Sendable {
    /// What the server listens at, as it was asked for.
    var host: String
    var port: Int
    /// Demanded of each request for data, if there is one.
    var token: String?

    private static let loopbackNames = ["localhost", "127.0.0.1", "[::1]"]
    private static let wildcards = ["0.0.0.0", "::"]

    var isLoopback: Bool { ListeningSocket.isLoopback(host) }

    /// The name of the cookie: browsers send cookies to all ports of a host.
    private var cookieName: String { "concord-\(port)" }

    /// - Throws: `HTTPProblem` for a request that names another host than this one, so that no page can reach the server
    ///   by a name that it has pointed at this machine (DNS rebinding).
    func checkHost(_ request: HTTPRequest) throws {
        guard let header = request.headers["host"] else { throw HTTPProblem(400, "the header Host is missing") }
        let (name, port) = Self.split(header.lowercased())
        guard port == nil || port == self.port || !isLoopback, isOurs(name) else {
            throw HTTPProblem(403, "this server is not '\(header)'; open it at \(address)")
        }
    }

    private func isOurs(_ name: String) -> Bool {
        let bare = name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : name
        if Self.loopbackNames.contains(name) || bare == host.lowercased() { return true }
        guard !isLoopback else { return false }
        // At all addresses of the machine, any of them may be named, and so may the machine.
        guard Self.wildcards.contains(host) else { return false }
        let machine = Self.machineName.lowercased()
        return ListeningSocket.isAddress(bare) || bare == machine
            || bare == machine.split(separator: ".").first.map(String.init)
    }

    /// What the machine calls itself; nobody else is asked.
    private static var machineName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// `name:port`, of which an IPv6 address stands in brackets.
    private static func split(_ header: String) -> (name: String, port: Int?) {
        let end =
            header.hasPrefix("[") ? header.firstIndex(of: "]").map(header.index(after:)) : header.firstIndex(of: ":")
        guard let end, end < header.endIndex, header[end] == ":" else { return (header, nil) }
        return (String(header[..<end]), Int(header[header.index(after: end)...]) ?? -1)
    }

    /// - Throws: `HTTPProblem` for a request that may change something and comes from the page of another origin.
    func checkOrigin(_ request: HTTPRequest) throws {
        let site = request.headers["sec-fetch-site"]
        guard site == nil || site == "same-origin" || site == "none" else {
            throw HTTPProblem(403, "requests from pages of other sites are not answered")
        }
        guard let origin = request.headers["origin"] else { return }
        let host = request.headers["host"] ?? ""
        guard origin.lowercased() == "http://\(host.lowercased())" else {
            throw HTTPProblem(403, "requests from pages of other sites are not answered")
        }
    }

    /// - Throws: `HTTPProblem` 401 for a request without the token.
    func checkToken(_ request: HTTPRequest) throws {
        guard let token else { return }
        let bearer = request.headers["authorization"].flatMap { value -> String? in
            let parts = value.split(separator: " ", maxSplits: 1)
            return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
        }
        let candidates = [bearer, cookie(request)].compactMap(\.self)
        guard candidates.contains(where: { Self.areEqual($0, token) }) else {
            throw HTTPProblem(
                401,
                "this server asks for a token: open it as \(address)/?token=TOKEN, or send Authorization: Bearer TOKEN",
                headers: ["WWW-Authenticate": "Bearer realm=\"concord\""])
        }
    }

    private func cookie(_ request: HTTPRequest) -> String? {
        for pair in (request.headers["cookie"] ?? "").split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            if parts.count == 2, parts[0].drop(while: { $0 == " " }) == cookieName { return String(parts[1]) }
        }
        return nil
    }

    /// The answer to `/?token=T`: the cookie, and the same address without the token; nil for another request.
    func admission(_ request: HTTPRequest) throws -> HTTPResponse? {
        guard let token, request.path == "/", let given = request.parameter("token") else { return nil }
        guard Self.areEqual(given, token) else { throw HTTPProblem(401, "this is not the token") }
        let rest = request.parameters.filter { $0.name != "token" }
            .map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }.joined(separator: "&")
        return HTTPResponse(
            status: 303,
            headers: [
                ("Location", rest.isEmpty ? "/" : "/?" + rest),
                ("Set-Cookie", "\(cookieName)=\(token); Path=/; HttpOnly; SameSite=Strict"),
                ("Cache-Control", "no-store"),
            ])
    }

    var address: String {
        let name = Self.wildcards.contains(host) ? "localhost" : host.contains(":") ? "[\(host)]" : host
        return "http://\(name):\(port)"
    }

    /// Whether two texts are equal, in a time that depends on the length of the first only.
    static func areEqual(_ given: String, _ secret: String) -> Bool {
        let (given, secret) = (Array(given.utf8), Array(secret.utf8))
        var difference: UInt8 = given.count == secret.count ? 0 : 1
        for (index, byte) in given.enumerated() {
            difference |= byte ^ (secret.isEmpty ? 0 : secret[index % secret.count])
        }
        return difference == 0
    }

    /// What a token may consist of: what stands in a cookie and in an address as it is (RFC 6265, RFC 3986).
    static func isToken(_ text: String) -> Bool {
        text.utf8.count >= 8 && text.utf8.count <= 512
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || [0x2D, 0x2E, 0x5F, 0x7E].contains($0)
            }
    }
}
