import CConcordanceHTTP
import Foundation

/// Limits on the resources that clients may use.
struct HTTPLimits: Equatable, Sendable {
    /// Concurrent connections; more wait until one is closed.
    var connections = 512
    /// Concurrent connections from one address; 0 for no limit.
    var connectionsOfAddress = 0
    /// Seconds without a byte after which a connection is closed.
    var idleSeconds = 15
    /// Bytes of a request's line and headers, besides the library's own memory for a connection.
    var headerBytes = 32 << 10
    var targetBytes = 8 << 10
    var bodyBytes = 64 << 10
    /// Requests that read the database concurrently: what they do is computing, and each connection has caches of its own.
    var readers = max(2, min(ProcessInfo.processInfo.activeProcessorCount, 14))
    /// Requests that are in progress concurrently, most of them waiting for a connection or for an answer that another one
    /// computes, and that may wait.
    var workers = max(8, min(ProcessInfo.processInfo.activeProcessorCount * 4, 32))
    var waiting = 1024
}

/// An HTTP/1.1 server (libmicrohttpd): one thread waits for all connections, and workers answer requests that have
/// arrived completely. A client that sends or reads slowly occupies a connection, but no thread.
///
/// `@unchecked Sendable` because the mutable properties are only touched while `condition` is locked, and the daemons
/// only by `start` and `stop`, which their owner never calls at the same time.
final class HTTPServer: @unchecked Sendable {
    private let limits: HTTPLimits
    private let respond: @Sendable (HTTPRequest) -> HTTPResponse
    private let workers: WorkerPool
    private let condition = NSCondition()
    private var exchanges = 0
    private var isStopping = false
    private var daemons: [OpaquePointer] = []
    /// The addresses where it listens.
    private(set) var addresses: [(host: String, port: Int)] = []

    /// How many seconds answers in progress get when the server stops.
    private static let patience = 3.0

    init(limits: HTTPLimits, respond: @escaping @Sendable (HTTPRequest) -> HTTPResponse) {
        self.limits = limits
        self.respond = respond
        workers = WorkerPool(threads: limits.workers, capacity: limits.waiting)
    }

    /// Begins to listen at another address.
    ///
    /// - Throws: `ListenError`.
    func listen(host: String, port: Int) throws {
        let socket = try ListeningSocket(host: host, port: port)
        var options = concordance_http_options(
            listening_socket: socket.descriptor, connection_limit: UInt32(limits.connections),
            address_limit: UInt32(limits.connectionsOfAddress), timeout: UInt32(limits.idleSeconds),
            // Twice as much as is taken: what is beyond that the library refuses itself, with a page for people.
            connection_memory: 2 * (limits.headerBytes + limits.targetBytes),
            handle: handleCallback, begin: beginCallback, complete: completeCallback,
            context: Unmanaged.passUnretained(self).toOpaque())
        guard let daemon = concordance_http_start(&options) else {
            close(socket.descriptor)
            throw ListenError.noDaemon
        }
        daemons.append(daemon)
        addresses.append((host, socket.port))
    }

    /// Accepts no more requests, gives answers in progress some seconds to finish, and closes all connections.
    ///
    /// Streams must have ended before: their connections would stay suspended forever.
    func stop() {
        condition.withLock { isStopping = true }
        for daemon in daemons {
            let socket = MHD_quiesce_daemon(daemon)
            if socket >= 0 { close(socket) }
        }
        workers.finish()
        let deadline = Date(timeIntervalSinceNow: Self.patience)
        condition.withLock {
            while exchanges > 0, condition.wait(until: deadline) {}
        }
        for daemon in daemons { MHD_stop_daemon(daemon) }
        daemons = []
    }

    // MARK: The library's thread

