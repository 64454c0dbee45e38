/// A condition on the stored values of a column. Where a row has several values, one of them must fulfil it, or the least or
/// greatest.
struct ValueCondition: Hashable {
    enum Test: Hashable {
        /// Within bounds; nil for none.
        case range(from: ValueBound?, to: ValueBound?)
        /// Any of these values.
        case oneOf([StoredValue])
        case isNull
        case isNotNull
    }

    /// Which of several values of a row.
    enum Choice: Hashable {
        case any, least, greatest
    }

    /// The number of the column among VALUE columns.
    let column: Int
    let test: Test
    var choice = Choice.any

    /// The codes of a page whose values fulfil the condition, ascending.
    fileprivate func codes(in page: ValuePage) -> [Range<UInt32>] {
        let ranges: [Range<UInt32>] =
            switch test {
            case .range(let lower, let upper): [page.codes(from: lower, to: upper)]
            case .oneOf(let values): values.map { page.codes(equalTo: $0) }
            case .isNull: [0..<1]
            case .isNotNull: [1..<UInt32.max]
            }
        let found = ranges.filter {
            !$0.isEmpty && $0.lowerBound <= page.greatestCode && $0.upperBound > page.leastCode
        }
        return found.count > 1 ? found.sorted { $0.lowerBound < $1.lowerBound } : found
    }
}

/// Conditions on stored values, all of which a row must fulfil.
struct ValueFilter: Hashable {
    private(set) var conditions: [ValueCondition] = []

    mutating func add(_ condition: ValueCondition) { conditions.append(condition) }

    /// Adds a bound. With one on the other side, as SQLite takes `BETWEEN` apart, it makes a range: one value must be in it.
    mutating func add(bound condition: ValueCondition) {
        guard case .range(let lower, let upper) = condition.test else { return add(condition) }
        for (index, other) in conditions.enumerated() where other.column == condition.column {
            switch other.test {
            case .range(let otherLower, nil) where lower == nil:
                conditions[index] = ValueCondition(column: other.column, test: .range(from: otherLower, to: upper))
                return
            case .range(nil, let otherUpper) where upper == nil:
                conditions[index] = ValueCondition(column: other.column, test: .range(from: lower, to: otherUpper))
                return
            default: continue
            }
        }
        add(condition)
    }

    /// Adds the conditions of another filter.
    mutating func add(_ other: ValueFilter) { conditions += other.conditions }

    /// These conditions and another one.
    func adding(_ condition: ValueCondition) -> ValueFilter {
        var filter = self
        filter.add(condition)
        return filter
    }

    /// The documents of a segment, removed ones included, that fulfil all conditions.
    func documents(of live: LiveSegment, _ work: QueryWork) throws -> DocumentSet {
        let documentCount = live.segment.documentCount
        work.testedDocuments &+= documentCount
        let set = DocumentSet(documentCount: documentCount, expectedCount: documentCount)
        for number in 0..<live.values.pageCount { try addDocuments(ofPage: number, live.values, to: set) }
        set.freeze()
        return set
    }

    /// The same among documents that are few: nothing is read of the others.
    func documents(of live: LiveSegment, among few: DocumentIterator, _ work: QueryWork) throws -> DocumentSet {
        let set = DocumentSet(documentCount: live.segment.documentCount, expectedCount: few.cost)
        var (number, tests): (Int, [PageTest]?) = (-1, nil)
        try few.forEach(from: 0, below: live.segment.allDocuments.upperBound) { document in
            work.testedDocuments &+= 1
            if case let own = Int(document) >> SegmentLayout.documentPageBits, own != number {
                (number, tests) = (own, try self.tests(ofPage: own, live.values))
            }
            let index = Int(document) & (SegmentLayout.documentsPerPage - 1)
            if let tests, tests.allSatisfy({ $0.passes(index) }) { set.insert(document) }
        }
        set.freeze()
        return set
    }

    private func addDocuments(ofPage number: Int, _ table: ValueTable, to set: DocumentSet) throws {
        guard let tests = try tests(ofPage: number, table) else { return }
        let documents = table.documents(ofPage: number)
        let first = UInt32(truncatingIfNeeded: documents.lowerBound)
        for index in 0..<documents.count where tests.allSatisfy({ $0.passes(index) }) {
            set.insert(first &+ UInt32(truncatingIfNeeded: index))
        }
    }

    /// A condition on the documents of a page.
    private struct PageTest {
        let page: ValuePage
        let choice: ValueCondition.Choice
        let codes: [Range<UInt32>]

        @inline(__always)
        func passes(_ index: Int) -> Bool { page.has(codes, choice, at: index) }
    }

    /// The conditions that some documents of a page do not fulfil; nil if no document fulfils them all.
    private func tests(ofPage number: Int, _ table: ValueTable) throws -> [PageTest]? {
        var tests: [PageTest] = []
        for condition in conditions {
            let page = try table.page(number, column: condition.column)
            let codes = condition.codes(in: page)
            if codes.isEmpty { return nil }
            // All values of the page are within one range.
            if codes.count == 1, codes[0].lowerBound <= page.leastCode, codes[0].upperBound > page.greatestCode {
                continue
            }
            tests.append(PageTest(page: page, choice: condition.choice, codes: codes))
        }
        return tests
    }
}

extension ValuePage {
    /// Whether a document has a value in one of these ranges.
    @inline(__always)
    fileprivate func has(_ ranges: [Range<UInt32>], _ choice: ValueCondition.Choice, at index: Int) -> Bool {
        if hasLists {
            let codes = codes(at: index)
            return switch choice {
            case .any: codes.contains { ranges.hold($0) }
            case .least: codes.first.map { ranges.hold($0) } ?? false
            case .greatest: codes.last.map { ranges.hold($0) } ?? false
            }
        }
        return ranges.hold(code(at: index))
    }
}

extension [Range<UInt32>] {
    /// Whether a code is in one of these ranges, which ascend and are those of different values.
    @inline(__always)
    fileprivate func hold(_ code: UInt32) -> Bool {
        if count == 1 { return self[0].holds(code) }
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].lowerBound <= code { low = middle + 1 } else { high = middle }
        }
        // A value that is listed twice has two equal ranges, of which either will do.
        return low > 0 && self[low - 1].holds(code)
    }
}

/// Which documents of which segment are requested.
struct SegmentValues: Hashable {
    let segment: UInt32
    let filter: ValueFilter
}
