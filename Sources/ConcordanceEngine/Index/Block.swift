/// The bytes of one row of `<t>_data`: an immutable copy, so that it outlives the statement that read it.
///
/// `padding` zero bytes follow, which are not part of it, so that a decoder may load whole words at its end.
final class Block {
    /// The row's bytes, aligned to 16.
    let bytes: UnsafeRawBufferPointer

    /// How many zero bytes can be read after the end.
    static let padding = 16

    init(copying source: UnsafeRawBufferPointer) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count + Self.padding, alignment: 16)
        memory.copyMemory(from: source)
        UnsafeMutableRawBufferPointer(rebasing: memory[source.count...]).initializeMemory(as: UInt8.self, repeating: 0)
        bytes = UnsafeRawBufferPointer(rebasing: memory[..<source.count])
    }

    deinit { bytes.baseAddress?.deallocate() }
}