    fileprivate func begin(_ target: UnsafePointer<CChar>?) -> Exchange {
        condition.withLock { exchanges += 1 }
        let length = target.map { strnlen($0, limits.targetBytes + 1) } ?? 0
        let isTooLong = length > limits.targetBytes
        let bytes = UnsafeRawBufferPointer(start: isTooLong ? nil : target, count: isTooLong ? 0 : length)
        return Exchange(target: Array(bytes), isTooLong: isTooLong)
    }

    fileprivate func complete(_ exchange: Exchange) {
        condition.withLock {
            exchanges -= 1
            condition.broadcast()
        }
    }

    /// Called after the headers have arrived, for each part of the body, after all of it, and after each resumption.
    fileprivate func handle(
        _ exchange: Exchange, _ connection: OpaquePointer, method: String, data: UnsafePointer<CChar>?,
        size: UnsafeMutablePointer<Int>
    ) -> MHD_Result {
        switch exchange.phase {
        case .headers:
            exchange.phase = .body
            exchange.headerSize = concordance_http_header_size(connection)
            exchange.headers = Self.headers(of: connection)
            exchange.hasOneHost = concordance_http_header_count(connection, "Host") <= 1
            // Nobody knows where a body in another coding ends.
            if let coding = exchange.headers["transfer-encoding"], coding.lowercased() != "chunked" {
                exchange.phase = .answering
                let problem = HTTPProblem(
                    501, "the transfer coding '\(coding)' is not known here; send none, or chunked")
                return queue(problem.response, connection)
            }
            return yes
        case .body:
            if size.pointee > 0 {
                if exchange.body.count + size.pointee <= limits.bodyBytes {
                    exchange.body.append(contentsOf: UnsafeRawBufferPointer(start: data, count: size.pointee))
                } else {
                    exchange.isBodyTooLong = true
                }
                size.pointee = 0
                return yes
            }
            exchange.phase = .answering
            if let response = answer(exchange, connection, method: method) { return queue(response, connection) }
            return yes
        case .answering:
            guard let response = exchange.response else { return no }
            return queue(response, connection)
        }
    }

    /// The answer; nil if a worker will put it in `exchange`, in which case the connection is suspended until then.
    private func answer(_ exchange: Exchange, _ connection: OpaquePointer, method: String) -> HTTPResponse? {
        let request: HTTPRequest
        do {
            request = try self.request(exchange, connection, method: method)
        } catch let problem as HTTPProblem {
            return problem.response
        } catch {
            return HTTPProblem(400, "the request cannot be read").response
        }
        let busy = HTTPProblem(
            503, "too many requests are waiting; try again in a second", headers: ["Retry-After": "1"])
        if condition.withLock({ isStopping }) { return busy.response }
        let suspended = SuspendedConnection(connection)
        MHD_suspend_connection(connection)
        let isTaken = workers.submit { [respond] in
            exchange.response = respond(request)
            suspended.resume()
        }
        // The library calls again after the resumption.
        if !isTaken {
            exchange.response = busy.response
            suspended.resume()
        }
        return nil
    }

