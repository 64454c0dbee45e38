import CSQLite
import ConcordanceSQLite

/// `bm25(t, weight, …)`: -1 times the row's score, with what a hit in each column counts; 1 where there is no argument.
enum BM25Function {
    /// What is the same for all rows of a query.
    private final class State {
        let bm25: BM25
        let idf: [Double]
        var frequencies: [Double]

        init(_ context: ExtensionContext) throws {
            let rowCount = try context.rowCount()
            bm25 = BM25(rowCount: rowCount, tokenCount: try context.totalSize(ofColumn: -1))
            var idf: [Double] = []
            if let query = context.host.query {
                for phrase in 0..<context.phraseCount {
                    idf.append(
                        BM25.inverseDocumentFrequency(
                            rowCount: rowCount, documentFrequency: try query.documentFrequency(ofPhrase: phrase)))
                }
            }
            self.idf = idf
            frequencies = Array(repeating: 0, count: idf.count)
        }
    }

    static func call(_ context: ExtensionContext, _ arguments: BorrowedValues, _ result: ResultContext) throws {
        let state = try state(of: context)
        try count(context, arguments, into: &state.frequencies)
        let norm = state.bm25.lengthNorm(Double(try context.length()))
        var score = 0.0
        for (idf, frequency) in zip(state.idf, state.frequencies) {
            score += BM25.score(idf: idf, frequency: frequency, norm: norm)
        }
        result.set(-1 * score)
    }

    private static func state(of context: ExtensionContext) throws -> State {
        if let pointer = context.data(clearing: false) {
            return Unmanaged<State>.fromOpaque(pointer).takeUnretainedValue()
        }
        let state = try State(context)
        context.setData(Unmanaged.passRetained(state).toOpaque()) {
            if let state = $0 { Unmanaged<State>.fromOpaque(state).release() }
        }
        return state
    }

    /// How often each phrase stands in the row, each time with the weight of its column. Without positions in the index the
    /// texts say so, as in FTS5: where there are none, nothing stands anywhere.
    private static func count(
        _ context: ExtensionContext, _ weights: BorrowedValues, into frequencies: inout [Double]
    ) throws {
        for phrase in frequencies.indices { frequencies[phrase] = 0 }
        guard let query = context.host.query else { return }
        if context.host.options.detail != .full, context.host.options.content == .none { return }
        let document = try context.indexedDocument()
        for phrase in frequencies.indices {
            try query.forEachColumn(at: document, ofPhrase: phrase) { column, count in
                let weight = column < weights.count ? weights[Int(column)].double : 1
                ColumnWeights.add(weight, times: count, to: &frequencies[phrase])
            }
        }
    }
}
