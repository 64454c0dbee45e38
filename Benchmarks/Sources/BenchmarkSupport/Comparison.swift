/// Several ways to do one job, timed side by side in one process.
///
/// Every round runs each contender once, in an order that rotates with the rounds, so that a machine that warms up or slows
/// down does so for all of them. The table shows the median round and the spread of the middle half, never the best round.
public struct Comparison {
    /// The size of the job, from which the rate is computed: an amount of a unit.
    public struct Amount: Sendable {
        public let count: Double
        public let unit: String

        public init(_ count: Double, _ unit: String) {
            self.count = count
            self.unit = unit
        }

        /// Megabytes, of a million bytes each.
        public static func megabytes(ofBytes count: Int) -> Amount { Amount(Double(count) / 1e6, "MB") }
    }

    private struct Contender {
        let name: String
        let amount: Amount?
        let body: () throws -> Void
    }

    public let title: String
    private let rounds: Int
    private let repetitions: Int
    private var contenders: [Contender] = []

    /// - Parameters:
    ///   - rounds: How often each contender is timed, after one round that is not.
    ///   - repetitions: How often its body runs within one timing; for bodies that take less than a few milliseconds.
    public init(_ title: String, rounds: Int = 15, repetitions: Int = 1) {
        self.title = title
        self.rounds = max(1, rounds)
        self.repetitions = max(1, repetitions)
    }

    /// Adds a way to do the job. The others are compared with the first one added.
    public mutating func add(_ name: String, _ amount: Amount? = nil, body: @escaping () throws -> Void) {
        contenders.append(Contender(name: name, amount: amount, body: body))
    }

    /// Runs all rounds, prints the table, and returns it.
    @discardableResult
    public func run() throws -> [Measurement] {
        var seconds = Array(repeating: [Double](), count: contenders.count)
        for contender in contenders { try contender.body() }
        let clock = ContinuousClock()
        for round in 0..<rounds {
            for turn in contenders.indices {
                let index = (turn + round) % contenders.count
                let body = contenders[index].body
                let time = try clock.measure { for _ in 0..<repetitions { try body() } }
                seconds[index].append(time.seconds / Double(repetitions))
            }
        }
        let measurements = zip(contenders, seconds).map { contender, seconds in
            Measurement(name: contender.name, amount: contender.amount, seconds: seconds)
        }
        print(table(of: measurements))
        return measurements
    }

    private func table(of measurements: [Measurement]) -> String {
        var rows = [["", "median", "middle half", "rate", "against the first"]]
        for measurement in measurements {
            let rate = measurement.amount.map { amount in
                "\(short(amount.count / measurement.median)) \(amount.unit)/s"
            }
            let ratio = measurements[0].median / measurement.median
            rows.append([
                measurement.name, duration(measurement.median),
                "\(duration(measurement.quantile(0.25))) to \(duration(measurement.quantile(0.75)))", rate ?? "",
                measurement.name == measurements[0].name ? "" : "\(short(ratio)) x as fast",
            ])
        }
        return "\n## \(title)\n\n\(rounds) rounds, medians\n\n" + markdown(rows)
    }
}

/// The rounds of one contender.
public struct Measurement: Sendable {
    public let name: String
    public let amount: Comparison.Amount?
    private let sorted: [Double]

    init(name: String, amount: Comparison.Amount?, seconds: [Double]) {
        self.name = name
        self.amount = amount
        self.sorted = seconds.sorted()
    }

    /// Seconds of the median round.
    public var median: Double { quantile(0.5) }

    /// Seconds that the given share of the rounds did not exceed, interpolated between rounds.
    public func quantile(_ share: Double) -> Double {
        let place = share * Double(sorted.count - 1)
        let below = Int(place)
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
    }
}
