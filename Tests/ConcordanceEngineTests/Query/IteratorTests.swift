import ConcordanceFTS5
import TestSupport
import Testing

@testable import ConcordanceEngine

@Suite struct `Iterators of documents` {
    /// Hundreds of terms with one beginning, in one segment.
    private static func makeHarness(detail: TableOptions.Detail = .full) throws -> QueryHarness {
        let harness = try QueryHarness(columns: ["x", "y"], detail: detail, prefixes: [])
        var generator = QueryGenerator(random: SeededGenerator(seed: 3), columns: ["x", "y"], synonymShare: 0)
        generator.vocabulary = (0..<90).map { "a\($0)" } + Array(repeating: "b", count: 40)
        try harness.index.begin()
        for rowID in 0..<700 {
            try harness.insert(Int64(rowID), [generator.text(length: 0...4), generator.text(length: 0...2)])
        }
        try harness.index.commit()
        return harness
    }

    /// All documents of an iterator, with the places in them.
    private static func contents(_ iterator: LeafIterator) throws -> [String] {
        var result: [String] = []
        var positions: [Position] = []
        var document = try iterator.seek(0)
        while document != DocumentIterator.exhausted {
            positions = try positionArray { try iterator.readInstances(ofMember: 0, into: $0) }
            result.append("\(document): \(positions.map(\.rawValue))")
            document = try iterator.seek(document + 1)
        }
        return result
    }

    @Test(arguments: [nil, ColumnSet(columns: [1])])
    func `of a prefix are the same in every form`(columns: ColumnSet?) throws {
        let harness = try Self.makeHarness()
        let segment = try #require(try harness.index.index.snapshot().segments.first).segment
        let filter = ColumnFilter(columns, columnCount: 2)
        let expansions = try TermExpansions(
            segment, prefixes: [Array("\0a".utf8), Array("\0a1".utf8)], comparesPlaces: true)
        #expect(expansions.count == 90)
        var members: [TermPostings] = []
        try expansions.forEach { entry, _ in members.append(TermPostings(try segment.postings(entry), columns: filter))
        }
        let expected = try Self.contents(UnionPostings(members, comparesPlaces: true))
        #expect(expected.count > 100)
        for limit in [1, 10, 100, 1 << 18] {
            for rangeSize: UInt32 in [.max, 700, 699, 64, 7] {
                let prefix = try PrefixPostings(
                    expansions, columns: filter, postingLimit: limit, rangeSize: rangeSize)
                #expect(try Self.contents(prefix) == expected, "\(limit), \(rangeSize)")
                prefix.reset()
                #expect(try Self.contents(prefix) == expected, "\(limit), \(rangeSize), again")
            }
        }
    }

    /// Some looked up one by one, others gathered.
    @Test(arguments: [TableOptions.Detail.full, .column])
    func `of a prefix are found in any order`(detail: TableOptions.Detail) throws {
        let harness = try Self.makeHarness(detail: detail)
        let segment = try #require(try harness.index.index.snapshot().segments.first).segment
        let expansions = try TermExpansions(segment, prefixes: [Array("\0a".utf8)], comparesPlaces: true)
        var members: [TermPostings] = []
        try expansions.forEach { entry, _ in members.append(TermPostings(try segment.postings(entry), columns: nil)) }
        let union = UnionPostings(members, comparesPlaces: detail == .full)
        let prefix = try PrefixPostings(expansions, columns: nil, shares: 1)
        let inRanges = try PrefixPostings(expansions, columns: nil, postingLimit: 50, rangeSize: 90)
        var random = SeededGenerator(seed: 5)
        var targets = (0..<100).map { _ in UInt32.random(in: 0..<700, using: &random) }
        targets += targets.sorted() + targets.sorted().reversed()
        func describe(_ leaf: LeafIterator, _ document: UInt32) throws -> String {
            guard try leaf.move(to: document) else { return "none" }
            let positions = try positionArray { try leaf.readInstances(ofMember: 0, into: $0) }
            var columns: [String] = []
            try leaf.forEachColumn(ofMember: 0) { columns.append("\($0): \($1)") }
            return "\(positions.map(\.rawValue)) \(columns)"
        }
        for target in targets {
            let expected = try describe(union, target)
            #expect(try describe(prefix, target) == expected, "\(target)")
            #expect(try describe(inRanges, target) == expected, "\(target)")
            #expect(try describe(inRanges, target) == expected, "\(target), again")
        }
    }

