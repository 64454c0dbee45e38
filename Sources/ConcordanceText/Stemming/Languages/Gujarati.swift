extension StemProgram {
    /// Gujarati, by light rules of our own, which remove postpositions, plurals and the vowels of gender, and spell
    /// long vowels as short ones and nasals alike.
    static let gujarati = make(
        #"""
        letters velar = કખગઘ
        letters palatal = ચછજઝ
        letters retroflex = ટઠડઢ
        letters dental = તથદધ
        letters labial = પફબભમ
        number r2 r3

        rule stem = ~spelling $(r2 = limit) $(r3 = limit) ~( .2 mark r2 . mark r3 )
            back( ~( behind r2 postposition ) ~( behind r2 plural ) ~( behind r2 last ) )

        rule spelling = *( [{
            '\u{AC0}': ->'\u{ABF}'; '\u{AC2}': ->'\u{AC1}'; 'ઈ': ->'ઇ'; 'ઊ': ->'ઉ'; '\u{A81}': ->'\u{A82}';
            '\u{200C}' '\u{200D}': del;
            'ઙ્': @velar ->'\u{A82}'; 'ઞ્': @palatal ->'\u{A82}'; 'ણ્': @retroflex ->'\u{A82}'; 'ન્': @dental
            ->'\u{A82}'; 'મ્': @labial ->'\u{A82}'; '': . }] | . )
        rule postposition = [{ 'માં' 'થિ' 'ને' 'નો' 'નિ' 'નું' 'ના' 'નાં' 'એ' 'માંથિ': del }]
        rule plural = [{ 'ઓ' '\u{ACB}' 'આ': del }]
        rule last = [{ '\u{ABE}' '\u{AC7}' '\u{ABF}' '\u{ACB}' '\u{AC1}\u{A82}' '\u{ABE}\u{A82}': del }]
        """#)
}
