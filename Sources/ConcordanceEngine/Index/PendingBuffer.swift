/// What a transaction has changed and not yet written: documents that are added, and documents of segments that are
/// removed.
///
/// Each is an *event*, numbered in the order of time. The terms' lists hold the events' numbers, so nothing needs to be
/// taken out of them: an event that is undone, or a document that is removed before it was written, is dead, and the
/// flush skips it. So a savepoint is two numbers, and going back to it costs as much as the events since.
final class PendingBuffer {
    enum State: UInt8 {
        /// A document is added.
        case insertion
        /// A document of a segment is removed; the event is in the lists of its terms.
        case removal
        /// A document of a segment is removed, and its terms are not known yet.
        case unresolvedRemoval
        /// Represents an unresolved removal in the lists.
        case resolution
        /// Undone, or removed before it was written.
        case dead
    }

    struct Event {
        var rowID: Int64
        var state: State
        var fingerprint: UInt32 = 0
        /// The previous event of the same row, plus one; 0 for none.
        var previous: UInt32 = 0
        /// The last removal of the same row from its segment, this event included, plus one; 0 for none.
        var removal: UInt32 = 0
        /// Where the stored values of an added document begin.
        var values = 0
        /// For a removal.
        var segment: UInt32 = 0
        var document: UInt32 = 0
    }

    /// New stored values for a row whose text stays.
    struct ValueChange {
        /// The row's document in a segment; nil if the row is an event.
        var place: Place?
        /// Where the values begin, or, for an event, where the previous ones begin.
        var values: Int
        fileprivate var event: UInt32 = 0
        /// The previous change of the same document, plus one; 0 for none.
        fileprivate var previous: UInt32 = 0

        /// A document of a segment.
        struct Place: Hashable {
            var segment: UInt32
            var document: UInt32
        }
    }

    /// A point to go back to.
    struct Mark {
        fileprivate(set) var events = 0
        fileprivate(set) var kills = 0
        fileprivate(set) var valueChanges = 0

        var isStart: Bool { events == 0 && kills == 0 && valueChanges == 0 }
    }

    let columnCount: Int
    private(set) var terms = PendingTerms()
    private(set) var events: [Event] = []
    /// Tokens of each column of each event, `columnCount` numbers per event.
    private(set) var lengths: [UInt32] = []
    /// The stored values of added documents, and of rows that change theirs (`RowValues`).
    private let values = ByteWriter()
    private var valueChanges: [ValueChange] = []
    /// The last change of each document of a segment, plus one.
    private var latestChanges: [ValueChange.Place: UInt32] = [:]
    /// How many events are not dead.
    private(set) var liveCount = 0
    /// How many of these are no insertions.
    private var removalCount = 0
    /// Whether there are rows to write, and nothing for which segments are read.
    var hasOnlyInsertions: Bool { liveCount > 0 && removalCount == 0 && latestChanges.isEmpty }
    /// Whether there is anything to write.
    var hasChanges: Bool { liveCount > 0 || !valueChanges.isEmpty }
    /// Whether tokens share places, so that the places of several terms may be the same.
    private(set) var hasColocatedTokens = false

    /// The insertions that a removal ended.
    private var kills: [UInt32] = []
    /// Events that are known to be undone, so that going back to a savepoint repeatedly costs only what is new.
    private var undone = 0..<0
    /// The last event of each row, plus one; including dead events since a kill, but not undone ones.
    private var latest: [Int64: UInt32] = [:]
    /// The largest rowid of the added documents; outdated when one of them is removed.
    private var greatest: Int64?
    private var isGreatestKnown = true

    init(columnCount: Int) { self.columnCount = columnCount }

    /// The memory that it uses, including room for more.
    var byteCount: Int {
        // A dictionary is at most three quarters full, and has a bit for each place.
        terms.byteCount + values.count + events.capacity * MemoryLayout<Event>.stride
            + valueChanges.capacity * MemoryLayout<ValueChange>.stride + 4 * (lengths.capacity + kills.capacity)
            + (latest.capacity + latestChanges.capacity) * (8 + 4) * 4 / 3
    }

    // MARK: Rows

