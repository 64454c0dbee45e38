import DifferentialFuzzing
import Testing

@Suite("Differential fuzzing against FTS5")
struct FuzzTests {
    @Test func `random scripts give the same on both sides`() throws { try check(FuzzRun(.engine)) }

    @Test func `stored values are what FTS5 reads from columns that are not indexed`() throws {
        try check(FuzzRun(.valued))
    }

    @Test func `rankings with bonuses give the same rows as an exhaustive run`() throws {
        try check(FuzzRun(.ranked, against: .exhaustive))
    }

    private func check(_ run: FuzzRun, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let fuzzer = Fuzzer(run)
        // Always the same ones: there are scripts that crash FTS5 itself, which concord-fuzz survives.
        for seed in 1...41 as ClosedRange<UInt64> {
            let finding = try fuzzer.finding(seed: seed)
            #expect(finding == nil, "\(finding?.description ?? "")", sourceLocation: sourceLocation)
            if finding != nil { return }
        }
    }

    @Test(arguments: PlantedFaults.all)
    func `a planted fault is found, and its script is short`(fault: FullTextModule) throws {
        let fuzzer = Fuzzer(FuzzRun(fault))
        for seed in 1...400 as ClosedRange<UInt64> {
            guard let finding = try fuzzer.finding(seed: seed) else { continue }
            #expect(finding.script.steps.count <= 8, "\(finding)")
            return
        }
        Issue.record("not found: \(fault.name)")
    }
}
