// Programs for the forms of words, which `Analyzer.Filter.inflections` looks for.

extension StemmingLanguage {
    /// What makes the forms of a word one: rules of our own where those of Snowball leave too many apart; elsewhere
    /// Snowball's, which `repeats` says to apply until nothing changes: of masada they make masa, of masa mas.
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