    private func request(_ exchange: Exchange, _ connection: OpaquePointer, method: String) throws -> HTTPRequest {
        if exchange.isTargetTooLong {
            throw HTTPProblem(414, "the address has more than \(limits.targetBytes) bytes; shorten the query")
        }
        if exchange.headerSize > limits.headerBytes + limits.targetBytes {
            throw HTTPProblem(431, "the headers have more than \(limits.headerBytes) bytes; send fewer or shorter ones")
        }
        if exchange.isBodyTooLong {
            throw HTTPProblem(413, "the body has more than \(limits.bodyBytes) bytes; send less")
        }
        guard exchange.hasOneHost else { throw HTTPProblem(400, "the header Host is there twice; send one") }
        guard !exchange.target.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
            throw HTTPProblem(400, "the address has a space or a control character; escape it as %20, for one")
        }
        guard let target = String(bytes: exchange.target, encoding: .utf8) else {
            throw HTTPProblem(400, "the address is not UTF-8; escape other bytes as %XX")
        }
        var request = try HTTPRequest(method: method, target: target)
        request.headers = exchange.headers
        request.body = exchange.body
        request.isLocal = Self.isLocal(connection)
        return request
    }

    private static func headers(of connection: OpaquePointer) -> [String: String] {
        var headers: [String: String] = [:]
        for name in HTTPRequest.headerNames {
            if let value = concordance_http_header(connection, name) {
                headers[name] = String(cString: value)
            }
        }
        return headers
    }

    private static func isLocal(_ connection: OpaquePointer) -> Bool {
        guard let address = concordance_http_client(connection) else { return false }
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let size =
            Int32(address.pointee.sa_family) == AF_INET6
            ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        guard
            getnameinfo(address, socklen_t(size), &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0
        else { return false }
        return ListeningSocket.isLoopback(
            String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    private func queue(_ response: HTTPResponse, _ connection: OpaquePointer) -> MHD_Result {
        let made: OpaquePointer?
        switch response.body {
        case .bytes(let bytes):
            made = bytes.withUnsafeBytes { concordance_http_response($0.baseAddress, $0.count) }
        case .kept(let answer):
            made = answer.bytes.withUnsafeBytes { concordance_http_response($0.baseAddress, $0.count) }
        case .stream(let stream):
            stream.attach(connection)
            made = MHD_create_response_from_callback(
                UInt64.max, 32 << 10, streamCallback, Unmanaged.passRetained(stream).toOpaque(), releaseCallback)
        }
        guard let made else { return no }
        defer { MHD_destroy_response(made) }
        for (name, value) in response.headers { MHD_add_response_header(made, name, value) }
        return MHD_queue_response(connection, UInt32(response.status), made)
    }
}

private let yes = concordance_http_yes()
private let no = concordance_http_no()

/// A request and its answer in progress.
///
/// `@unchecked Sendable` because one thread uses it at a time: the library's until the connection is suspended, then a
/// worker until it resumes the connection, then the library's again.
private final class Exchange: @unchecked Sendable {
    enum Phase {
        case headers
        case body
        case answering
    }

    let target: [UInt8]
    let isTargetTooLong: Bool
    var phase = Phase.headers
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    var isBodyTooLong = false
    var headerSize = 0
    var hasOneHost = true
    var response: HTTPResponse?

    init(target: [UInt8], isTooLong: Bool) {
        self.target = target
        isTargetTooLong = isTooLong
    }
}

/// A connection that waits for its answer.
///
/// `@unchecked Sendable` because the library lets any thread resume a suspended connection, and never closes one.
private struct SuspendedConnection: @unchecked Sendable {
    private let connection: OpaquePointer

    init(_ connection: OpaquePointer) { self.connection = connection }

    func resume() { MHD_resume_connection(connection) }
}

// The callbacks of the library. The context is the server, which outlives its daemons; the state of a request is its
// exchange, retained from `begin` to `complete`.

private func beginCallback(
    _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
    return Unmanaged.passRetained(server.begin(target)).toOpaque()
}

private func handleCallback(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ data: UnsafePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context, let connection, let method, let size, let state = state?.pointee else { return no }
    let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
    let exchange = Unmanaged<Exchange>.fromOpaque(state).takeUnretainedValue()
    return server.handle(exchange, connection, method: String(cString: method), data: data, size: size)
}

private func completeCallback(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ reason: MHD_RequestTerminationCode
) {
    guard let context, let pointer = state?.pointee else { return }
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
    state?.pointee = nil
    Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue().complete(exchange)
}

private func streamCallback(
    _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ target: UnsafeMutablePointer<CChar>?, _ limit: Int
) -> Int {
    guard let context, let target else { return -1 }
    return Unmanaged<EventStream>.fromOpaque(context).takeUnretainedValue().read(into: target, limit: limit)
}

private func releaseCallback(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<EventStream>.fromOpaque(context).takeRetainedValue().release()
}
