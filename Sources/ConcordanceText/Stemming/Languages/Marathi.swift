extension StemProgram {
    /// Marathi, by light rules of our own, which remove postpositions, then the vowels of gender and of the oblique
    /// case, and spell long vowels as short ones and nasals alike.
    static let marathi = make(
        #"""
        letters velar = कखगघ
        letters palatal = चछजझ
        letters retroflex = टठडढ
        letters dental = तथदध
        letters labial = पफबभम
        number r2 r3

        rule stem = ~spelling $(r2 = limit) $(r3 = limit) ~( .2 mark r2 . mark r3 )
            back( ~postposition ~postposition ~( behind r2 oblique ) )

        rule spelling = *( [{
            '\u{940}': ->'\u{93F}'; '\u{942}': ->'\u{941}'; 'ई': ->'इ'; 'ऊ': ->'उ'; '\u{901}': ->'\u{902}';
            '\u{200C}' '\u{200D}': del;
            'ङ्': @velar ->'\u{902}'; 'ञ्': @palatal ->'\u{902}'; 'ण्': @retroflex ->'\u{902}'; 'न्': @dental
            ->'\u{902}'; 'म्': @labial ->'\u{902}'; '': . }] | . )
        rule postposition = [{ behind r3;
            'ने' 'नि' 'ला' 'ना' '\u{902}ना' '\u{902}नि' 'शि' 'हुन' 'चा' 'चि' 'चे' 'च्या' 'चं' '\u{902}चा' '\u{902}चि'
            '\u{902}चे' '\u{902}च्या' 'साठि' '\u{902}साठि' 'वर' '\u{902}वर' 'मध्ये' '\u{902}मध्ये'
            'पासुन' 'पर्यंत' 'कडे' 'बरोबर' '\u{902}बरोबर' 'मुळे' '\u{902}मुळे' 'तिल' '\u{902}तिल' '\u{902}त': del;
            'त': @( '\u{93E}' | '\u{947}' | '\u{93F}' | '\u{94B}' ) del }]
        rule oblique = [{ '\u{93E}' '\u{947}' '\u{93F}' '\u{94B}' '\u{941}' '\u{93E}\u{902}' '\u{947}\u{902}'
            '\u{902}' '\u{94D}या' '\u{94D}यां' 'या' 'यां': del }]
        """#)
}
