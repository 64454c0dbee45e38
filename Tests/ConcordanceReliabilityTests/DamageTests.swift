import ReliabilitySupport
import TestSupport
import Testing

@Suite("Rows of an index that somebody has changed")
struct DamageTests {
    struct Variant: CustomTestStringConvertible, Sendable {
        let module: String
        let isForged: Bool
        var testDescription: String { isForged ? "\(module), with right checksums" : module }
    }

    static let variants = Modules.all.flatMap { module in
        [false, true].filter { !$0 || module != "fts5" }.map { Variant(module: module, isForged: $0) }
    }

    @Test(arguments: variants)
    func `give SQLITE_CORRUPT_VTAB or right answers, no crash and no hang, and rebuilding mends them`(
        _ variant: Variant
    ) throws {
        let count = Effort.count("CONCORDANCE_DAMAGES", 24, module: variant.module)
        for table in 0..<4 {
            let folder = try TemporaryFolder()
            let child = try Child(
                "damage",
                [
                    "module": variant.module, "seed": Effort.firstSeed + table, "folder": folder.path, "steps": 40,
                    "forged": variant.isForged, "first": Effort.firstSeed, "count": max(1, count / 4),
                ])
            guard let child else { return }
            let (last, failure) = child.finish()
            #expect(failure == nil)
            print("\(variant.testDescription), table \(table): \(last)")
        }
    }
}
