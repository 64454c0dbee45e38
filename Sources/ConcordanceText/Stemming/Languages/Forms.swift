// The rules of `Analyzer.Filter.inflections`.

extension StemmingLanguage {
    /// The rules that bring the forms of a word together: our own where Snowball's keep too many apart, Snowball's
    /// elsewhere. `repeats` says to apply them to their own stems as well: Turkish masada becomes masa, and masa
    /// becomes mas.
    var forms: (program: StemProgram?, repeats: Bool) {
        switch self {
        case .armenian: (.armenianForms, false)
        case .basque: (.basqueForms, false)
        case .estonian: (.estonianForms, false)
        case .irish: (.irishForms, false)
        case .nepali: (.nepaliForms, false)
        case .persian: (.persianForms, false)
        case .bengali, .gujarati, .kannada, .malayalam, .marathi, .punjabi, .telugu, .urdu: (program, false)
        default: (program, true)
        }
    }
}
