import ConcordanceSQLite

/// The matches that a cursor has at hand: a part of a run of `MatchCursor`, over which SQLite goes by itself
/// (`VirtualTableRun`). Rowids are read when the first of them is asked for, all at once.
///
/// Whoever makes one deallocates it.
struct MatchWindow {
    /// What SQLite sees of it.
    let run: UnsafeMutablePointer<VirtualTableRun>
    /// The segment of the matches, by its number in the snapshot.
    private(set) var segment = 0
    private var documents = UnsafeBufferPointer<UInt32>(start: nil, count: 0)
    /// What the run has behind them.
    private var rest = UnsafeBufferPointer<UInt32>(start: nil, count: 0)
    private var reader: RowIDReader?
    private let rowIDs: UnsafeMutablePointer<Int64>

    private static let capacity = 128

    /// Without matches.
    init() {
        run = .allocate(capacity: 1)
        run.initialize(to: VirtualTableRun())
        rowIDs = .allocate(capacity: Self.capacity)
    }

    func deallocate() {
        run.deallocate()
        rowIDs.deallocate()
    }

    /// Whether there is no current match.
    var isEmpty: Bool { documents.isEmpty }

    /// The document of the current match, of which there must be one.
    var document: UInt32 { documents[run.pointee.index] }

    /// Goes to the next match at hand, and leaves those behind it to SQLite; false where there is none.
    @inline(__always)
    mutating func step() -> Bool {
        let next = run.pointee.index &+ 1
        guard next < documents.count else { return false }
        run.pointee.index = next
        run.pointee.end = documents.count
        return true
    }

    /// Goes to the next match; false behind the last.
    mutating func next(_ matches: MatchCursor) throws -> Bool {
        if step() { return true }
        if rest.isEmpty, try !readRun(matches) {
            removeAll()
            return false
        }
        documents = UnsafeBufferPointer(rebasing: rest.prefix(Self.capacity))
        rest = UnsafeBufferPointer(rebasing: rest.dropFirst(Self.capacity))
        run.pointee = VirtualTableRun()
        run.pointee.end = documents.count
        return true
    }

    private mutating func readRun(_ matches: MatchCursor) throws -> Bool {
        documents = UnsafeBufferPointer(start: nil, count: 0)
        run.pointee = VirtualTableRun()
        guard let next = try matches.nextRun() else { return false }
        matches.work.unrankedRows &+= next.documents.count
        if reader == nil || next.segment != segment { reader = matches.makeRowIDReader(next) }
        segment = next.segment
        rest = next.documents
        return true
    }

    /// The rowid of the current match.
    mutating func rowID() throws -> Int64 {
        if run.pointee.rowIDs == nil {
            try reader?.read(documents, into: rowIDs)
            run.pointee.rowIDs = UnsafePointer(rowIDs)
        }
        return rowIDs[run.pointee.index]
    }

    /// Has SQLite tell of the next step.
    func stop() { run.pointee.end = 0 }

    mutating func removeAll() {
        documents = UnsafeBufferPointer(start: nil, count: 0)
        rest = documents
        reader = nil
        run.pointee = VirtualTableRun()
    }
}
