extension StemProgram {
    /// Kannada, by light rules of our own, which remove plurals and cases of nouns, and the vowel before them.
    static let kannada = make(
        #"""
        letters consonant = ಕಖಗಘಙಚಛಜಝಞಟಠಡಢಣತಥದಧನಪಫಬಭಮಯರಲವಶಷಸಹಳ
        number r2

        rule stem = ~spelling $(r2 = limit) ~( .2 mark r2 ) back( *( ending ) ~( behind r2 last ) )

        rule spelling = *( [{ '\u{200C}' '\u{200D}': del; '': . }] | . )
        rule ending = [{ behind r2;
            'ಗಳು' 'ಗಳ' 'ಗಳನ್ನು' 'ಗಳಲ್ಲಿ' 'ಗಳಿಗೆ' 'ಗಳಿಂದ' 'ವನ್ನು' 'ಯನ್ನು' 'ನ್ನು' 'ದಲ್ಲಿ' 'ಯಲ್ಲಿ' '\u{CBF}ನಲ್ಲಿ'
            'ನಲ್ಲಿ' 'ಲ್ಲಿ' 'ದಿಂದ' 'ಯಿಂದ' '\u{CBF}ನಿಂದ' 'ನಿಂದ' '\u{CBF}\u{C82}ದ' 'ದ'
            'ಯ' '\u{CBF}ನ' 'ಗೆ' '\u{CBF}ಗೆ' 'ಕ್ಕೆ' 'ರೊಂದಿಗೆ' '\u{CCA}\u{C82}ದಿಗೆ' 'ದೊಂದಿಗೆ' 'ಯೊಂದಿಗೆ': del;
            'ರು' 'ರ' 'ರನ್ನು' 'ರಿಗೆ': @consonant del }]
        rule last = [{ '\u{CBF}' '\u{CC1}' '\u{CBE}' '\u{CC6}' '\u{CCD}': del }]
        """#)
}
