extension StemProgram {
    /// Punjabi in Gurmukhi, by light rules of our own, which remove plurals and the vowels of gender and case, dots
    /// below, and marks of doubled consonants.
    static let punjabi = make(
        #"""
        number r2

        rule stem = ~spelling $(r2 = limit) ~( .2 mark r2 ) back( behind r2 ( ending ) )

        rule spelling = *( [{ '\u{A3C}' '\u{A71}' '\u{200C}' '\u{200D}': del; '\u{A70}': ->'\u{A02}'; '\u{A02}':
            ->'\u{A02}'; '': . }] | . )
        rule ending = [{ '\u{A3E}\u{A02}' '\u{A40}ਆਂ' '\u{A3F}ਆਂ' '\u{A3E}ਵਾਂ' 'ਆਂ' 'ਵਾਂ' '\u{A3F}ਓ' '\u{A40}ਓ'
            '\u{A4B}' '\u{A47}' '\u{A3E}' '\u{A40}' '\u{A3F}ਆ' '\u{A40}ਆ': del }]
        """#)
}
