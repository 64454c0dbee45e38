extension StemProgram {
    /// Danish, by the Snowball algorithm of M. F. Porter, https://snowballstem.org/algorithms/danish/stemmer.html
    static let danish = make(
        #"""
        letters vowel = aeiouyæåø
        letters beforeS = abcdfghjklmnoprtvyzå'
        letters doubled = bdfgklmnprst
        number r1

        rule stem = region back( ~inflection ~pair ~derivation ~undouble ['\''] del )

        # Not before the fourth letter, and after an apostrophe.
        rule region = $(r1 = limit)
            ~( ( >>'\'' | >>vowel >>^vowel ) mark r1 )
            @( .3 ~( $(r1 < cursor) $(r1 = cursor) ) )

        rule inflection = [{ behind r1;
            'hed' 'ethed' 'ered' 'e' 'erede' 'ende' 'erende' 'ene' 'erne' 'ere' 'en' 'heden' 'eren' 'er' 'heder'
            'erer' 'heds'
            'es' 'endes' 'erendes' 'enes' 'ernes' 'eres' 'ens' 'hedens' 'erens' 'ers' 'ets' 'erets' 'et' 'eret': del;
            's': beforeS del }]

        # The second of two consonants that no longer precede a vowel is removed.
        rule pair = @[{ behind r1; 'gd' 'dt' 'gt' 'kt' }] . ] del

        rule derivation = ~( ['st'] 'ig' del ) [{ behind r1; 'ig' 'lig' 'elig' 'els': del ~pair; 'løst': ->'løs' }]

        rule undouble = behind r1 ( [doubled] keep ) kept del
        """#)
}
