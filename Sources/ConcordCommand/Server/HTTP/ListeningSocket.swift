import Foundation

/// Why the server cannot listen, in words for the person who started it.
enum ListenError: Error, Equatable, CustomStringConvertible {
    case badAddress(String)
    case inUse(String, Int)
    case refused(String, Int, String)
    case noDaemon

    var description: String {
        switch self {
        case .badAddress(let host):
            "'\(host)' is not an address of this machine; give one such as 127.0.0.1, ::1 or 0.0.0.0"
        case .inUse(let host, let port):
            "port \(port) of \(host) is in use; choose another one with --port, or 0 for any free port"
        case .refused(let host, let port, let why): "cannot listen at port \(port) of \(host): \(why)"
        case .noDaemon: "the HTTP server cannot start; the system may be out of memory or of open files"
        }
    }
}

/// A socket that listens at an address.
struct ListeningSocket {
    let descriptor: Int32
    let port: Int

    private static let backlog: Int32 = 1024

    /// - Parameter host: An IP address.
    init(host: String, port: Int) throws {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
        hints.ai_family = AF_UNSPEC
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let address = found else {
            throw ListenError.badAddress(host)
        }
        defer { freeaddrinfo(found) }
        let descriptor = socket(address.pointee.ai_family, address.pointee.ai_socktype, 0)
        guard descriptor >= 0 else { throw ListenError.refused(host, port, systemMessage()) }
        do {
            try Self.listen(descriptor, address.pointee, host: host, port: port)
            self.port = try Self.port(of: descriptor, host: host)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    private static func listen(_ descriptor: Int32, _ address: addrinfo, host: String, port: Int) throws {
        var yes: Int32 = 1
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        // Allows a port whose server has just ended to be reused at once.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        if address.ai_family == AF_INET6 {
            setsockopt(
                descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, socklen_t(MemoryLayout<Int32>.size))
        }
        guard bind(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
            if errno == EADDRINUSE { throw ListenError.inUse(host, port) }
            if errno == EADDRNOTAVAIL { throw ListenError.badAddress(host) }
            throw ListenError.refused(host, port, systemMessage())
        }
        #if canImport(Glibc)
            let code = Glibc.listen(descriptor, backlog)
        #else
            let code = Darwin.listen(descriptor, backlog)
        #endif
        guard code == 0 else {
            if errno == EADDRINUSE { throw ListenError.inUse(host, port) }
            throw ListenError.refused(host, port, systemMessage())
        }
    }

    private static func port(of descriptor: Int32, host: String) throws -> Int {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let code = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard code == 0 else { throw ListenError.refused(host, 0, systemMessage()) }
        return withUnsafePointer(to: &storage) { pointer in
            if Int32(pointer.pointee.ss_family) == AF_INET6 {
                return pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    Int(UInt16(bigEndian: $0.pointee.sin6_port))
                }
            }
            return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                Int(UInt16(bigEndian: $0.pointee.sin_port))
            }
        }
    }

    /// Whether an address is reachable from this machine only.
    static func isLoopback(_ host: String) -> Bool {
        if host == "::1" { return true }
        var address = in_addr()
        guard inet_pton(AF_INET, host, &address) == 1 else { return false }
        return UInt32(bigEndian: address.s_addr) >> 24 == 127
    }

    /// Whether the text is an IP address.
    static func isAddress(_ host: String) -> Bool {
        var four = in_addr()
        var six = in6_addr()
        return inet_pton(AF_INET, host, &four) == 1 || inet_pton(AF_INET6, host, &six) == 1
    }
}
