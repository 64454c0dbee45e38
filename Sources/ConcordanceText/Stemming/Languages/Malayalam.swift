extension StemProgram {
    /// Malayalam, by light rules of our own, which remove plurals and cases of nouns. Letters without a vowel (chillus)
    /// are the same in either encoding.
    static let malayalam = make(
        #"""
        letters consonant = കഖഗഘങചഛജഝഞടഠഡഢണതഥദധനപഫബഭമയരലവശഷസഹളഴറ
        number r2

        rule stem = ~spelling $(r2 = limit) ~( .2 mark r2 ) back( *( ending ) ~( behind r2 last ) )

        rule spelling = *( [{ 'ൻ': ->'ന്'; 'ർ': ->'ര്'; 'ൽ': ->'ല്'; 'ൾ': ->'ള്'; 'ൺ': ->'ണ്'; 'ൿ': ->'ക്';
            '\u{200C}' '\u{200D}': del; '': . }] | . )
        rule ending = [{ behind r2;
            'ങ്ങള്' 'ങ്ങളില്' 'ങ്ങളിലെ' 'ങ്ങളുടെ' 'ങ്ങളെ' 'ങ്ങള്ക്ക്' 'കള്' 'കളില്' 'കളിലെ' 'കളുടെ' 'കളെ' 'കള്ക്ക്'
            'ത്തില്' 'ത്തിലെ' 'ത്തിന്റെ' 'ത്തിന്' 'ത്തെ' 'ത്തോട്' 'യില്' 'യിലെ' 'യുടെ' 'യെ' 'യ്ക്ക്' 'യോട്'
            '\u{D3F}ല്' '\u{D3F}ലെ' '\u{D3F}ന്റെ' '\u{D3F}ന്' 'ന്റെ' '\u{D3E}ല്' '\u{D4B}ട്' '\u{D41}ടെ': del;
            'ട്ടില്' 'ട്ടിലെ' 'ട്ടിന്റെ': ->'ട';
            'ര്' 'ന്' 'രുടെ' 'നെ' 'രെ': @consonant del }]
        rule last = [{ '\u{D02}' '\u{D4D}' '\u{D3F}' '\u{D41}' '\u{D46}': del }]
        """#)
}
