/// Collects the tokens of one document, and counts places and lengths the way FTS5 does.
///
/// A token costs no allocation. Columns come in ascending order, the tokens of each in the order of the text.
final class DocumentBuilder {
    private let columnCount: Int
    private let lengths: UnsafeMutablePointer<UInt32>
    /// Not owned, so that a token costs no reference counting.
    @exclusivity(unchecked) private var terms: Unmanaged<PendingTerms>
    @exclusivity(unchecked) private var event: UInt32 = 0
    @exclusivity(unchecked) private var hasPlaces = true
    @exclusivity(unchecked) private var hash = Fingerprint()
    @exclusivity(unchecked) private(set) var hasColocatedTokens = false
    /// The stored values so far (`RowValues`).
    let values = ByteWriter()

    @exclusivity(unchecked) private var comparison: DocumentChecksum.Document?
    /// Whether the tokens are only hashed and counted.
    @exclusivity(unchecked) private var isHashOnly = false

    init(columnCount: Int, terms: PendingTerms) {
        self.columnCount = columnCount
        self.terms = .passUnretained(terms)
        lengths = .allocate(capacity: max(1, columnCount))
        lengths.initialize(repeating: 0, count: max(1, columnCount))
    }

    deinit { lengths.deallocate() }

    /// Begins a document of which only `fingerprint` and lengths are needed.
    func beginHash() {
        reset()
        isHashOnly = true
    }

    /// Begins a document that is compared with its index, but not indexed.
    func beginComparison(_ document: DocumentChecksum.Document) {
        reset()
        comparison = document
    }

    /// The checksum with the document's tokens; nil if no comparison was begun.
    func endComparison() -> DocumentChecksum? {
        defer { comparison = nil }
        return comparison?.checksum
    }

    /// Begins a document that is inserted, or one that is removed, whose places do not matter; `end` ends it. `terms` must
    /// outlive its filling.
    func begin(_ event: UInt32, hasPlaces: Bool, terms: PendingTerms) {
        self.event = event
        self.hasPlaces = hasPlaces
        self.terms = .passUnretained(terms)
        terms.forgetBatch()
        reset()
    }

    private func reset() {
        hash = Fingerprint()
        hasColocatedTokens = false
        isHashOnly = false
        values.removeAll()
        lengths.update(repeating: 0, count: columnCount)
    }

    /// Adds a token; a colocated one has the place of the one before it.
    @inline(__always)
    func add(_ token: UnsafeBufferPointer<UInt8>, column: Int, isColocated: Bool) {
        guard column >= 0, column < columnCount else { return assertionFailure("a token of no column") }
        let length = lengths[column]
        // FTS5 gives the first token of a column a place of its own, whatever its flags say.
        if isColocated, length > 0 { hasColocatedTokens = true } else { lengths[column] = length &+ 1 }
        let token =
            token.count <= PendingTerms.maximumTokenLength
            ? token : UnsafeBufferPointer(rebasing: token[..<PendingTerms.maximumTokenLength])
        let number = UInt32(truncatingIfNeeded: column)
        let tokenHash = TokenHash.hash(token)
        hash.add(token: tokenHash, column: number, isColocated: isColocated)
        if isHashOnly { return }
        let offset = lengths[column] &- 1
        if comparison != nil {
            let position = Position(column: number, offset: offset)
            comparison?.add(token: tokenHash, position: position, isFirstAtPlace: !isColocated || length == 0)
        } else if hasPlaces {
            terms._withUnsafeGuaranteedRef {
                $0.addToBatch(token, hash: tokenHash, event: event, column: number, offset: offset)
            }
        } else {
            terms._withUnsafeGuaranteedRef { $0.add(token, hash: tokenHash, event: event) }
        }
    }

    /// Ends a document that is inserted or removed.
    func end() { terms._withUnsafeGuaranteedRef { $0.addBatch(event: event) } }

    /// The hash of the tokens so far.
    var fingerprint: UInt32 { hash.value }

    /// Tokens of a column so far.
    func length(ofColumn column: Int) -> UInt32 { column >= 0 && column < columnCount ? lengths[column] : 0 }

    /// Writes the columns' lengths over those at `index`.
    func copyLengths(into all: inout [UInt32], at index: Int) {
        assert(index >= 0 && index + columnCount <= all.count, "lengths of a document that is not pending")
        for column in 0..<columnCount where all.indices.contains(index + column) {
            all[index + column] = lengths[column]
        }
    }
}