    @Test(arguments: [UInt32.max, 300, 64, 7])
    func `of a prefix come in batches of any size, and from anywhere on`(rangeSize: UInt32) throws {
        let harness = try Self.makeHarness()
        let segment = try #require(try harness.index.index.snapshot().segments.first).segment
        let expansions = try TermExpansions(segment, prefixes: [Array("\0a".utf8)], comparesPlaces: true)
        var members: [TermPostings] = []
        try expansions.forEach { entry, _ in members.append(TermPostings(try segment.postings(entry), columns: nil)) }
        let expected = try Self.documents(UnionPostings(members, comparesPlaces: true), batch: 700, below: 700)
        #expect(expected.count > 100)
        let prefix = try PrefixPostings(expansions, columns: nil, postingLimit: 100, rangeSize: rangeSize)
        for batch in [1, 5, 64, 129, 1000] {
            prefix.reset()
            let found = try Self.documents(prefix, batch: batch, below: 650)
            #expect(found == expected.filter { $0 < 650 }, "\(batch)")
        }
        for target in stride(from: UInt32(699), to: 0, by: -6) {
            prefix.reset()
            let next = expected.first { $0 >= target } ?? DocumentIterator.exhausted
            #expect(try prefix.seek(target) == next, "\(target)")
        }
    }

