import Testing

@testable import ConcordanceEngine

@Suite("The part of an index in a transaction")
struct IndexTransactionTests {
    struct Failure: Error {}

    enum Step {
        case begin
        case beginWrite
        case manifest(isChanged: Bool)
        case segment(UInt32)
        case endWrite
        case fail
        case savepoint(Int)
        case release(Int)
        case undo(IndexTransaction.Rollback)
        case end
    }

    /// Steps, each followed by its result and by the state that it leaves.
    struct Script: CustomTestStringConvertible {
        var testDescription: String
        var steps: [(Step, String)]

        init(_ name: String, _ steps: [(Step, String)]) {
            testDescription = name
            self.steps = steps
        }
    }

    static let scripts: [Script] = [
        Script(
            "nothing changes",
            [(.savepoint(0), "unchanged"), (.release(0), "unchanged"), (.end, "unchanged")]),
        Script(
            "rows are written, and committed",
            [
                (.begin, "changing"), (.beginWrite, "writing"), (.segment(7), "writing"),
                (.manifest(isChanged: true), "writing, manifest changed"),
                (.manifest(isChanged: false), "writing"), (.endWrite, "changing"), (.end, "unchanged"),
                (.undo(.whole), "back to nothing: unchanged"),
            ]),
        Script(
            "a write within a write is refused, and does no harm",
            [
                (.begin, "changing"), (.beginWrite, "writing"),
                (.manifest(isChanged: true), "writing, manifest changed"),
                (.beginWrite, "refused: writing, manifest changed"), (.endWrite, "changing"),
            ]),
        Script(
            "a manifest that was changed by a write that failed is forgotten with it",
            [
                (.begin, "changing"), (.beginWrite, "writing"),
                (.manifest(isChanged: true), "writing, manifest changed"),
                (.endWrite, "changing"), (.fail, "disorder"), (.beginWrite, "refused: disorder"),
                (.undo(.toSavepoint(-1)), "back to nothing: changing"), (.beginWrite, "writing"),
            ]),
        Script(
            "savepoints are gone back to again and again, and released",
            [
                (.savepoint(1), "unchanged"), (.begin, "changing"), (.savepoint(2), "changing"),
                (.savepoint(4), "changing"), (.undo(.toSavepoint(2)), "back to 2: changing"),
                (.undo(.toSavepoint(2)), "back to 2: changing"), (.undo(.toSavepoint(4)), "back to nothing: changing"),
                (.undo(.toSavepoint(1)), "back to nothing: changing"), (.savepoint(2), "changing"),
                (.savepoint(3), "changing"), (.release(3), "changing"), (.undo(.toSavepoint(2)), "back to 2: changing"),
                (.release(2), "changing"), (.undo(.toSavepoint(2)), "back to nothing: changing"),
            ]),
        Script(
            "releasing a savepoint releases those inside it",
            [
                (.begin, "changing"), (.savepoint(1), "changing"), (.savepoint(2), "changing"),
                (.savepoint(3), "changing"), (.release(2), "changing"),
                (.undo(.toSavepoint(1)), "back to 1: changing"),
            ]),
        Script(
            "a savepoint that is said twice is the first",
            [
                (.begin, "changing"), (.savepoint(3), "changing"), (.savepoint(3), "changing"),
                (.savepoint(2), "changing"), (.undo(.toSavepoint(2)), "back to nothing: changing"),
                (.savepoint(3), "changing"), (.savepoint(3), "changing"), (.release(3), "changing"),
                (.undo(.toSavepoint(3)), "back to nothing: changing"),
            ]),
        Script(
            "a savepoint that a second object reports is older, if it was open at the first report",
            [
                (.begin, "changing"), (.savepoint(1), "changing"), (.release(1), "changing"),
                (.savepoint(0), "changing"), (.undo(.toSavepoint(0)), "back to nothing: changing"),
                (.savepoint(1), "changing"), (.savepoint(0), "changing"),
                (.undo(.toSavepoint(1)), "back to 1: changing"), (.release(0), "changing"),
                (.savepoint(0), "changing"), (.undo(.toSavepoint(0)), "back to 0: changing"),
                (.release(0), "changing"), (.savepoint(2), "changing"),
                (.undo(.toSavepoint(0)), "back to nothing: changing"),
                (.savepoint(1), "changing"), (.undo(.toSavepoint(1)), "back to 1: changing"),
            ]),
        Script(
            "segments are known until the transaction ends, whatever is undone",
            [
                (.begin, "changing"), (.savepoint(1), "changing"), (.beginWrite, "writing"), (.segment(9), "writing"),
                (.segment(5), "writing"), (.segment(8), "writing"), (.endWrite, "changing"),
                (.undo(.toSavepoint(1)), "back to 1, from segment 5: changing"),
                (.undo(.toSavepoint(1)), "back to 1, from segment 5: changing"),
                (.undo(.whole), "back to nothing, from segment 5: unchanged"),
                (.undo(.whole), "back to nothing: unchanged"),
            ]),
        Script(
            "what SQLite undoes while rows are written waits, and the outermost savepoint wins",
            [
                (.begin, "changing"), (.savepoint(1), "changing"), (.savepoint(2), "changing"),
                (.savepoint(3), "changing"), (.beginWrite, "writing"), (.segment(4), "writing"),
                (.undo(.toSavepoint(3)), "later: writing"), (.undo(.toSavepoint(2)), "later: writing"),
                (.undo(.toSavepoint(3)), "later: writing"), (.manifest(isChanged: true), "writing, manifest changed"),
                (.manifest(isChanged: false), "writing"), (.endWrite, "due 2: changing"),
                (.undo(.toSavepoint(2)), "back to 2, from segment 4: changing"),
                (.undo(.toSavepoint(3)), "back to nothing, from segment 4: changing"),
            ]),
        Script(
            "the whole transaction wins over a savepoint, whichever was undone first",
            [
                (.begin, "changing"), (.savepoint(1), "changing"), (.beginWrite, "writing"),
                (.undo(.toSavepoint(-1)), "later: writing"), (.undo(.whole), "later: writing"),
                (.undo(.toSavepoint(-1)), "later: writing"), (.endWrite, "due whole: changing"),
                (.undo(.whole), "back to nothing: unchanged"), (.fail, "unchanged"), (.begin, "changing"),
                (.undo(.toSavepoint(1)), "back to nothing: changing"),
            ]),
        Script(
            "what was undone in one write is not undone in the next",
            [
                (.begin, "changing"), (.savepoint(1), "changing"), (.beginWrite, "writing"),
                (.undo(.toSavepoint(1)), "later: writing"), (.endWrite, "due 1: changing"),
                (.undo(.toSavepoint(1)), "back to 1: changing"), (.beginWrite, "writing"), (.endWrite, "changing"),
            ]),
        Script(
            "a write that fails, and goes back to a savepoint, leaves disorder until the next rollback",
            [
                (.begin, "changing"), (.savepoint(1), "changing"), (.beginWrite, "writing"),
                (.undo(.toSavepoint(1)), "later: writing"), (.endWrite, "due 1: changing"),
                (.undo(.toSavepoint(1)), "back to 1: changing"), (.fail, "disorder"), (.savepoint(2), "disorder"),
                (.release(2), "disorder"), (.undo(.toSavepoint(1)), "back to 1: changing"), (.end, "unchanged"),
            ]),
        Script(
            "savepoints after a write that fails do not restore order",
            [
                (.begin, "changing"), (.savepoint(1), "changing"), (.savepoint(2), "changing"),
                (.beginWrite, "writing"),
                (.endWrite, "changing"), (.fail, "disorder"), (.savepoint(3), "disorder"),
                (.undo(.toSavepoint(3)), "back to 3: disorder"), (.release(3), "disorder"), (.release(2), "disorder"),
                (.savepoint(2), "disorder"), (.undo(.toSavepoint(2)), "back to 2: disorder"),
                (.undo(.toSavepoint(1)), "back to 1: changing"), (.beginWrite, "writing"), (.endWrite, "changing"),
                (.fail, "disorder"), (.release(1), "disorder"), (.savepoint(1), "disorder"),
                (.undo(.toSavepoint(1)), "back to 1: disorder"),
                (.undo(.toSavepoint(-1)), "back to nothing: changing"),
            ]),
        Script(
            "a rollback ends a transaction in disorder",
            [
                (.begin, "changing"), (.beginWrite, "writing"), (.segment(2), "writing"), (.endWrite, "changing"),
                (.fail, "disorder"), (.undo(.whole), "back to nothing, from segment 2: unchanged"),
                (.begin, "changing"),
            ]),
    ]

