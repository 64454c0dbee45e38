import Concordance
import ConcordanceSQLite
import Foundation

/// The body of an answer, which is packed at most once.
final class KeptAnswer: Sendable {
    let bytes: [UInt8]
    private let packed = Locked<[UInt8]??>(nil)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The bytes as gzip packs them; nil if it cannot.
    func gzip() -> [UInt8]? {
        packed.withLock { packed in
            if let packed { return packed }
            let made = gzipped(bytes)
            packed = .some(made)
            return made
        }
    }
}

/// Answers that stay the same until the database changes: what several clients ask for at once, or one asks for again, is
/// computed once.
///
/// `@unchecked Sendable` because the mutable properties are only touched while `condition` is locked.
final class AnswerCache: @unchecked Sendable {
    private enum Entry {
        /// Another thread is making it.
        case making
        case made(KeptAnswer, lastUse: UInt64)
    }

    /// Bytes of all answers that are kept, and of the longest of them. Packed bytes take some more.
    private let byteLimit: Int
    private let answerByteLimit: Int

    private let condition = NSCondition()
    private var version = Int64.min
    private var entries: [String: Entry] = [:]
    private var byteCount = 0
    private var uses: UInt64 = 0

    init(byteLimit: Int = 8 << 20, answerByteLimit: Int = 256 << 10) {
        self.byteLimit = byteLimit
        self.answerByteLimit = answerByteLimit
    }

    /// The answer to a request in a state of the database, made now if no one has made it.
    ///
    /// - Parameters:
    ///   - version: The state, read before. Answers of another one are forgotten.
    ///   - make: Makes it from that state or a later one. What it throws is not kept: the next request tries again.
    func answer(
        to request: String, in version: Int64, _ make: () throws -> [UInt8]
    ) rethrows -> KeptAnswer {
        if let known = known(request, version) { return known }
        do {
            let answer = KeptAnswer(try make())
            finish(request, version, answer)
            return answer
        } catch {
            finish(request, version, nil)
            throw error
        }
    }

    /// Waits while another thread makes the answer; nil if this one has to.
    private func known(_ request: String, _ version: Int64) -> KeptAnswer? {
        condition.withLock {
            // The numbers ascend: one that is less was read before another thread saw a commit.
            if version > self.version {
                self.version = version
                entries = [:]
                byteCount = 0
                // Whoever waits for an answer of the state before makes it himself.
                condition.broadcast()
            }
            while self.version == version, let entry = entries[request] {
                if case .made(let answer, _) = entry {
                    uses += 1
                    entries[request] = .made(answer, lastUse: uses)
                    return answer
                }
                condition.wait()
            }
            if self.version == version { entries[request] = .making }
            return nil
        }
    }

    private func finish(_ request: String, _ version: Int64, _ answer: KeptAnswer?) {
        condition.withLock {
            guard self.version == version else { return }
            // Nobody else has made it: whoever wants it waits.
            entries[request] = nil
            if let answer, answer.bytes.count <= answerByteLimit {
                uses += 1
                entries[request] = .made(answer, lastUse: uses)
                byteCount += answer.bytes.count
                makeRoom()
            }
            condition.broadcast()
        }
    }

    /// Forgets the answers that were asked for least recently until half of the room is free, so that it looks seldom.
    private func makeRoom() {
        guard byteCount > byteLimit else { return }
        let made = entries.compactMap { request, entry -> (request: String, bytes: Int, lastUse: UInt64)? in
            guard case .made(let answer, let lastUse) = entry else { return nil }
            return (request, answer.bytes.count, lastUse)
        }
        for (request, bytes, _) in made.sorted(by: { $0.lastUse < $1.lastUse }) where byteCount > byteLimit / 2 {
            entries[request] = nil
            byteCount -= bytes
        }
    }
}
