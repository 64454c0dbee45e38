import Testing

@testable import ConcordanceEngine

@Suite("Stored values are written and read without allocating per document")
struct ValueAllocationTests {
    @Test
    func `a page of integers takes as many allocations with 4096 documents as with one`() {
        let writer = ValuePageWriter()
        let target = ByteWriter()
        func write(_ count: Int) {
            writer.removeAll()
            target.removeAll()
            for index in 0..<count { writer.append(view: .integer(Int64(index) * 1_000_003)) }
            writer.encode(into: target)
        }
        // The memory grows once.
        write(4096)
        let counts = [1, 4096].map { count in Allocations.count { write(count) } }
        // The allocations for sorting a page.
        if let few = counts[0], let many = counts[1] { #expect(many <= few + 4, "\(many) and \(few)") }
    }

    @Test
    func `codes are read without any`() throws {
        let writer = ValuePageWriter()
        let target = ByteWriter()
        for index in 0..<4096 {
            Array("category \(index % 20)".utf8).withUnsafeBytes { writer.append(view: .text($0)) }
        }
        writer.encode(into: target)
        let block = Block(copying: target.bytes)
        let page = try ValuePage(block.bytes, in: block, count: 4096)
        var sum: UInt32 = 0
        let count = Allocations.count {
            for index in 0..<page.count { sum &+= page.code(at: index) }
            page.view(1).isNull ? () : (sum &+= 1)
        }
        #expect(count == nil || count == 0)
        #expect(sum > 0)
    }
}
