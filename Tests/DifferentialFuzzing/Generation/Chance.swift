import Foundation
import TestSupport

/// Random choices that a seed repeats.
struct Chance {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// True `percent` times out of a hundred.
    mutating func percent(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    /// One of the elements; there must be at least one.
    mutating func pick<T>(_ elements: [T]) -> T { elements[int(0...elements.count - 1)] }

    /// One of the elements, the earlier ones more often: the n-th has about weight 1/n, like words in texts (Zipf's
    /// law).
    mutating func pickZipf<T>(_ elements: [T]) -> T {
        let place = exp(Double.random(in: 0..<1, using: &generator) * log(Double(elements.count + 1)))
        return elements[min(Int(place) - 1, elements.count - 1)]
    }

    /// Some of the elements, in their order.
    mutating func some<T>(_ elements: [T]) -> [T] { elements.filter { _ in percent(50) } }

    /// One of the closures' results, as often as its weight says.
    mutating func weighted<T>(_ choices: [(weight: Int, T)]) -> T {
        var rest = int(1...choices.reduce(0) { $0 + $1.weight })
        for (weight, element) in choices {
            rest -= weight
            if rest <= 0 { return element }
        }
        return choices[choices.count - 1].1
    }
}
