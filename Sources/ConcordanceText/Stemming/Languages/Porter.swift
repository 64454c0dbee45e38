extension StemProgram {
    /// English, by the algorithm of M. F. Porter of 1980, https://snowballstem.org/algorithms/porter/stemmer.html
    static let porter = make(
        #"""
        letters vowel = aeiouy
        letters vowelWXY = <vowel> wxY
        number hasY r1 r2

        rule stem = ~consonantY regions
            back( ~plural ~past ~finalY ~longSuffix ~suffix ~shortSuffix ~finalE ~finalL )
            ~vowelY
        rule inR1 = $(r1 <= cursor)
        rule inR2 = $(r2 <= cursor)
        rule shortSyllable = ^vowelWXY vowel ^vowel

        # A y that begins the word or follows a vowel is a consonant, written Y meanwhile.
        rule consonantY = ~( ['y'] ->'Y' $(hasY = 1) ) ~*( >( vowel ['y'] ) ->'Y' $(hasY = 1) )
        rule vowelY = $(hasY == 1) *( >( ['Y'] ) ->'y' )

        rule regions = $(r1 = limit) $(r2 = limit) ~( >>vowel >>^vowel mark r1 >>vowel >>^vowel mark r2 )

        rule plural = [{ 'sses': ->'ss'; 'ies': ->'i'; 'ss'; 's': del }]

        rule past = [{
            'eed': inR1 ->'ee';
            'ed' 'ing': @( >>vowel ) del (
                @{ 'at' 'bl' 'iz' } insert 'e'
                | @{ 'bb' 'dd' 'ff' 'gg' 'mm' 'nn' 'pp' 'rr' 'tt' } [.] del
                | at r1 @shortSyllable insert 'e' ) }]

        rule finalY = [ ( 'y' | 'Y' ) ] >>vowel ->'i'

        rule longSuffix = [{ : inR1;
            'tional': ->'tion'; 'enci': ->'ence'; 'anci': ->'ance'; 'abli': ->'able'; 'entli': ->'ent'; 'eli': ->'e';
            'izer' 'ization': ->'ize'; 'ational' 'ation' 'ator': ->'ate'; 'alli' 'alism' 'aliti': ->'al';
            'fulness': ->'ful';
            'ousli' 'ousness': ->'ous'; 'iveness' 'iviti': ->'ive'; 'biliti': ->'ble' }]
        rule suffix = [{ : inR1; 'alize': ->'al'; 'icate' 'iciti' 'ical': ->'ic'; 'ative' 'ful' 'ness': del }]
        rule shortSuffix = [{ : inR2;
            'al' 'ance' 'ence' 'er' 'ic' 'able' 'ible' 'ant' 'ement' 'ment' 'ent' 'ou' 'ism' 'ate' 'iti' 'ous' 'ive'
            'ize': del;
            'ion': ( 's' | 't' ) del }]
        rule finalE = ['e'] ( inR2 | inR1 !shortSyllable ) del
        rule finalL = ['l'] inR2 'l' del
        """#)
}