    @Test(arguments: scripts)
    func `goes on step by step`(script: Script) {
        var transaction = IndexTransaction()
        for (number, (step, expected)) in script.steps.enumerated() {
            let given = Self.take(step, in: &transaction)
            let state = Self.state(transaction)
            #expect((given.map { "\($0): \(state)" } ?? state) == expected, "step \(number), \(step)")
        }
    }

    /// The result of a step, as a text.
    private static func take(_ step: Step, in transaction: inout IndexTransaction) -> String? {
        switch step {
        case .begin: transaction.begin()
        case .beginWrite: do { try transaction.beginWrite() } catch { return "refused" }
        case .manifest(let isChanged): transaction.noteManifest(isChanged: isChanged)
        case .segment(let segment): transaction.noteWriting(to: segment)
        case .endWrite:
            switch transaction.endWrite() {
            case .toSavepoint(let number): return "due \(number)"
            case .whole: return "due whole"
            case nil: return nil
            }
        case .fail: transaction.fail(Failure())
        case .savepoint(let number): transaction.savepoint(number, PendingBuffer(columnCount: 1))
        case .release(let number): transaction.release(number)
        case .undo(let rollback):
            guard let undone = transaction.undo(rollback) else { return "later" }
            let savepoint = undone.savepoint.map { "\($0.number)" } ?? "nothing"
            return "back to \(savepoint)" + (undone.firstSegment.map { ", from segment \($0)" } ?? "")
        case .end: transaction.end()
        }
        return nil
    }

