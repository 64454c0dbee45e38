extension StemProgram {
    /// Finnish, by the Snowball algorithm (as in Snowball 3.0.1),
    /// https://snowballstem.org/algorithms/finnish/stemmer.html
    static let finnish = make(
        #"""
        letters vowel = aeiouyäö
        letters consonant = bcdfghjklmnpqrstvwxz
        letters light = aäei
        letters beforeParticle = <vowel>nt
        number r1 r2 cased

        rule stem =
            $(r1 = limit) $(r2 = limit)
            ~( >>vowel >>^vowel mark r1 >>vowel >>^vowel mark r2 )
            back( ~particle ~possessive ~caseEnding ~comparison ( $(cased == 1) ~iPlural | ~tPlural ) ~tidy )

        rule longVowel = { 'aa' 'ee' 'ii' 'oo' 'uu' 'ää' 'öö' }
        rule diphthong = { 'ai' 'ei' 'ii' 'oi' 'ui' 'äi' 'öi' }

        rule particle = [{ behind r1;
            'kin' 'kaan' 'kään' 'ko' 'kö' 'han' 'hän' 'pa' 'pä': beforeParticle;
            'sti': $(r2 <= cursor) }] del
        rule possessive = [{ behind r1;
            'si': !'k' del;
            'ni': del ['kse'] ->'ksi';
            'nsa' 'nsä' 'mme' 'nne': del;
            'an': { 'ta' 'ssa' 'sta' 'lla' 'lta' 'na' } del;
            'än': { 'tä' 'ssä' 'stä' 'llä' 'ltä' 'nä' } del;
            'en': { 'lle' 'ine' } del }]
        rule caseEnding = [{ behind r1;
            'han': 'a'; 'hen': 'e'; 'hin': 'i'; 'hon': 'o'; 'hän': 'ä'; 'hön': 'ö';
            'siin'?diphthong 'den'?diphthong 'tten'?diphthong 'seen'?longVowel;
            'n': ?( ( longVowel | 'ie' ) & . ] );    # of a long vowel, one goes too, and the e of ie
            'a' 'ä': vowel consonant;
            'tta' 'ttä': 'e';
            'ta' 'tä' 'ssa' 'ssä' 'sta' 'stä' 'lla' 'llä' 'lta' 'ltä' 'lle' 'na' 'nä' 'ksi' 'ine' }]
            del $(cased = 1)
        rule comparison = [{ behind r2;
            'mpi' 'mpa' 'mpä' 'mmi' 'mma' 'mmä': !'po';
            'impi' 'impa' 'impä' 'immi' 'imma' 'immä' 'eja' 'ejä' }] del
        rule iPlural = [{ behind r1; 'i' 'j' }] del
        rule tPlural = behind r1 ( ['t'] @vowel del ) [{ behind r2; 'mma': !'po'; 'imma' }] del
        rule tidy =
            behind r1 (
                ~( longVowel & [.] del )
                ~( [light] consonant del )
                ~( ['j'] ( 'o' | 'u' ) del )
                ~( ['o'] 'j' del ) )
            >^vowel [consonant] keep kept del    # the last consonant is doubled
        """#)
}
