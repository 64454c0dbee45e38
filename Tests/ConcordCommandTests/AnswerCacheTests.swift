import Foundation
import TestSupport
import Testing

@testable import ConcordCommand

@Suite("Answers of the server that are kept")
struct AnswerCacheTests {
    private struct Refusal: Error {}

    private let cache = AnswerCache(byteLimit: 100, answerByteLimit: 40)
    private let made = Shared<[String]>([])

    private func ask(_ request: String, _ version: Int64 = 1, bytes: Int = 10) -> [UInt8] {
        cache.answer(to: request, in: version) {
            made.withLock { $0.append("\(request) \(version)") }
            return Array(repeating: UInt8(version), count: bytes)
        }.bytes
    }

    @Test func anAnswerIsMadeOnceForEachState() {
        for version: Int64 in [1, 1, 2, 2] {
            #expect(ask("a", version) == Array(repeating: UInt8(version), count: 10))
            #expect(ask("b", version).count == 10)
        }
        #expect(made.withLock { $0 } == ["a 1", "b 1", "a 2", "b 2"])
    }

    /// Whoever has read the number of a state before another one saw the next gets no answer that is older than its own.
    @Test func aStateThatIsOverTakesNothingAway() {
        _ = ask("a", 2)
        #expect(ask("a", 1) == Array(repeating: 1, count: 10))
        #expect(ask("a", 2) == Array(repeating: 2, count: 10))
        #expect(made.withLock { $0 } == ["a 2", "a 1"])
    }

    @Test func errorsAreNotKept() throws {
        #expect(throws: Refusal.self) { try cache.answer(to: "a", in: 1) { throw Refusal() } }
        #expect(ask("a").count == 10)
        #expect(made.withLock { $0 } == ["a 1"])
    }

    @Test func roomIsBounded() {
        _ = ask("long", bytes: 41)
        _ = ask("long", bytes: 41)
        #expect(made.withLock { $0 } == ["long 1", "long 1"])
        made.withLock { $0 = [] }
        // The eleventh is beyond 100 bytes: those that were asked for least recently make room.
        for number in 0..<10 { _ = ask("\(number)") }
        _ = ask("0")
        _ = ask("10")
        made.withLock { $0 = [] }
        for number in [0, 7, 8, 9, 10] { _ = ask("\(number)") }
        #expect(made.withLock { $0 } == [])
        _ = ask("1")
        #expect(made.withLock { $0 } == ["1 1"])
    }

    @Test func manyAtOnceShareOne() {
        for round in 0..<50 {
            DispatchQueue.concurrentPerform(iterations: 8) { _ in #expect(ask("\(round)").count == 10) }
        }
        #expect(made.withLock { $0 }.count == 50)
    }

    /// Those who wait for an answer that fails make one themselves.
    @Test func anErrorOfOneIsNotThatOfOthers() {
        let calls = Shared(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            _ = try? cache.answer(to: "a", in: 1) {
                try calls.withLock { calls in
                    calls += 1
                    if calls <= 4 { throw Refusal() }
                }
                return [1]
            }
        }
        #expect(calls.withLock { $0 } == 5)
    }

    @Test func packedBytesAreTheSame() throws {
        let answer = KeptAnswer(Array(repeating: 7, count: 10_000))
        let packed = try #require(answer.gzip())
        #expect(packed.count < 1000)
        #expect(answer.gzip() == packed)
        let unpacked = try GzipStream(MemoryStream([packed]), limit: 1 << 20).whole(limit: 1 << 20)
        #expect(unpacked == answer.bytes)
    }
}
