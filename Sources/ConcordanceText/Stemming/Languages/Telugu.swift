extension StemProgram {
    /// Telugu, by light rules of our own, which remove plurals and cases of nouns, and the vowel before them.
    static let telugu = make(
        #"""
        number r2

        rule stem = ~spelling $(r2 = limit) ~( .2 mark r2 ) back( *( behind r2 ending ) ~( behind r2 last ) )

        rule spelling = *( [{ '\u{C40}': ->'\u{C3F}'; '\u{C42}': ->'\u{C41}'; '\u{C47}': ->'\u{C46}'; '\u{C4B}':
            ->'\u{C4A}'; '\u{200C}' '\u{200D}': del; '': . }] | . )
        rule ending = [{
            'లు' 'లను' 'లకు' 'లకి' 'లతొ' 'లలొ' 'ల్లొ' 'ల' '\u{C3E}లు' '\u{C3E}లను' '\u{C3E}లకు' '\u{C3E}లతొ'
            '\u{C3E}లలొ' '\u{C3E}ల్లొ' '\u{C3E}ల' '\u{C41}లు' '\u{C41}లను' '\u{C41}లకు' '\u{C41}లతొ' '\u{C41}లలొ'
            '\u{C41}ల్లొ'
            '\u{C41}ల' 'లొ' '\u{C02}లొ' 'కు' 'కి' 'ను' 'ని' 'తొ' '\u{C02}తొ' '\u{C3E}నికి' '\u{C3E}న్ని' 'నుంచి'
            'నుండి' 'పై' '\u{C02}పై' 'డు' '\u{C41}డు' '\u{C41}డి' 'యొక్క': del }]
        rule last = [{ '\u{C3F}' '\u{C41}' '\u{C3E}' '\u{C46}' '\u{C02}' 'ము' '\u{C4D}': del }]
        """#)
}
