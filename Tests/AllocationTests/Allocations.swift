import CAllocationCounter

/// Counts what a piece of code allocates.
enum Allocations {
    /// How many heap allocations `body` makes on this thread; nil, with a printed line that says so, if the C library
    /// does not let them be counted.
    static func count(function: String = #function, _ body: () throws -> Void) rethrows -> Int? {
        guard allocation_counter_works() else {
            print("SKIPPED \(function): allocations cannot be counted with this C library")
            return nil
        }
        let before = allocation_counter_count()
        try body()
        return Int(allocation_counter_count() - before)
    }
}
