import CConcordanceSQLite
import ConcordanceText

/// The function that a wrapper tokenizer calls with each of its tokens. The wrapper must rethrow the errors that it
/// throws.
public typealias FTS5WrapperTokenCallback = (_ token: String, _ flags: FTS5TokenFlags) throws -> Void

/// A tokenizer of your own that lets another tokenizer find the tokens, and drops, changes or multiplies them.
///
/// ```swift
/// final class WithoutArticles: FTS5WrapperTokenizer {
///     static let name = "withoutarticles"
///     let wrappedTokenizer: FTS5Tokenizer
///
///     init(db: Database, arguments: [String]) throws {
///         wrappedTokenizer = try db.makeTokenizer(.unicode61())
///     }
///
///     func accept(
///         token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
///         tokenCallback: FTS5WrapperTokenCallback
///     ) throws {
///         if ["a", "an", "the"].contains(token) { return }
///         try tokenCallback(token, flags)
///     }
/// }
/// ```
public protocol FTS5WrapperTokenizer: FTS5CustomTokenizer {
    /// The tokenizer that finds the tokens. Create it once, in the initializer.
    var wrappedTokenizer: FTS5Tokenizer { get }

    /// Receives a token of the wrapped tokenizer, and calls `tokenCallback` any number of times.
    ///
    /// Pass `flags` on as they are; if there are several tokens for one place, add `.colocated` for all but the first.
    /// If this method throws an error, the running statement throws the same error.
    func accept(
        token: String,
        flags: FTS5TokenFlags,
        for tokenization: FTS5Tokenization,
        tokenCallback: FTS5WrapperTokenCallback
    ) throws
}

extension FTS5WrapperTokenizer {
    public func tokenize(
        context: UnsafeMutableRawPointer?,
        tokenization: FTS5Tokenization,
        pText: UnsafePointer<CChar>?,
        nText: Int32,
        tokenCallback: FTS5TokenCallback?
    ) -> Int32 {
        guard let tokenCallback else { return SQLITE_MISUSE }
        return parkingErrors(of: Self.name) {
            var wrapper = Wrapper(
                tokenizer: self, tokenization: tokenization, context: context, callback: tokenCallback)
            let code = withUnsafeMutablePointer(to: &wrapper) { wrapper in
                wrappedTokenizer.tokenize(
                    context: wrapper, tokenization: tokenization, pText: pText, nText: nText
                ) { wrapper, flags, token, count, start, end in
                    guard let wrapper else { return SQLITE_MISUSE }
                    return wrapper.assumingMemoryBound(to: Wrapper.self).pointee
                        .receive(flags, token, count, start, end)
                }
            }
            if let error = wrapper.error { throw error }
            // The receiver's result counts, even if the wrapped tokenizer did not pass it on.
            return wrapper.code != SQLITE_OK ? wrapper.code : code
        }
    }
}

/// Tells `accept` that the receiver wants no more tokens.
private struct Stopped: Error {}

/// Stands between the wrapped tokenizer and the receiver of the tokens.
private struct Wrapper {
    let tokenizer: any FTS5WrapperTokenizer
    let tokenization: FTS5Tokenization
    let context: UnsafeMutableRawPointer?
    let callback: TokenCallback
    /// The receiver's result, if it was not zero.
    var code: Int32 = SQLITE_OK
    var error: (any Error)?

    mutating func receive(
        _ flags: Int32, _ token: UnsafePointer<CChar>?, _ count: Int32, _ start: Int32, _ end: Int32
    ) -> Int32 {
        if code != SQLITE_OK { return code }
        if error != nil { return SQLITE_ERROR }
        let string = token.map {
            String(
                decoding: UnsafeRawBufferPointer(start: UnsafeRawPointer($0), count: max(0, Int(count))), as: UTF8.self)
        }
        do {
            try tokenizer.accept(
                token: string ?? "", flags: FTS5TokenFlags(rawValue: flags), for: tokenization
            ) { token, flags in
                guard code == SQLITE_OK else { throw Stopped() }
                var token = token
                code = token.withUTF8 { bytes in
                    bytes.withMemoryRebound(to: CChar.self) { bytes in
                        callback(context, flags.rawValue, bytes.baseAddress, Int32(clamping: bytes.count), start, end)
                    }
                }
                guard code == SQLITE_OK else { throw Stopped() }
            }
        } catch {
            // After a stop, an error can only be its echo.
            if code == SQLITE_OK { self.error = error }
        }
        return error == nil ? code : SQLITE_ERROR
    }
}
