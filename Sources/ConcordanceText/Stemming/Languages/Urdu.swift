extension StemProgram {
    /// Urdu, by light rules of our own, which remove plurals and the vowels of gender and case, and take the letters of
    /// Arabic keyboards for Urdu's.
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
