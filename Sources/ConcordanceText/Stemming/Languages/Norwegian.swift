extension StemProgram {
    /// Norwegian, by the Snowball algorithm of M. F. Porter,
    /// https://snowballstem.org/algorithms/norwegian/stemmer.html
    static let norwegian = make(
        #"""
        letters vowel = aeêioòóôuyæåø
        letters beforeS = bcdfghjlmnoptvyz
        number r1

        rule stem = region back( ~inflection ~pair ~derivation ['\''] del )

        # Not before the fourth letter, and after an apostrophe.
        rule region = $(r1 = limit)
            ~( ( >>'\'' | >>vowel >>^vowel ) mark r1 )
            @( .3 ~( $(r1 < cursor) $(r1 = cursor) ) )

        rule inflection = [{ behind r1;
            'a' 'e' 'ede' 'ande' 'ende' 'ane' 'ene' 'hetene' 'en' 'heten' 'ar' 'er' 'heter' 'as' 'es' 'edes' 'endes'
            'enes'
            'hetenes' 'ens' 'hetens' 'ets' 'et' 'het' 'ast': del;
            'ers': { 'amm' 'ast' 'ind' 'kap' 'kk' 'lt' 'nk' 'omm' 'pp' 'v' 'øst'; 'giv' 'hav' 'skap' '': del };
            's': ( beforeS | 'r' !'e' | 'k' ^vowel ) del;
            'erte' 'ert': ->'er' }]

        # The second of two consonants that no longer precede a vowel is removed.
        rule pair = @[{ behind r1; 'dt' 'vt' }] . ] del

        rule derivation = [{ behind r1;
            'leg' 'eleg' 'ig' 'eig' 'lig' 'elig' 'els' 'lov' 'elov' 'slov' 'hetslov': del }]
        """#)
}
