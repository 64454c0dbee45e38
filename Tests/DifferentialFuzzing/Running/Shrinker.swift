/// Shortens a script that shows a difference: removes steps, then parts of its statements, as long as it still shows a
/// difference of the same kind.
package struct Shrinker {
    private let kind: String
    private let findDifference: (FuzzScript) throws -> FuzzDifference?
    private var attempts: Int
    private let deadline: ContinuousClock.Instant?
    package private(set) var script: FuzzScript
    package private(set) var difference: FuzzDifference

    /// - Parameters:
    ///   - attempts: How many scripts may be run.
    ///   - time: How long scripts may run; nil for as long as the attempts take.
    ///   - findDifference: Runs a script.
    package init(
        _ script: FuzzScript, _ difference: FuzzDifference, attempts: Int = 3000, time: Duration? = nil,
        findDifference: @escaping (FuzzScript) throws -> FuzzDifference?
    ) {
        self.findDifference = findDifference
        self.attempts = attempts
        deadline = time.map { .now + $0 }
        self.difference = difference
        self.script = script
        kind = difference.kind
        self.script.steps.removeSubrange((difference.step + 1)...)
    }

    private var mayGoOn: Bool { attempts > 0 && deadline.map { .now < $0 } ?? true }

    package mutating func shrink() {
        var before: FuzzScript
        repeat {
            before = script
            removeSteps()
            if script.isFile {
                var inMemory = script
                inMemory.isFile = false
                tryOut(inMemory)
            }
            simplifyStatements()
        } while script != before && mayGoOn
    }

    /// Takes the candidate if it shows the difference.
    @discardableResult
    private mutating func tryOut(_ candidate: FuzzScript) -> Bool {
        guard mayGoOn else { return false }
        attempts -= 1
        guard let found = try? findDifference(candidate), found.kind == kind else { return false }
        script = candidate
        script.steps.removeSubrange((found.step + 1)...)
        difference = found
        return true
    }

    private mutating func removeSteps() {
        var size = max(script.steps.count / 2, 1)
        while true {
            var end = script.steps.count
            while end > 0 {
                let start = max(end - size, 0)
                var candidate = script
                candidate.steps.removeSubrange(start..<end)
                tryOut(candidate)
                end = min(start, script.steps.count)
            }
            if size == 1 { return }
            size /= 2
        }
    }

    private mutating func simplifyStatements() {
        var index = 0
        while index < script.steps.count {
            if script.steps[index].connection == 1 {
                var candidate = script
                candidate.steps[index].connection = 0
                tryOut(candidate)
            }
            var number = 0
            while index < script.steps.count, case .sql(let sql) = script.steps[index].action, mayGoOn {
                let simpler = SQLSimplifier.simplifications(of: sql)
                guard number < simpler.count else { break }
                var candidate = script
                candidate.steps[index].action = .sql(simpler[number])
                // The statement that took its place has fewer parts; those before this one have been tried.
                if !tryOut(candidate) { number += 1 }
            }
            index += 1
        }
    }
}
