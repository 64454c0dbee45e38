extension StemProgram {
    /// Hebrew, by rules of our own, which remove the endings of feminine and possessive forms if three letters remain,
    /// and those of plurals if two remain.
    static let hebrew = make(
        #"""
        number r2 r3

        rule stem = $(r2 = limit) $(r3 = limit) ~( .2 mark r2 . mark r3 ) ~spelling back( ~ending )

        # Letters at the end of a word have forms of their own.
        rule spelling = *[{ 'ם': ->'מ'; 'ן': ->'נ'; 'ץ': ->'צ'; 'ף': ->'פ'; 'ך': ->'כ'; 'יי': ->'י'; 'וו': ->'ו';
            '': . }]

        rule ending = [{ behind r3; 'יות' 'ית' 'ה' 'י': del }] | [{ behind r2; 'ימ' 'ות': del }]
        """#)
}
