/// What the first byte of a page of values says. The page is drawn at `ValuePage`.
struct ValuePageHead {
    var form: ValueForm
    /// Some document has no value.
    var hasNulls: Bool
    /// Some document has several values.
    var hasLists: Bool

    init(form: ValueForm, hasNulls: Bool, hasLists: Bool) {
        self.form = form
        self.hasNulls = hasNulls
        self.hasLists = hasLists
    }

    /// Throws `corrupt` if the byte has no meaning.
    init(_ byte: UInt8) throws {
        guard let form = ValueForm(rawValue: byte & 3), byte < 16, form != .nulls || byte == 0 else {
            throw corrupt("a page of values has an unknown form")
        }
        self.init(form: form, hasNulls: form == .nulls || byte & 4 != 0, hasLists: byte & 8 != 0)
    }

    var byte: UInt8 { form == .nulls ? 0 : form.rawValue | (hasNulls ? 4 : 0) | (hasLists ? 8 : 0) }

    /// The least code that occurs: 0 is NULL.
    var leastCode: UInt32 { hasNulls ? 0 : 1 }
}

/// How a page says which values its codes represent.
enum ValueForm: UInt8 {
    /// There are no values.
    case nulls
    /// Code 1 is the least integer, code 2 the next integer, whether there is one or not.
    case offsets
    /// Integers, of which each occurs.
    case integers
    /// Any values, of which each occurs.
    case entries

    /// The greatest possible code, so that the one after it is also a 32-bit number.
    static let greatestCode = UInt32.max - 1
}