    private static func state(_ transaction: IndexTransaction) -> String {
        do { try transaction.checkOrder() } catch {
            #expect(error is Failure && transaction.hasBegun && !transaction.isWriting)
            return "disorder"
        }
        if transaction.isManifestChanged { return transaction.isWriting ? "writing, manifest changed" : "impossible" }
        if transaction.isWriting { return transaction.hasBegun ? "writing" : "impossible" }
        return transaction.hasBegun ? "changing" : "unchanged"
    }

    @Test func `savepoints keep the rows that were pending, in the buffer of their time`() {
        var transaction = IndexTransaction()
        transaction.begin()
        let first = PendingBuffer(columnCount: 1)
        transaction.savepoint(0, first)
        #expect(transaction.lastSavepoint(of: first) == nil)
        _ = first.begin(rowID: 1)
        transaction.savepoint(1, first)
        _ = first.begin(rowID: 2)
        transaction.savepoint(2, first)
        let second = PendingBuffer(columnCount: 1)
        transaction.savepoint(3, second)
        #expect(transaction.lastSavepoint(of: first)?.number == 2)
        #expect(transaction.lastSavepoint(of: second) == nil)
        let undone = transaction.undo(.toSavepoint(1))?.savepoint
        #expect(undone?.buffer === first)
        #expect(undone?.mark.isStart == false)
        #expect(transaction.lastSavepoint(of: first)?.number == 1)
    }

    @Test func `rollbacks are in the order of what they undo`() {
        let rollbacks: [IndexTransaction.Rollback] = [
            .toSavepoint(7), .toSavepoint(1), .toSavepoint(0), .toSavepoint(-1), .whole,
        ]
        #expect(rollbacks.shuffled().sorted() == rollbacks)
        for (less, more) in zip(rollbacks, rollbacks.dropFirst()) { #expect(less < more && !(more < less)) }
        for rollback in rollbacks { #expect(!(rollback < rollback)) }
    }
}
