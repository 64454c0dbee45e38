import ConcordanceFTS5
import ConcordanceSQLite

/// The scores of the rows that a cursor has read ahead, all computed when the first is asked for, in place of a function that
/// would be called for each row.
final class RowScores {
    private let scorer: DocumentScorer
    private let function: AuxiliaryFunction
    private let scores = FixedBuffer(repeating: 0.0, count: MatchWindow.capacity)
    /// The part of the rows that they are of (`MatchWindow.number`).
    @exclusivity(unchecked) private var number = -1

    init(_ scorer: DocumentScorer, _ function: AuxiliaryFunction) {
        self.scorer = scorer
        self.function = function
    }

    /// Whether they are what the function would return for these arguments.
    @inline(__always)
    func are(of function: ObjectIdentifier, _ weights: BorrowedValues) -> Bool {
        function == ObjectIdentifier(self.function) && scorer.has(weights: weights.count) { weights[$0].double }
    }

    /// The score of a row in a part; nil if the scores of the part have not been computed.
    @inline(__always)
    func score(inPart number: Int, at index: Int) -> Double? { number == self.number ? scores[index] : nil }

    /// Computes those of a part, and returns that of the current row.
    @inline(never)
    func compute(_ window: MatchWindow) throws -> Double {
        number = -1
        try scorer.score(window.documents, ofSegment: window.segment, into: scores.start)
        number = window.number
        return scores[window.run.pointee.index]
    }

    /// The score of any row of the query.
    func score(_ document: DocumentReference) throws -> Double {
        number = -1
        var only = document.document
        try withUnsafePointer(to: &only) {
            try scorer.score(UnsafeBufferPointer(start: $0, count: 1), ofSegment: document.segment, into: scores.start)
        }
        return scores[0]
    }
}
