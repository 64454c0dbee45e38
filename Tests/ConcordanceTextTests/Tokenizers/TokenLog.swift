import ConcordanceText

/// The calls that a sink has received, one after another.
final class TokenLog: Equatable {
    struct Call: Equatable, CustomStringConvertible {
        var bytes: [UInt8]
        var flags: Int32
        var start: Int32
        var end: Int32

        var description: String { "\(bytes.readable)[\(start)..<\(end)]\(flags == 0 ? "" : " flags \(flags)")" }
    }

    private var bytes: [UInt8] = []
    private var numbers: [(count: Int32, flags: Int32, start: Int32, end: Int32)] = []
    /// After how many calls the sink stops, and with which code.
    private let limit: Int
    private let stopCode: Int32

    init(limit: Int = .max, stopCode: Int32 = 7) {
        self.limit = limit
        self.stopCode = stopCode
    }

    /// Runs `body` with a sink that adds to the log; returns what it returns.
    @discardableResult
    func record(_ body: (TokenSink) -> Int32) -> Int32 {
        withExtendedLifetime(self) {
            body(
                TokenSink(context: Unmanaged.passUnretained(self).toOpaque()) {
                    context, flags, token, count, start, end in
                    guard let context else { return -1 }
                    let log = Unmanaged<TokenLog>.fromOpaque(context).takeUnretainedValue()
                    if let token {
                        log.bytes.append(contentsOf: UnsafeRawBufferPointer(start: token, count: Int(count)))
                    }
                    log.numbers.append((count, flags, start, end))
                    return log.numbers.count >= log.limit ? log.stopCode : 0
                })
        }
    }

    static func == (a: TokenLog, b: TokenLog) -> Bool {
        a.bytes == b.bytes && a.numbers.count == b.numbers.count && zip(a.numbers, b.numbers).allSatisfy(==)
    }

    var count: Int { numbers.count }

    var calls: [Call] {
        var rest = bytes[...]
        return numbers.map { number in
            defer { rest = rest.dropFirst(Int(number.count)) }
            return Call(
                bytes: Array(rest.prefix(Int(number.count))), flags: number.flags, start: number.start, end: number.end)
        }
    }
}

extension Tokenizer {
    func log(_ text: [UInt8], for reason: TokenizationReason = .document) -> TokenLog {
        let log = TokenLog()
        log.record { sink in text.withUnsafeBufferPointer { tokenize($0, for: reason, into: sink) } }
        return log
    }
}

extension Sequence<UInt8> {
    /// Printable ASCII as it is, every other byte in hexadecimal.
    var readable: String {
        map { byte in
            0x20..<0x7F ~= byte && byte != UInt8(ascii: "\\")
                ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
