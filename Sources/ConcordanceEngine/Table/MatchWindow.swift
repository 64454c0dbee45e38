import ConcordanceSQLite

/// The matches that a cursor has read ahead: a part of a run of `MatchCursor`, over which SQLite steps by itself
/// (`VirtualTableRun`). All rowids are read when the first of them is asked for.
///
/// The creator deallocates it.
struct MatchWindow {
    /// The part that SQLite sees.
    let run: UnsafeMutablePointer<VirtualTableRun>
    /// The segment of the matches, by its number in the snapshot.
    private(set) var segment = 0
    /// Grows with each part that is read.
    private(set) var number = 0
    private(set) var documents = UnsafeBufferPointer<UInt32>(start: nil, count: 0)
    /// The rest of the run.
    private var rest = UnsafeBufferPointer<UInt32>(start: nil, count: 0)
    private var reader: RowIDReader?
    private let rowIDs: UnsafeMutablePointer<Int64>

    static let capacity = 128

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

    /// The document of the current match, which must exist.
    var document: UInt32 { documents[run.pointee.index] }

    /// Moves to the next match that has been read, and leaves the later ones to SQLite; false if there is none.
    @inline(__always)
    mutating func step() -> Bool {
        let next = run.pointee.index &+ 1
        guard next < documents.count else { return false }
        run.pointee.index = next
        run.pointee.end = documents.count
        return true
    }

    /// Moves to the next match; false after the last one.
    mutating func next(_ matches: MatchCursor) throws -> Bool {
        if step() { return true }
        if rest.isEmpty, try !readRun(matches) {
            removeAll()
            return false
        }
        number &+= 1
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

    /// Makes SQLite call for the next step.
    func stop() { run.pointee.end = 0 }

    mutating func removeAll() {
        documents = UnsafeBufferPointer(start: nil, count: 0)
        rest = documents
        reader = nil
        run.pointee = VirtualTableRun()
    }
}
