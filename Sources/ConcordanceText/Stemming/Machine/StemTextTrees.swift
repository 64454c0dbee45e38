/// The trees of the texts of choices, all in one table (a double array: J. Aoe, "An Efficient Digital Search Algorithm
/// by Using a Double-Array Structure", 1989): a step from one letter to the next is one lookup, without comparing
/// letters.
struct StemTextTrees {
    /// A text, its letters in the direction of reading, and its number.
    struct Text {
        var letters: [UInt8]
        var number: UInt16
    }

    /// The parent of roots and of place 0, so that they are nobody's children.
    private static let none = UInt16.max

    private var nodes: [StemProgram.Node] = [StemProgram.Node(parent: none)]
    /// The lowest place that may be free.
    private var lowest = 1
    /// By text, the next shorter text that it begins with; 0 for none.
    private(set) var shorter: [UInt16] = [0]

    /// Adds the tree of texts, which are sorted; returns its root, or nil if the table would be too large.
    mutating func add(_ texts: ArraySlice<Text>) -> UInt16? {
        guard let root = takeFree(letters: [0]) else { return nil }
        nodes[root].parent = Self.none
        return fill(root, texts, depth: 0, shorter: 0) ? UInt16(root) : nil
    }

    /// Gives the node of texts that share their first `depth` letters its text and its children.
    private mutating func fill(_ node: Int, _ texts: ArraySlice<Text>, depth: Int, shorter: UInt16) -> Bool {
        var rest = texts
        var shorter = shorter
        if let text = rest.first, text.letters.count == depth {
            nodes[node].text = text.number
            while self.shorter.count <= Int(text.number) { self.shorter.append(0) }
            self.shorter[Int(text.number)] = shorter
            shorter = text.number
            rest = rest.dropFirst()
        }
        guard !rest.isEmpty else { return true }
        var children: [(letter: UInt8, texts: ArraySlice<Text>)] = []
        while let letter = rest.first?.letters[depth] {
            let same = rest.prefix { $0.letters[depth] == letter }
            children.append((letter, same))
            rest = rest.dropFirst(same.count)
        }
        guard let base = takeFree(letters: children.map(\.letter)) else { return false }
        nodes[node].children = UInt16(base)
        for child in children { nodes[base + Int(child.letter)].parent = UInt16(node) }
        for child in children
        where !fill(base + Int(child.letter), child.texts, depth: depth + 1, shorter: shorter) { return false }
        return true
    }

    /// The lowest base from which all of these letters lead to free places, which the caller takes.
    private mutating func takeFree(letters: [UInt8]) -> Int? {
        let (least, most) = (Int(letters[0]), Int(letters[letters.count - 1]))
        while lowest < nodes.count, nodes[lowest].parent != 0 { lowest += 1 }
        var base = max(lowest - least, 0)
        while base + most < Int(UInt16.max) - 256 {
            while nodes.count <= base + most { nodes.append(StemProgram.Node()) }
            if letters.allSatisfy({ nodes[base + Int($0)].parent == 0 && base + Int($0) > 0 }) { return base }
            base += 1
        }
        return nil
    }

    /// The table, padded because lookups may read up to 255 places beyond its end.
    var padded: [StemProgram.Node] { nodes + Array(repeating: StemProgram.Node(), count: 256) }
}
