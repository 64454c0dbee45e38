import CConcordanceHTTP
import Foundation

/// Server-sent events on their way to one client (https://html.spec.whatwg.org/multipage/server-sent-events.html).
///
/// While there is nothing to send, the connection is suspended and costs no thread. What a client has not read yet
/// stays in a buffer of bounded size; a client that falls too far behind is disconnected, and reconnects by itself.
///
/// `@unchecked Sendable` because every access to the stored properties happens while `lock` is held.
final class EventStream: @unchecked Sendable {
    private static let bufferLimit = 256 << 10

    private let lock = NSLock()
    private var buffer: [UInt8] = []
    private var sent = 0
    private var isEnded = false
    private var connection: OpaquePointer?
    private var isSuspended = false
    /// Has a lock of its own, since the server raises it while it holds locks that `send` waits for.
    private let gone = Flag()

    /// Whether the client has left.
    var isGone: Bool { gone.isRaised }

    func send(event: String, data: JSONText) { send("event: \(event)\ndata: \(data.text)\n\n") }

    /// Sends a line that clients ignore, to find out which have left.
    func sendHeartbeat() { send(":\n\n") }

    /// Ends the stream once the buffer is sent.
    func end() {
        lock.withLock {
            isEnded = true
            resume()
        }
    }

    private func send(_ text: String) {
        lock.withLock {
            guard !isEnded else { return }
            buffer.append(contentsOf: text.utf8)
            if buffer.count - sent > Self.bufferLimit { isEnded = true }
            resume()
        }
    }

    private func resume() {
        guard isSuspended, let connection else { return }
        isSuspended = false
        MHD_resume_connection(connection)
    }

    // MARK: For the server's thread

    func attach(_ connection: OpaquePointer) { lock.withLock { self.connection = connection } }

    /// Copies bytes from the buffer; if it is empty, suspends the connection and returns 0, or -1 at the end.
    func read(into target: UnsafeMutablePointer<CChar>, limit: Int) -> Int {
        lock.withLock {
            let count = min(limit, buffer.count - sent)
            if count > 0 {
                buffer.withUnsafeBytes { bytes in
                    UnsafeMutableRawPointer(target).copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: bytes[sent..<sent + count]).baseAddress
                            ?? UnsafeRawPointer(target),
                        byteCount: count)
                }
                sent += count
                if sent == buffer.count {
                    buffer.removeAll(keepingCapacity: true)
                    sent = 0
                }
                return count
            }
            if isEnded { return -1 }
            if let connection {
                isSuspended = true
                MHD_suspend_connection(connection)
            }
            return 0
        }
    }

    /// Called when the connection is closed.
    func release() { gone.raise() }
}