    /// What is pending for a row.
    enum Row: Equatable {
        /// Nothing: the segments are right.
        case untouched
        /// It exists, by that event.
        case inserted(UInt32)
        /// It is gone from its segment.
        case removed
    }

    func row(_ rowID: Int64) -> Row {
        guard let link = latest[rowID] else { return .untouched }
        let event = events[Int(link) - 1]
        if event.state == .insertion { return .inserted(link - 1) }
        // Insertions between the removal and this event are gone: an insertion over a live one ends that first.
        return event.removal > 0 ? .removed : .untouched
    }

    /// The largest rowid of the added documents.
    var maximumRowID: Int64? {
        if !isGreatestKnown {
            greatest = events.lazy.filter { $0.state == .insertion }.map(\.rowID).max()
            isGreatestKnown = true
        }
        return greatest
    }

    // MARK: Events

    /// Begins an event, which is dead until `complete`.
    func begin(rowID: Int64, segment: UInt32 = 0, document: UInt32 = 0) -> UInt32 {
        let number = UInt32(truncatingIfNeeded: events.count)
        events.append(
            Event(rowID: rowID, state: .dead, values: values.count, segment: segment, document: document))
        lengths.append(contentsOf: repeatElement(0, count: columnCount))
        return number
    }

    /// Completes the last event; `builder` has counted its tokens.
    func complete(_ number: UInt32, as state: State, _ builder: DocumentBuilder?) {
        let index = Int(number)
        events[index].state = state
        if let builder {
            events[index].fingerprint = builder.fingerprint
            if state == .insertion {
                builder.copyLengths(into: &lengths, at: index * columnCount)
                events[index].values = values.count
                values.append(builder.values.bytes)
            }
            hasColocatedTokens = hasColocatedTokens || builder.hasColocatedTokens
        }
        liveCount += 1
        if state != .insertion { removalCount += 1 }
        guard state != .resolution else { return }
        let rowID = events[index].rowID
        let previous = latest.updateValue(number + 1, forKey: rowID) ?? 0
        events[index].previous = previous
        if state == .insertion {
            events[index].removal = previous > 0 ? events[Int(previous) - 1].removal : 0
            greatest = max(greatest ?? rowID, rowID)
        } else {
            events[index].removal = number + 1
        }
    }

    /// Whether an added document has the tokens that the builder has collected.
    func holds(_ number: UInt32, _ builder: DocumentBuilder) -> Bool {
        let first = Int(number) * columnCount
        return events[Int(number)].fingerprint == builder.fingerprint
            && (0..<columnCount).allSatisfy { lengths[first + $0] == builder.length(ofColumn: $0) }
    }

    /// Removes a document that is not written yet.
    func kill(_ number: UInt32) {
        events[Int(number)].state = .dead
        if events[Int(number)].rowID == greatest { isGreatestKnown = false }
        kills.append(number)
        liveCount -= 1
    }

    // MARK: Stored values

    /// Replaces the values of an added document.
    func setValues(_ row: UnsafeRawBufferPointer, ofEvent number: UInt32) {
        valueChanges.append(ValueChange(place: nil, values: events[Int(number)].values, event: number))
        events[Int(number)].values = values.count
        values.append(row)
    }

    /// Replaces the values of a document in a segment.
    func setValues(_ row: UnsafeRawBufferPointer, of place: ValueChange.Place) {
        valueChanges.append(ValueChange(place: place, values: values.count, previous: latestChanges[place] ?? 0))
        latestChanges[place] = UInt32(truncatingIfNeeded: valueChanges.count)
        values.append(row)
    }

    /// Where the new values of a document in a segment begin; nil if it keeps its values.
    func changedValues(of place: ValueChange.Place) -> Int? {
        latestChanges[place].map { valueChanges[Int($0) - 1].values }
    }

    /// The same for all documents in segments whose values change, by segment and document.
    var changedValues: [UInt32: [UInt32: Int]] {
        var result: [UInt32: [UInt32: Int]] = [:]
        for (place, change) in latestChanges {
            result[place.segment, default: [:]][place.document] = valueChanges[Int(change) - 1].values
        }
        return result
    }

