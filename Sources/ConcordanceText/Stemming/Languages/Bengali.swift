extension StemProgram {
    /// Bengali, by light rules of our own, which remove classifiers, plurals and cases of nouns, and spell long vowels
    /// as short ones.
    static let bengali = make(
        #"""
        number r2 r3

        rule stem = ~spelling $(r2 = limit) $(r3 = limit) ~( .2 mark r2 . mark r3 ) back( ~emphasis *( ending ) )

        rule spelling = *( [{ '\u{9C0}': ->'\u{9BF}'; '\u{9C2}': ->'\u{9C1}'; 'ঈ': ->'ই'; 'ঊ': ->'উ'; '\u{981}'
            '\u{200C}' '\u{200D}': del; 'ৎ': ->'ত্'; 'ণ': ->'ন'; '': . }] | . )
        rule emphasis = [{ behind r3; 'ই' 'ও': del }]
        rule ending = [{ behind r2;
            'গুলো' 'গুলি' 'গুলোর' 'গুলির' 'গুলোতে' 'গুলিতে' 'গুলোকে' 'গুলিকে' 'দের' 'দেরকে' 'য়েদের' '\u{9C7}র'
            'য়ের' '\u{9C7}রা' 'য়েরা' 'রা'
            'টি' 'টা' 'টির' 'টার' 'টিতে' 'টাতে' 'টিকে' 'টাকে' 'খানা' 'খানি' 'কে' 'তে' 'য়' '\u{9C7}' 'য়ে': del;
            'র': @( '\u{9BE}' | '\u{9BF}' | '\u{9C1}' | '\u{9C7}' | '\u{9CB}' | 'ই' | 'উ' ) del }]
        """#)
}
