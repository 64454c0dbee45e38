/// Collects the terms of an index's dictionaries that are near a term of a query. No term is longer than
/// `TypoMatcher.byteCapacity`.
struct TypoCandidates {
    /// The most terms that are compared by frequency: usually 4 MB, 20 MB at most.
    private static let limit = 1 << 16

    private var bytes: [UInt8] = []
    private var candidates: [Candidate] = []

    private struct Candidate {
        var bytes: Range<Int>
        var typos: Int
        var documentFrequency: Int
        var segment: Int
    }

    /// A candidate, by its number in the order of terms. Those with the fewest typos stay, and of these the most
    /// frequent.
    private struct Place: HeapElement {
        let typos: Int
        let documentFrequency: Int
        let number: Int

        func leaves(before other: Self) -> Bool {
            if typos != other.typos { return typos > other.typos }
            if documentFrequency != other.documentFrequency { return documentFrequency < other.documentFrequency }
            return number > other.number
        }
    }

    /// Adds a term of the dictionary of a segment.
    mutating func add(_ term: UnsafeBufferPointer<UInt8>, typos: Int, documentFrequency: Int, segment: Int) {
        let start = bytes.count
        bytes.append(contentsOf: term)
        candidates.append(
            Candidate(
                bytes: start..<bytes.count, typos: typos, documentFrequency: documentFrequency, segment: segment))
        if candidates.count > Self.limit { shrink() }
    }

    /// The best terms that have rows, except for some tokens, in the order of their bytes.
    mutating func best(_ count: Int, besides tokens: [[UInt8]]) -> [TermVariant] {
        merge()
        let chosen = best(count) { candidate in
            candidate.typos > 0 && candidate.documentFrequency > 0
                && !tokens.contains { $0.elementsEqual(bytes[candidate.bytes]) }
        }
        return chosen.map {
            TermVariant(bytes: Array(bytes[$0.bytes]), typos: $0.typos, documentFrequency: $0.documentFrequency)
        }
    }

    private mutating func shrink() {
        merge()
        let kept = best(Self.limit / 2) { _ in true }
        let all = bytes
        (bytes, candidates) = ([], [])
        for candidate in kept {
            let start = bytes.count
            bytes.append(contentsOf: all[candidate.bytes])
            candidates.append(candidate)
            candidates[candidates.count - 1].bytes = start..<bytes.count
        }
    }

    /// The best of the wanted candidates, in the order of their terms. The candidates must be in that order.
    private func best(_ count: Int, where isWanted: (Candidate) -> Bool) -> [Candidate] {
        var heap = Heap<Place>()
        for (number, candidate) in candidates.enumerated() where isWanted(candidate) {
            heap.insert(
                Place(typos: candidate.typos, documentFrequency: candidate.documentFrequency, number: number),
                keeping: count)
        }
        return heap.elements.map(\.number).sorted().map { candidates[$0] }
    }

    /// Sorts the candidates by their terms, and joins those of the same term in several segments. The terms of each
    /// segment are already sorted, which makes this fast.
    private mutating func merge() {
        let merged = bytes.withUnsafeBufferPointer { bytes in
            func precedes(_ left: Candidate, _ right: Candidate) -> Bool {
                UnsafeBufferPointer(rebasing: bytes[left.bytes])
                    .lexicographicallyPrecedes(UnsafeBufferPointer(rebasing: bytes[right.bytes]))
            }
            if zip(candidates, candidates.dropFirst()).allSatisfy({ precedes($0, $1) }) { return candidates }
            var merged: [Candidate] = []
            let sorted = candidates.sorted {
                precedes($0, $1) || $0.segment < $1.segment && !precedes($1, $0)
            }
            for candidate in sorted {
                guard let last = merged.last, !precedes(last, candidate) else {
                    merged.append(candidate)
                    continue
                }
                merged[merged.count - 1].typos = min(last.typos, candidate.typos)
                // If a term is near several tokens, its rows are counted only once.
                if last.segment == candidate.segment { continue }
                merged[merged.count - 1].documentFrequency &+= candidate.documentFrequency
                merged[merged.count - 1].segment = candidate.segment
            }
            return merged
        }
        candidates = merged
    }
}
