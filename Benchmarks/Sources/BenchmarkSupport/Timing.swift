/// Seconds that each of several ways takes when it is warm: medians of rounds in which they take turns. A turn begins with a
/// run that is not timed, since the previous one has filled the processor's caches with its own data. A way that takes less
/// than two milliseconds runs several times within one timing.
public func time(_ ways: [() throws -> Void]) throws -> [Double] {
    let clock = ContinuousClock()
    var repetitions: [Int] = []
    var slowest = 0.0
    for way in ways {
        try way()
        let once = try clock.measure { try way() }.seconds
        repetitions.append(max(1, min(200, Int(0.002 / max(once, 1e-7)))))
        slowest = max(slowest, once)
    }
    let rounds = slowest < 0.002 ? 21 : slowest < 0.02 ? 9 : slowest < 0.2 ? 5 : 3
    var times = ways.map { _ in [Double]() }
    for round in 0..<rounds {
        for turn in ways.indices {
            let index = (turn + round) % ways.count
            let way = ways[index]
            try way()
            let time = try clock.measure { for _ in 0..<repetitions[index] { try way() } }
            times[index].append(time.seconds / Double(repetitions[index]))
        }
    }
    return times.map(median)
}

/// Seconds that a way takes after `change`, which is not timed: the median of some rounds.
public func time(after change: () throws -> Void, _ way: () throws -> Void) throws -> Double {
    let clock = ContinuousClock()
    return try median(
        (0..<9).map { _ in
            try change()
            return try clock.measure { try way() }.seconds
        })
}

/// Milliseconds with three digits.
public func milliseconds(_ seconds: Double) -> String {
    let ms = seconds * 1e3
    return ms < 0.1 ? String(Double(Int(ms * 10_000 + 0.5)) / 10_000) : short(ms)
}
