/// The stretches of tokens of one column that phrases cover: instances that share a token are one stretch.
struct CoalescedInstances {
    private let context: ExtensionContext
    private var rest: Range<Int>
    /// The first token of the current stretch; -1 after the last one.
    private(set) var first = -1
    /// Its last token.
    private(set) var last = -1

    /// Starts at the first stretch.
    init(_ context: ExtensionContext, column: Int) throws {
        self.context = context
        try context.loadInstances()
        rest = context.instances.range(ofColumn: column)
        next()
    }

    mutating func next() {
        first = -1
        last = -1
        let instances = context.instances.merged
        while let index = rest.first {
            let start = Int(instances[index].position.offset)
            let end = start + context.size(ofPhrase: Int(instances[index].phrase)) - 1
            if first < 0 {
                first = start
                last = end
            } else if start <= last {
                last = max(last, end)
            } else {
                return
            }
            rest = rest.dropFirst()
        }
    }
}
