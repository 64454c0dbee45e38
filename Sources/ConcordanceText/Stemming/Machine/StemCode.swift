/// The instructions of a stemmer while they are made.
struct StemCode {
    var instructions: [StemProgram.Instruction] = []
    /// Where each block begins.
    private var blockStarts: [Int32] = []
    var arithmetic: [StemProgram.Arithmetic] = []
    var choices: [StemProgram.Choice] = []
    var nodes: [StemProgram.Node] = []
    var edgeLetters: [UInt16] = []
    var edgeNodes: [Int32] = []
    var letterSets: [StemProgram.LetterSet] = []
    var letterBits: [UInt8] = []
    var texts: [UInt16] = []
    private var textStarts: [[UInt16]: Int32] = [:]

    /// Where a text stands in `texts`.
    mutating func text(_ letters: [UInt16]) -> (first: Int32, second: Int32) {
        if let start = textStarts[letters] { return (start, Int32(letters.count)) }
        let start = Int32(texts.count)
        texts += letters
        textStarts[letters] = start
        return (start, Int32(letters.count))
    }

    /// Makes room for a block, which has a number at once and instructions later.
    mutating func addBlock() -> Int32 {
        blockStarts.append(-1)
        return Int32(blockStarts.count - 1)
    }

    /// Gives a block its instructions.
    mutating func fill(_ block: Int32, _ steps: [StemProgram.Instruction]) {
        blockStarts[Int(block)] = Int32(instructions.count)
        instructions += steps + [StemProgram.Instruction(operation: .end)]
    }

    /// The program that begins with a block; the numbers of blocks become the places where they begin.
    func program(entry: Int32) -> StemProgram {
        var code = self
        func place(_ block: Int32) -> Int32 { block < 0 ? block : blockStarts[Int(block)] }
        for index in instructions.indices {
            let blocks = instructions[index].operation.blockCount
            if blocks > 0 { code.instructions[index].first = place(instructions[index].first) }
            if blocks > 1 { code.instructions[index].second = place(instructions[index].second) }
        }
        for index in nodes.indices {
            code.nodes[index].block = place(nodes[index].block)
            code.nodes[index].condition = place(nodes[index].condition)
        }
        for index in choices.indices { code.choices[index].prelude = place(choices[index].prelude) }
        return StemProgram(code, entry: place(entry))
    }

    /// Adds a set of letters.
    mutating func addLetterSet(_ letters: Set<UInt16>) -> Int32 {
        let first = letters.min() ?? 0
        let count = letters.isEmpty ? 0 : Int((letters.max() ?? 0) - first) + 1
        let start = letterBits.count
        letterBits += Array(repeating: 0, count: (count + 7) / 8)
        for letter in letters {
            let bit = Int(letter - first)
            letterBits[start + bit / 8] |= 1 << UInt8(bit % 8)
        }
        letterSets.append(StemProgram.LetterSet(first: Int32(first), count: Int32(count), bits: Int32(start)))
        return Int32(letterSets.count - 1)
    }

    // MARK: Trees of texts

    /// A text of a choice, its letters in the direction of reading.
    struct Text {
        var letters: [UInt16]
        var block: Int32
        var condition: Int32
    }

    /// Adds the tree of these texts and returns its root.
    mutating func addTree(_ texts: [Text]) -> Int32 {
        let sorted = texts.sorted { $0.letters.lexicographicallyPrecedes($1.letters) }
        return addNode(sorted[...], depth: 0, shorter: -1)
    }

    /// Adds the node of texts that share their first `depth` letters.
    private mutating func addNode(_ texts: ArraySlice<Text>, depth: Int, shorter: Int32) -> Int32 {
        let node = Int32(nodes.count)
        nodes.append(
            StemProgram.Node(
                firstEdge: 0, edgeCount: 0, depth: Int32(depth), block: -1, condition: -1, shorter: shorter))
        var rest = texts
        var shorter = shorter
        if let text = rest.first, text.letters.count == depth {
            nodes[Int(node)].block = text.block < 0 ? -2 : text.block
            nodes[Int(node)].condition = text.condition
            shorter = node
            rest = rest.dropFirst()
        }
        var edges: [(letter: UInt16, node: Int32)] = []
        while let letter = rest.first?.letters[depth] {
            let same = rest.prefix { $0.letters[depth] == letter }
            edges.append((letter, addNode(same, depth: depth + 1, shorter: shorter)))
            rest = rest.dropFirst(same.count)
        }
        nodes[Int(node)].firstEdge = Int32(edgeLetters.count)
        nodes[Int(node)].edgeCount = Int32(edges.count)
        edgeLetters += edges.map(\.letter)
        edgeNodes += edges.map(\.node)
        return node
    }
}

extension StemProgram.Operation {
    /// How many of the operands are blocks.
    fileprivate var blockCount: Int {
        switch self {
        case .either, .both: 2
        case .not, .option, .look, .ignore, .repeat, .find, .findPast, .behind, .backwards, .call: 1
        default: 0
        }
    }
}
