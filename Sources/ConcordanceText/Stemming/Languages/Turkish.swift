extension StemProgram {
    /// Turkish, by the Snowball algorithm of Evren (Kapusuz) Çilden,
    /// https://snowballstem.org/algorithms/turkish/stemmer.html. It removes the endings of nouns, and of nouns that serve
    /// as verbs, one by one from the end of the word.
    static let turkish = make(
        #"""
        letters vowel = aeıioöuü
        letters high = ıiuü
        letters frontVowel = eiöü
        letters backVowel = aıou
        letters frontUnrounded = ei
        letters backUnrounded = aı
        letters frontRounded = öü
        letters backRounded = ou
        number plurals

        rule stem =
            ~( [ >(!'\'') ] del )
            ~( .2 >'\'' [ tolimit ] del )
            @( >>vowel >>vowel )
            back( ~verbal $(plurals == 0) ~nominal !reserved ~lastVowel ~lastConsonant )

        # The last vowel must harmonize with one further ahead in the word.
        rule harmony = @( >vowel {
            'a': >backVowel;
            'e': >frontVowel;
            'ı': >backUnrounded;
            'i': >frontUnrounded;
            'o' 'u': >backRounded;
            'ö' 'ü': >frontRounded } )

        # A letter that comes between a vowel and the ending, or a vowel that comes between consonants.
        rule joinN = 'n' @vowel | !'n' @( . vowel )
        rule joinS = 's' @vowel | !'s' @( . vowel )
        rule joinY = 'y' @vowel | !'y' @( . vowel )
        rule joinHigh = high @^vowel | !high @( . ^vowel )

        # Endings of nouns. Those whose names end in N follow a possessive.
        rule plural = harmony { 'lar' 'ler' }
        rule possessive = { 'm' 'n' 'mız' 'miz' 'muz' 'müz' 'nız' 'niz' 'nuz' 'nüz' } joinHigh
        rule his = harmony high joinS
        rule their = { 'ları' 'leri' }
        rule accusative = harmony high joinY
        rule accusativeN = harmony { 'nı' 'ni' 'nu' 'nü' }
        rule genitive = harmony { 'ın' 'in' 'un' 'ün' } joinN
        rule dative = harmony { 'a' 'e' } joinY
        rule dativeN = harmony { 'na' 'ne' }
        rule locative = harmony { 'da' 'de' 'ta' 'te' }
        rule locativeN = harmony { 'nda' 'nde' }
        rule ablative = harmony { 'dan' 'den' 'tan' 'ten' }
        rule ablativeN = harmony { 'ndan' 'nden' }
        rule with = harmony { 'la' 'le' } joinY
        rule like = harmony { 'ca' 'ce' } joinN

        # Endings that turn a noun into a verb.
        rule iAm = harmony { 'ım' 'im' 'um' 'üm' } joinY
        rule youAre = harmony { 'sın' 'sin' 'sun' 'sün' }
        rule weAre = harmony { 'ız' 'iz' 'uz' 'üz' } joinY
        rule youAllAre = { 'sınız' 'siniz' 'sunuz' 'sünüz' }
        rule youAll = harmony { 'nız' 'niz' 'nuz' 'nüz' }
        rule surely = harmony { 'tır' 'tir' 'tur' 'tür' 'dır' 'dir' 'dur' 'dür' }
        rule asIf = { 'casına' 'cesine' }
        rule past = harmony {
            'tım' 'tim' 'tum' 'tüm' 'dım' 'dim' 'dum' 'düm' 'tın' 'tin' 'tun' 'tün' 'dın' 'din' 'dun' 'dün'
            'tık' 'tik' 'tuk' 'tük' 'dık' 'dik' 'duk' 'dük' 'tı' 'ti' 'tu' 'tü' 'dı' 'di' 'du' 'dü' } joinY
        rule ifSo = { 'sam' 'san' 'sak' 'sem' 'sen' 'sek' 'sa' 'se' } joinY
        rule reported = harmony { 'mış' 'miş' 'muş' 'müş' } joinY
        rule while = 'ken' joinY

        rule verbal =
            [ ( reported | past | ifSo | while
              | asIf ?person reported
              | plural ] del ?( [ ( surely | past | ifSo | reported ) ) $(plurals = 1)
              | youAll ( past | ifSo )
              | ( youAllAre | weAre | youAre | iAm ) ] del ?( [ reported )
              | surely ] del ?( [ ?person reported ) ) ] del
        rule person = youAllAre | plural | iAm | youAre | weAre

        rule nominal =
            cutPlural ?relative
            | [like] del ?( [their] del | cutOwner | cutPlural relative )
            | [ ( locativeN | dativeN ) hisOrTheir
            | [ ( ablativeN | accusativeN ) ( his ] del ?( cutPlural relative ) | their )
            | [ablative] del ?( cutPossessive ?( cutPlural relative ) | cutPlural ?relative | relative )
            | [ ( genitive | with ) ] del ?( cutPlural relative | cutOwner | relative )
            | [their] del
            | relative
            | [ ( locative | accusative | dative ) ] del ?( ( cutPossessive ?cutPlural | cutPlural ) relative )
            | cutOwner

        # -ki, "that of", "that in", turns a noun with its endings into another noun.
        rule relative = [ 'ki' (
            locative ] del ?( cutPlural ?relative | cutPossessive ?( cutPlural relative ) )
            | genitive ] del ?( [their] del | cutOwner | relative )
            | locativeN hisOrTheir )

        rule cutPlural = [plural] del
        rule cutPossessive = [possessive] del
        rule cutOwner = [ ( possessive | his ) ] del ?( cutPlural relative )
        # The slice begins earlier.
        rule hisOrTheir = their ] del | his ] del ?( cutPlural relative ) | relative

        rule reserved = 'ad' ?'soy' limit
        rule lastVowel = [] ( 'd' | 'g' ) >vowel {
            'a' 'ı': ->'ı';
            'e' 'i': ->'i';
            'o' 'u': ->'u';
            'ö' 'ü': ->'ü' }
        rule lastConsonant = [{ 'b': ->'p'; 'c': ->'ç'; 'd': ->'t'; 'ğ': ->'k' }]
        """#)
}
