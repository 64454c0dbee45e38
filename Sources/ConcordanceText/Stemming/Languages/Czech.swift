extension StemProgram {
    /// Czech, by the Snowball algorithm after Ljiljana Dolamic and Jim O’Regan,
    /// https://snowballstem.org/algorithms/czech/stemmer.html
    static let czech = make(
        #"""
        letters vowel = aeiouyáěéíóúůý
        letters syllabic = <vowel>lr
        letters beforeEv = hknrtz
        letters beforeEn = bcčdhkprsštvzž
        number third
        number r1

        rule stem = regions back( ~case ~possessive )

        # Words of one or two letters stay as they are. An l or r after the first letter can serve as a vowel (vlna).
        rule regions =
            @( .3 mark third )
            $(r1 = limit)
            ~( ( vowel | . >>syllabic ) >>^vowel mark r1 $(r1 < third) $(r1 = third) )

        rule case = [{ behind r1;
            'atech' 'atům' 'ách' 'ých' 'ové' 'ými' 'ata' 'aty' 'ama' 'ami' 'ovi' 'at' 'ám' 'us' 'ům' 'ým' 'mi' 'ou'
            'ého' 'ém' 'ému' 'u' 'y' 'ů' 'a' 'o' 'á' 'é' 'ý' 'ě' 'ětem' 'ěmi' 'ěte' 'ěti' 'ěm': del;
            'e' 'ech' 'em' 'emi': del ?hardC;
            'i' 'í' 'ích' 'ího' 'ím' 'ími' 'ímu': del ?hard;
            # the young of animals (zvířete), not words that end in -et by themselves (atleti)
            'ete' 'eti' 'etem': ( !{ 'eč' 'tl' 'es' } { 'č' 'l' 'ř' 's' 'ž' } del | ->'et' );
            'ť' 'ťmi': ->'t';
            # an e that other forms of the word lack: článek, článku
            'eb': @^vowel !'tř' ->'b';
            'ec': @^vowel del attach 'c' ?hardC;
            'ek': @^vowel !{ 'dot' 'obl' 'sn' } ->'k';
            'ěk': 'n' ] ->'ňk';
            'eň': @beforeEn ->'n';
            'et': { 'uc' 'č' 'h' 'ok' 'kar' } ->'t';
            'ev': beforeEv ->'v' }]

        rule possessive = [{ : $(r1 <= cursor);
            'ov' 'ův': del;
            'in': del ?hard }]

        # The consonant without the softening that its ending causes.
        rule hard = hardC | [{
            'čt': ->'ck';
            'št': ->'sk';
            'ášt' 'dešt' 'išt' 'íšt' 'lešt' 'poušt' }]
        rule hardC = [{
            'c': ->'k';
            'ínc': ->'ínk';
            'nc' 'avc' 'ovc' }]
        """#)
}