    /// Calls `body` with the stored values of an added document, and what follows them.
    func withValues<Result>(of number: UInt32, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withValues(at: events[Int(number)].values, body)
    }

    /// Calls `body` with the stored values that begin at a place, and what follows them.
    func withValues<Result>(at start: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(values) {
            try body(UnsafeRawBufferPointer(rebasing: values.bytes[min(start, values.count)...]))
        }
    }

    // MARK: Going back

    var mark: Mark { Mark(events: events.count, kills: kills.count, valueChanges: valueChanges.count) }

    /// Restores the state at that point.
    func rollback(to mark: Mark) {
        guard !mark.isStart else { return removeAll() }
        isGreatestKnown = false
        for change in valueChanges.dropFirst(mark.valueChanges).reversed() {
            if let place = change.place {
                latestChanges[place] = change.previous == 0 ? nil : change.previous
            } else {
                events[Int(change.event)].values = change.values
            }
        }
        valueChanges.removeSubrange(min(mark.valueChanges, valueChanges.count)...)
        for number in kills.dropFirst(mark.kills) where number < mark.events {
            events[Int(number)].state = .insertion
            liveCount += 1
        }
        kills.removeSubrange(min(mark.kills, kills.count)...)
        var index = events.count
        while index > mark.events {
            if undone.upperBound == index, !undone.isEmpty {
                index = max(undone.lowerBound, mark.events)
                continue
            }
            index -= 1
            let event = events[index]
            if event.state != .dead { liveCount -= 1 }
            if event.state != .dead, event.state != .insertion { removalCount -= 1 }
            if latest[event.rowID] == UInt32(truncatingIfNeeded: index + 1) {
                latest[event.rowID] = event.previous == 0 ? nil : event.previous
            }
            events[index].state = .dead
            events[index].previous = 0
        }
        undone = min(mark.events, events.count)..<events.count
    }

    /// Forgets everything.
    func removeAll() {
        terms.removeAll()
        values.removeAll()
        valueChanges.removeAll(keepingCapacity: valueChanges.count < 4096)
        latestChanges.removeAll(keepingCapacity: latestChanges.count < 4096)
        events.removeAll(keepingCapacity: events.count < 4096)
        lengths.removeAll(keepingCapacity: lengths.count < 4096)
        kills.removeAll()
        undone = 0..<0
        latest.removeAll(keepingCapacity: latest.count < 4096)
        greatest = nil
        isGreatestKnown = true
        liveCount = 0
        removalCount = 0
        hasColocatedTokens = false
    }

    /// Keeps only what existed at a mark, in as little memory as possible. Later events cannot come back; earlier marks
    /// stay valid.
    func shrink(to mark: Mark) {
        rollback(to: mark)
        guard events.count > mark.events else { return }
        let all = terms
        terms = PendingTerms()
        let places = GrowingBuffer<Position>()
        for term in 0..<all.count {
            let key = all.key(term)
            let hash = UInt64(all.terms[term].hash) << 32
            var list = all.list(term)
            while list.next(), list.event < mark.events {
                places.removeAll()
                list.readPlaces(into: places)
                if places.count == 0 { terms.add(key, hash: hash, event: list.event) }
                for place in places.values {
                    terms.add(key, hash: hash, event: list.event, column: place.column, offset: place.offset)
                }
            }
        }
        values.truncate(to: events[mark.events].values)
        events.removeSubrange(mark.events...)
        lengths.removeSubrange((mark.events * columnCount)...)
        undone = 0..<0
    }
}

extension PendingBuffer {
    /// The removed documents of segments, by segment.
    var removals: [UInt32: [UInt32]] {
        documents { $0 == .removal || $0 == .unresolvedRemoval }
    }

    /// The removed documents whose terms are not known.
    var unresolvedRemovals: [UInt32: [UInt32]] {
        documents { $0 == .unresolvedRemoval }
    }

    private func documents(where isIncluded: (State) -> Bool) -> [UInt32: [UInt32]] {
        var result: [UInt32: [UInt32]] = [:]
        for event in events where isIncluded(event.state) { result[event.segment, default: []].append(event.document) }
        return result
    }
}
