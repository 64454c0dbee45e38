/// Runs the scripts of consecutive seeds, and shrinks those that show a difference.
package struct Fuzzer: Sendable {
    package struct Finding: Sendable, CustomStringConvertible {
        package let seed: UInt64
        package let script: FuzzScript
        package let difference: FuzzDifference

        package var description: String {
            "-- seed \(seed)\n\(script)\n\(difference)"
        }
    }

    package let run: FuzzRun

    package init(_ run: FuzzRun) { self.run = run }

    /// The difference that the script of a seed shows, shrunk; nil if the two sides agree.
    package func finding(seed: UInt64, attempts: Int = 3000) throws -> Finding? {
        let script = FuzzScript(seed: seed)
        guard let difference = try run.difference(in: script) else { return nil }
        var shrinker = Shrinker(script, difference, attempts: attempts) { try run.difference(in: $0) }
        shrinker.shrink()
        return Finding(seed: seed, script: shrinker.script, difference: shrinker.difference)
    }
}
