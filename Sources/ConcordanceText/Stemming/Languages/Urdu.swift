extension StemProgram {
    /// Urdu, by rules of our own, those of a light stemmer: plurals and the vowels of gender and case go; letters of Arabic
    /// keyboards are those of Urdu.
    static let urdu = make(
        #"""
        number r2 r3

        rule stem = ~spelling $(r2 = limit) $(r3 = limit) ~( .2 mark r2 . mark r3 ) back( behind r2 ( ending ) )

        rule spelling = *( [{
            'ك': ->'ک'; 'ي' 'ى' 'ئ': ->'ی'; 'ه' 'ة' 'ۂ' 'ۃ' 'ۀ': ->'ہ'; 'أ' 'إ' 'آ': ->'ا'; 'ؤ': ->'و'; '\u{200C}'
            '\u{200D}' 'ـ' 'ء': del;
            '': . }] | . )
        rule ending = [{ 'یں' 'وں' 'یوں' 'یاں' 'ے' 'ا' 'ہ' 'ی' 'یو': del; 'ات': $(r3 <= cursor) del }]
        """#)
}
