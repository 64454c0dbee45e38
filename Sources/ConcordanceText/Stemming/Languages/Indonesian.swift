extension StemProgram {
    /// Indonesian, by the Snowball algorithm after F. Z. Tala, "A Study of Stemming Effects" (2003),
    /// https://snowballstem.org/algorithms/indonesian/stemmer.html
    static let indonesian = make(
        #"""
        letters vowel = aeiou
        number vowels
        number prefix    # the last one taken off: 1 di, meng, ter; 2 per; 3 ke, peng; 4 ber

        # A word is stemmed only while it has more than two vowels.
        rule stem =
            ~*( >>vowel $(vowels = vowels + 1) )
            long
            back( ~particle long ~possessive )
            long
            ( @( firstPrefix ~( @ending long secondPrefix ) ) | ~secondPrefix ~ending )
        rule long = $(vowels > 2)
        rule fewer = $(vowels = vowels - 1)

        rule particle = [{ 'kah' 'lah' 'pun' }] del fewer
        rule possessive = [{ 'ku' 'mu' 'nya' }] del fewer

        rule firstPrefix = [{
            'di' 'me' 'meng' 'ter': $(prefix = 1) del;
            'men': $(prefix = 1) ( lostS | del );
            'mem': $(prefix = 1) ( lostP | del );
            'ke' 'peng': $(prefix = 3) del;
            'pen': $(prefix = 3) ( lostS | del );
            'pem': $(prefix = 3) ( lostP | del ) }] fewer
        # The prefix has swallowed the first letter of the word.
        rule lostS = 'y' @vowel ] ->'s'
        rule lostP = @vowel ->'p'

        rule secondPrefix = [ {
            'pe': ( 'l' ] 'ajar' | ?'r' ] $(prefix = 2) );
            'be': ( 'r' ] | 'l' ] 'ajar' | ] ^vowel 'er' ) $(prefix = 4) } del fewer

        rule ending = long back suffix
        rule suffix = [{
            'an': ( $(prefix != 2) $(prefix != 3) 'k' ] | $(prefix != 1) );
            'i': $(prefix <= 2) !'s' }] del fewer
        """#)
}
