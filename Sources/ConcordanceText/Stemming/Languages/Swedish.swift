extension StemProgram {
    /// Swedish, by the Snowball algorithm of M. F. Porter, https://snowballstem.org/algorithms/swedish/stemmer.html
    static let swedish = make(
        #"""
        letters vowel = aeiouyäåö
        letters beforeS = bcdfghjklmnoprtvy
        letters beforeOst = iklnprtuv
        number r1 third

        rule stem = ~region back( ~inflection ~pair ~derivation )

        # Not before the fourth letter.
        rule region = $(r1 = limit) @( .3 mark third ) >>vowel >>^vowel mark r1 ?( $(r1 < third) $(r1 = third) )

        # The letters before the ending -et of a neuter; in other words it belongs to the stem.
        rule neuter = ( ^vowel vowel !limit ) & !{
            'h' 'iet' 'uit' 'fab' 'cit' 'dit' 'alit' 'ilit' 'mit' 'nit' 'pit' 'rit' 'sit' 'tit' 'ivit' 'kvit' 'xit'
            'kom' 'rak'
            'pak' 'stak' }

        rule inflection = [{ behind r1;
            'a' 'arna' 'erna' 'heterna' 'orna' 'ad' 'e' 'ade' 'ande' 'arne' 'are' 'aste' 'en' 'anden' 'aren' 'heten'
            'ern' 'ar'
            'er' 'heter' 'or' 'as' 'arnas' 'ernas' 'ornas' 'es' 'ades' 'andes' 'ens' 'arens' 'hetens' 'erns' 'at'
            'andet' 'het'
            'ast': del;
            's': ( 'et' neuter ] | beforeS ) del;
            'et': neuter del }]

        # The second of two consonants that no longer precede a vowel is removed.
        rule pair = behind r1 ( { 'dd' 'gd' 'nn' 'dt' 'gt' 'kt' 'tt' } & ( [.] del ) )

        rule derivation = [{ behind r1; 'lig' 'ig' 'els': del; 'öst': beforeOst ->'ös'; 'fullt': ->'full' }]
        """#)
}