    /// Looked at one by one and read in batches, in turn, as a disjunction does: what does not pass must not come back.
    @Test func `of a prefix without those of another are the same in every order of calls`() throws {
        let harness = try Self.makeHarness()
        let segment = try #require(try harness.index.index.snapshot().segments.first).segment
        let expansions = try TermExpansions(segment, prefixes: [Array("\0a".utf8)], comparesPlaces: true)
        func excluded() throws -> TermPostings {
            let entry = try Array("\0b".utf8).withUnsafeBufferPointer(segment.find)
            return TermPostings(try segment.postings(#require(entry)), columns: nil)
        }
        func difference() throws -> DocumentIterator {
            DifferenceIterator(try PrefixPostings(expansions, columns: nil, shares: 1), without: try excluded())
        }
        let all = try Self.documents(PrefixPostings(expansions, columns: nil, shares: 1), batch: 700, below: 700)
        let other = Set(try Self.documents(excluded(), batch: 700, below: 700))
        let expected = all.filter { !other.contains($0) }
        #expect(expected.count > 50 && expected.count < all.count - 50)
        #expect(try Self.documents(difference(), batch: 64, below: 700) == expected)
        var random = SeededGenerator(seed: 8)
        for _ in 0..<200 {
            let iterator = try difference()
            var next: UInt32 = 0
            var found: [UInt32] = []
            while next < 700 {
                let isSought = Bool.random(using: &random)
                let end = next + UInt32.random(in: 1...90, using: &random)
                if isSought { _ = try iterator.seek(next) }
                try iterator.forEach(from: next, below: min(end, 700)) { found.append($0) }
                next = end
            }
            #expect(found == expected)
        }
    }

    @Test(arguments: [1, 100, 1000, 1 << 18])
    func `have the same positions if they are announced, as many at a time as memory allows`(postingLimit: Int) throws {
        let harness = try Self.makeHarness()
        let segment = try #require(try harness.index.index.snapshot().segments.first).segment
        let expansions = try TermExpansions(segment, prefixes: [Array("\0a".utf8)], comparesPlaces: true)
        let expected = try Self.contents(PrefixPostings(expansions, columns: nil, shares: 1))
        let prefix = try PrefixPostings(expansions, columns: nil, postingLimit: postingLimit)
        try prefix.expect(Array(0..<700))
        var found: [String] = []
        var positions: [Position] = []
        for document in UInt32(0)..<700 where try prefix.move(to: document) {
            positions = try positionArray { try prefix.readInstances(ofMember: 0, into: $0) }
            found.append("\(document): \(positions.map(\.rawValue))")
        }
        #expect(found == expected)
        #expect(prefix.gatheredCount == 700)
        // Those that are announced are gathered when the first of them is asked for.
        try prefix.expect(Array(300..<700))
        _ = try prefix.move(to: 400)
        #expect(prefix.gatheredCount == 700 + min(300, max(postingLimit / 16, 1)))
    }

    @Test func `have no more positions gathered than there are said to be`() throws {
        let harness = try Self.makeHarness()
        let segment = try #require(try harness.index.index.snapshot().segments.first).segment
        let expansions = try TermExpansions(segment, prefixes: [Array("\0a".utf8)], comparesPlaces: false)
        var fewerCount = 0
        for document in UInt32(0)..<700 {
            func places(_ hitCount: UInt32?) throws -> [Position] {
                var result: [Position] = []
                let gathered = try GatheredPlaces(
                    expansions, in: [document], hitCounts: hitCount.map { [$0] }, columns: nil)
                result = positionArray { #expect(gathered.read(document, into: $0)) }
                return result
            }
            let all = try places(nil)
            #expect(try places(UInt32(all.count)) == all)
            let some = try places(1)
            #expect(all.isEmpty || !some.isEmpty && Set(some).isSubset(of: all))
            if some.count < all.count { fewerCount += 1 }
        }
        #expect(fewerCount > 50, "\(fewerCount)")
    }

    @Test func `of many terms come in the order of the terms' frequencies`() throws {
        let harness = try Self.makeHarness()
        let segment = try #require(try harness.index.index.snapshot().segments.first).segment
        let expansions = try TermExpansions(segment, prefixes: [[0]], comparesPlaces: false)
        func counts(frequentFirst: Bool) throws -> [Int] {
            var counts: [Int] = []
            try expansions.forEach(frequentFirst: frequentFirst) { counts.append($0.count) }
            return counts
        }
        let plain = try counts(frequentFirst: false)
        let ordered = try counts(frequentFirst: true)
        #expect(ordered.sorted() == plain.sorted())
        func hasOrder(_ counts: [Int]) -> Bool { zip(counts, counts.dropFirst()).allSatisfy { $1 < 2 * $0 } }
        #expect(hasOrder(ordered) && !hasOrder(plain))
    }

    @Test func `of a prefix with a list have the same positions if they are announced`() throws {
        let harness = try QueryHarness(columns: ["x", "y"], detail: .full, prefixes: [1])
        try harness.index.begin()
        for rowID in 0..<600 {
            let words = (0..<rowID % 5).map { "a\((rowID * 7 + $0 * $0) % 40)" }.joined(separator: " b ")
            try harness.insert(Int64(rowID), [words, rowID % 3 == 0 ? "a1 \(words)" : "b"])
        }
        try harness.index.commit()
        let segment = try #require(try harness.index.index.snapshot().segments.first).segment
        for query in ["a*", "y: a*"] {
            let expression = try QueryCompiler(options: harness.options, tokenizer: harness.tokenizer)
                .compile(query, column: nil)
            let group = try #require(expression.root?.slots?.first?.first)
            func leaf() throws -> LeafIterator { try SegmentSearch(expression, segment: segment).leaf(group) }
            var expected: [UInt32: [Position]] = [:]
            let single = try leaf()
            var positions: [Position] = []
            for document in segment.allDocuments where try single.move(to: document) {
                positions = try positionArray { try single.readInstances(ofMember: 0, into: $0) }
                expected[document] = positions
            }
            let announced = try leaf()
            for step in [1, 3, 50] {
                let documents = stride(from: 0, to: 600, by: step).map { UInt32($0) }.filter { expected[$0] != nil }
                try announced.expect(documents)
                for document in documents {
                    #expect(try announced.move(to: document))
                    positions = try positionArray { try announced.readInstances(ofMember: 0, into: $0) }
                    #expect(positions == expected[document], "\(query), \(document)")
                }
            }
            #expect(expected.count > 100)
        }
    }

    @Test func `of a phrase have the positions of a prefix gathered where all its words are`() throws {
        let harness = try QueryHarness(columns: ["x"], detail: .full, prefixes: [])
        try harness.index.begin()
        for rowID in 0..<2_000 {
            let isRare = rowID % 20 == 7
            try harness.insert(Int64(rowID), ["\(isRare ? "rare " : "")a\(rowID % 300) \(rowID % 40 == 7 ? "" : "b")"])
        }
        try harness.index.commit()
        let segment = try #require(try harness.index.index.snapshot().segments.first).segment
        for hasThird in [false, true] {
            let expansions = try TermExpansions(segment, prefixes: [Array("\0a".utf8)], comparesPlaces: false)
            let prefix = try PrefixPostings(expansions, columns: nil, shares: 1)
            let third = hasThird ? [try Self.postings("b", segment)] : []
            let terms: [LeafIterator] = [try Self.postings("rare", segment), prefix] + third
            let phrase = PhraseIterator(terms, isInitial: false)
            let expected = (0..<2_000).filter { $0 % 20 == 7 && !(hasThird && $0 % 40 == 7) }
            for _ in 0..<2 {
                phrase.reset()
                var found: [Int] = []
                var document = try phrase.seek(0)
                while document != DocumentIterator.exhausted {
                    found.append(Int(document))
                    document = try phrase.seek(document + 1)
                }
                #expect(found == expected)
            }
            #expect(prefix.gatheredCount == 2 * expected.count)
        }
    }

    @Test func `of a phrase have positions gathered only where its plain words are next to each other`() throws {
        let harness = try QueryHarness(columns: ["x"], detail: .full, prefixes: [])
        try harness.index.begin()
        for rowID in 0..<2_000 {
            let words = rowID % 4 == 1 ? "in the" : "the in"
            try harness.insert(Int64(rowID), ["\(words) a\(rowID % 300) \(rowID % 3 == 0 ? "the a" : "b")"])
        }
        try harness.index.commit()
        let segment = try #require(try harness.index.index.snapshot().segments.first).segment
        let expansions = try TermExpansions(segment, prefixes: [Array("\0a".utf8)], comparesPlaces: false)
        let expected = (0..<2_000).filter { $0 % 4 == 1 }
        for readsAll in [false, true] {
            let prefix = try PrefixPostings(expansions, columns: nil, shares: 1)
            let words = [try Self.postings("in", segment), try Self.postings("the", segment)]
            let phrase = PhraseIterator(words + [prefix], isInitial: false)
            if readsAll { phrase.willReadAll() }
            var found: [Int] = []
            var document = try phrase.seek(0)
            while document != DocumentIterator.exhausted {
                found.append(Int(document))
                document = try phrase.seek(document + 1)
            }
            #expect(found == expected)
            #expect(prefix.gatheredCount == expected.count)
            // 16, 64, 256 and 1,024 documents with all words at a time; or all at once.
            #expect(prefix.gatheringCount == (readsAll ? 1 : 5))
            let probed = try (0..<2_000).reversed().filter { try phrase.mayMatch(UInt32($0)) }
            #expect(probed.reversed() == expected)
            for document in [1_997, 1, 801, 2] {
                _ = try phrase.mayMatch(UInt32(document))
                #expect(try phrase.move(to: UInt32(document)) == (document % 4 == 1), "\(document)")
            }
        }
    }

    /// All 4,000 documents have `of` and a word with `a`, and 40 have `rare`.
    private static func makeRareHarness() throws -> QueryHarness {
        let harness = try QueryHarness(columns: ["x"], detail: .full, prefixes: [])
        try harness.index.begin()
        for rowID in 0..<4_000 {
            let rare = rowID % 100 == 7 ? " rare" : ""
            let words =
                rowID % 3 == 0 ? "a\(rowID % 300) of" : rowID % 3 == 1 ? "of a\(rowID % 300)" : "of the a\(rowID % 300)"
            try harness.insert(Int64(rowID), [words + rare])
        }
        try harness.index.commit()
        return harness
    }

    @Test(arguments: [false, true])
    func `few documents have the positions of a prefix gathered at once, and no others`(isExcluded: Bool) throws {
        let harness = try Self.makeRareHarness()
        let segment = try #require(try harness.index.index.snapshot().segments.first).segment
        for (hasPhrase, isInitial) in [(true, false), (false, true)] {
            let expansions = try TermExpansions(segment, prefixes: [Array("\0a".utf8)], comparesPlaces: false)
            let prefix = try PrefixPostings(expansions, columns: nil, shares: 1)
            let word = hasPhrase ? [try Self.postings("of", segment)] : []
            let phrase = PhraseIterator(word + [prefix], isInitial: isInitial)
            let rare = try Self.postings("rare", segment)
            let iterator =
                isExcluded ? DifferenceIterator(rare, without: phrase) : ConjunctionIterator([rare, phrase])
            let found = try Self.documents(iterator, batch: 4_000, below: 4_000)
            #expect(!found.isEmpty && found.count < 40)
            #expect(prefix.gatheredCount == 40)
            #expect(prefix.gatheringCount == 1)
            #expect(prefix.setCount == 0)
        }
    }

    /// Beside the rare word, and without it, the phrase, NEAR and `^` are looked for in its documents alone.
    @Test(arguments: ["of + a*", "NEAR(of a*, 2)", "^a*", "^of + a*"])
    func `few documents are looked for only there`(query: String) throws {
        let harness = try Self.makeRareHarness()
        let segment = try #require(try harness.index.index.snapshot().segments.first).segment
        func documents(_ query: String, batch: Int) throws -> [UInt32] {
            let expression = try QueryCompiler(options: harness.options, tokenizer: harness.tokenizer)
                .compile(query, column: nil)
            return try Self.documents(
                SegmentSearch(expression, segment: segment).iterator(), batch: batch, below: 4_000)
        }
        let all = Set(try documents(query, batch: 4_000))
        #expect(all.count > 500)
        let rare = try documents("rare", batch: 64)
        for batch in [1, 7, 64] {
            #expect(try documents("rare AND \(query)", batch: batch) == rare.filter(all.contains))
            #expect(try documents("rare NOT \(query)", batch: batch) == rare.filter { !all.contains($0) })
        }
    }

    @Test func `of a prefix have positions gathered in fewer documents at a time if these are long`() throws {
        let harness = try QueryHarness(columns: ["x"], detail: .full, prefixes: [])
        try harness.index.begin()
        for rowID in 0..<200 {
            let words = (0..<(rowID < 100 ? 400 : 4)).map { "a\(($0 * 7 + rowID) % 90)" }
            try harness.insert(Int64(rowID), [words.joined(separator: " ")])
        }
        try harness.index.commit()
        let segment = try #require(try harness.index.index.snapshot().segments.first).segment
        let expansions = try TermExpansions(segment, prefixes: [Array("\0a".utf8)], comparesPlaces: false)
        // 16 times 200 tokens at a time: 8 of the long documents, 12 of the short ones.
        let prefix = try PrefixPostings(expansions, columns: nil, postingLimit: 200)
        try prefix.expect(Array(0..<200))
        #expect(try prefix.move(to: 0))
        #expect(prefix.gatheredCount == 8)
        #expect(try prefix.move(to: 150))
        #expect(prefix.gatheredCount == 8 + 200 / 16)
        var found: [Int] = []
        for document in 0..<200 {
            #expect(try prefix.move(to: UInt32(document)))
            let places = try positionArray { try prefix.readInstances(ofMember: 0, into: $0) }
            found.append(places.count)
        }
        #expect(found == (0..<200).map { $0 < 100 ? 400 : 4 })
    }

    private static func postings(_ word: String, _ segment: Segment) throws -> TermPostings {
        let entry = try Array("\0\(word)".utf8).withUnsafeBufferPointer(segment.find)
        return TermPostings(try segment.postings(#require(entry)), columns: nil)
    }

    /// The first and the last hundred documents have a word of their own with `c`, and all one with `a`.
    private static func makeLongHarness() throws -> QueryHarness {
        let harness = try QueryHarness(columns: ["x"], detail: .full, prefixes: [])
        try harness.index.begin()
        for rowID in 0..<5_000 {
            try harness.insert(Int64(rowID), ["a\(rowID)\(rowID < 100 || rowID >= 4_900 ? " c\(rowID)" : "")"])
        }
        try harness.index.commit()
        return harness
    }

    @Test func `of very many prefixes take less memory each`() throws {
        let harness = try Self.makeLongHarness()
        let segment = try #require(try harness.index.index.snapshot().segments.first).segment
        let one = try TermExpansions(segment, prefixes: [Array("\0a".utf8)], comparesPlaces: false)
        let each = try TermExpansions(segment, prefixes: [Array("\0a".utf8)], comparesPlaces: false, shares: 1 << 20)
        #expect((one.entries?.count, each.entries?.count) == (5_000, nil))
        for (expansions, shares, setCount) in [(one, 1, 1), (each, 1 << 20, 2)] {
            let prefix = try PrefixPostings(expansions, columns: nil, shares: shares)
            #expect(try Self.documents(prefix, batch: 1_000, below: 5_000) == Array(0..<5_000))
            #expect(prefix.setCount == setCount)
        }
    }

    @Test func `of a prefix are not looked for again where there are none`() throws {
        let harness = try Self.makeLongHarness()
        let segment = try #require(try harness.index.index.snapshot().segments.first).segment
        let expansions = try TermExpansions(segment, prefixes: [Array("\0c".utf8)], comparesPlaces: false)
        let prefix = try PrefixPostings(expansions, columns: nil, postingLimit: 100, rangeSize: 64)
        let targets = Array(stride(from: UInt32(4_899), to: 100, by: -48))
        for target in targets {
            prefix.reset()
            #expect(try prefix.seek(target) == 4_900)
        }
        #expect((5_000 / 64...5_000 / 64 + 2 * targets.count).contains(prefix.setCount), "\(prefix.setCount)")
    }

    private static func documents(_ iterator: DocumentIterator, batch: Int, below end: UInt32) throws -> [UInt32] {
        try withUnsafeTemporaryAllocation(of: UInt32.self, capacity: batch) { buffer in
            var documents: [UInt32] = []
            var count = batch
            while count == batch {
                count = try iterator.read(from: documents.last.map { $0 + 1 } ?? 0, below: end, into: buffer)
                documents += buffer[..<count]
            }
            return documents
        }
    }

    @Test func `read in batches what they seek`() throws {
        let harness = try Self.makeHarness()
        let snapshot = try harness.index.index.snapshot()
        for text in ["a*", "b", "a1 OR a2 OR b", "b NOT a1*", "a1* b", "\"b b\""] {
            let expression = try QueryCompiler(options: harness.options, tokenizer: harness.tokenizer)
                .compile(text, column: nil)
            let query = try BoundQuery(expression, snapshot: snapshot)
            var expected: [UInt32] = []
            let iterator = try query.makeIterator(segment: 0)
            while try iterator.seek(expected.last.map { $0 + 1 } ?? 0) != DocumentIterator.exhausted {
                expected.append(iterator.document)
            }
            for size in [1, 3, 64, 1000] {
                iterator.reset()
                var found: [UInt32] = []
                let buffer = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: size)
                defer { buffer.deallocate() }
                var count = size
                while count == size {
                    count = try iterator.read(from: found.last.map { $0 + 1 } ?? 0, below: 600, into: buffer)
                    found += buffer[..<count]
                }
                #expect(found == expected.filter { $0 < 600 }, "\(text), \(size)")
            }
        }
    }

    @Test func `say where a phrase stands, whatever was asked for between`() throws {
        let harness = try Self.makeHarness()
        let segment = try #require(try harness.index.index.snapshot().segments.first).segment
        let expression = try QueryCompiler(options: harness.options, tokenizer: harness.tokenizer)
            .compile("b", column: nil)
        let probe = MatchProbe(expression, segment: segment)
        func places(_ probe: MatchProbe, in document: UInt32) throws -> [Position] {
            var positions: [Position] = []
            guard let (leaf, member) = try probe.leaf(ofPhrase: 0, at: document) else { return [] }
            positions = try positionArray { try leaf.readInstances(ofMember: member, into: $0) }
            return positions
        }
        var count = 0
        for document in UInt32(1)..<300 {
            let expected = try places(MatchProbe(expression, segment: segment), in: document)
            #expect(try places(probe, in: document) == expected, "\(document)")
            try probe.forEachLeaf(at: document - 1) { _, _ in }
            #expect(try places(probe, in: document) == expected, "\(document), again")
            count += expected.count
        }
        #expect(count > 50)
    }

    @Test(arguments: [(10, 1000), (1000, 1000), (0, 5), (64, 64)])
    func `keep sets of documents`(count: Int, documentCount: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        let set = DocumentSet(documentCount: documentCount, expectedCount: count)
        var model: Set<UInt32> = []
        for _ in 0..<count {
            let document = UInt32.random(in: 0..<UInt32(documentCount), using: &random)
            set.insert(document)
            model.insert(document)
        }
        set.freeze()
        for target in 0...UInt32(documentCount) {
            let expected = model.filter { $0 >= target }.min() ?? DocumentIterator.exhausted
            #expect(set.first(from: target) == expected, "\(target)")
        }
    }

    @Test func `count a phrase once for a state of the index`() throws {
        let cache = QueryCache<QueryPhrase, Int>()
        var computed = 0
        func value(_ token: String) -> Int {
            cache.value(for: QueryPhrase(terms: [QueryTerm(bytes: Array(token.utf8))])) {
                computed += 1
                return token.utf8.count
            }
        }
        for _ in 0..<3 {
            #expect(value("a") == 1)
            #expect(value("bb") == 2)
        }
        #expect(computed == 2)
        for number in 0..<QueryCache<QueryPhrase, Int>.capacity { _ = (value("n\(number)"), value("a")) }
        #expect(computed == 2 + QueryCache<QueryPhrase, Int>.capacity)
        _ = value("bb")
        #expect(computed == 3 + QueryCache<QueryPhrase, Int>.capacity)
    }
}

@Suite struct `Phrases near each other` {
    /// What takes part in a match, by trying every combination.
    private static func combinations(_ places: [[UInt64]], _ lengths: [Int], _ distance: Int) -> [Set<UInt64>] {
        var result = [Set<UInt64>](repeating: [], count: places.count)
        func extend(_ chosen: [UInt64]) {
            guard chosen.count == places.count else {
                for place in places[chosen.count] { extend(chosen + [place]) }
                return
            }
            let last = chosen.max() ?? 0
            guard zip(chosen, lengths).allSatisfy({ $0 + UInt64($1 + distance) >= last }) else { return }
            for (index, place) in chosen.enumerated() { result[index].insert(place) }
        }
        extend([])
        return result
    }

    @Test func `are found where a combination of places is close`() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<500 {
            let count = Int.random(in: 1...3, using: &random)
            let places = (0..<count).map { _ in
                Set(
                    (0..<Int.random(in: 0...5, using: &random)).map { _ in
                        Position(
                            column: UInt32.random(in: 0...1, using: &random),
                            offset: UInt32.random(in: 0...20, using: &random))
                    }
                ).sorted()
            }
            let lengths = places.map { _ in Int.random(in: 1...3, using: &random) }
            let distance = Int.random(in: 0...4, using: &random)
            let expected = Self.combinations(places.map { $0.map(\.rawValue) }, lengths, distance)
            let window = NearWindow(lengths: lengths, distance: distance)
            let isMatch = try window.match { number, positions in
                positions.removeAll()
                for place in places[number] { positions.append(place) }
            } onPass: {
            }
            #expect(isMatch == !expected[0].isEmpty, "\(places), \(lengths), \(distance)")
            for (found, possible) in zip(window.instances.map(\.values), expected) where isMatch {
                #expect(!found.isEmpty && Set(found.map(\.rawValue)).isSubset(of: possible), "\(places), \(distance)")
                #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 })
            }
        }
    }
}
