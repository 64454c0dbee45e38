/// Folds each token in one pass, whatever the folding. A token that folds to nothing is dropped. The last token of a prefix
/// query may yield another one, at the same position, for words that fold differently as they go on.
package final class FoldingFilter: TokenFilter {
    @exclusivity(unchecked) private var folder: TokenFolder

    /// A filter that applies this folding.
    package init(_ folding: Folding) { folder = TokenFolder(folding) }

    package override func begin() { folder.positions.reset() }

    package override func receive(
        _ token: UnsafeBufferPointer<UInt8>, flags: TokenFlags, start: Int, end: Int
    ) -> Int32 {
        if flags.contains(.plain), !folder.foldsDigraphs {
            folder.positions.reset()
            return emit(token, flags: flags.subtracting(.plain), start: start, end: end)
        }
        let flags = flags.subtracting(.plain)
        let folded = folder.fold(token)
        guard let flags = folder.positions.flags(flags, keep: !folded.isEmpty) else { return 0 }
        let code = emit(folded, flags: flags, start: start, end: end)
        guard code == 0, reason.contains(.prefix), end == text.count, let other = folder.foldHalfTyped(folded) else {
            return code
        }
        return emit(other, flags: flags.union(.colocated), start: start, end: end)
    }
}
