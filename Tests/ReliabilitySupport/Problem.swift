/// What a run has found wrong, with what repeats it.
package struct Problem: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
