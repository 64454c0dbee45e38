extension StemProgram {
    /// Esperanto, by the Snowball algorithm, https://snowballstem.org/algorithms/esperanto/stemmer.html
    static let esperanto = make(
        #"""
        letters vowel = aeiou
        letters aou = aou
        letters digit = 0123456789
        number foreign

        rule stem = @spelling ~initialApostrophe
            back( !pronoun ~finalApostrophe !correlative !uninflected !numeral !oneOrOther @longWord ending )
        rule start = limit | '-'

        # Circumflexes may be typed as x. Words with letters that the language lacks stay.
        rule spelling = *[{
            'cx': ->'ĉ'; 'gx': ->'ĝ'; 'hx': ->'ĥ'; 'jx': ->'ĵ'; 'sx': ->'ŝ'; 'ux': ->'ŭ';
            'á': ->'a' $(foreign = 1); 'é': ->'e' $(foreign = 1); 'í': ->'i' $(foreign = 1); 'ó': ->'o' $(foreign = 1);
            'ú': ->'u' $(foreign = 1); 'q' 'w' 'x' 'y': $(foreign = 1); '-': $(foreign = 0); '': . }]
            $(foreign == 0)

        rule initialApostrophe = ['\''] 'st' { 'as' 'i' 'is' 'os' 'u' 'us' } limit ->'e'

        rule pronoun = [ ?'n' ]
            { 'ci' 'gi' 'ĝi' 'hi' 'ili' 'iŝi' 'ivi' 'li' 'malŝi' 'mi' 'ni' 'oni' 'ri' 'si' 'ŝi' 'ŝli' 'vi' }
            start del

        rule finalApostrophe = ['\''] (
            'l' limit ->'a'
            | 'un' limit ->'u'
            | { 'adi' 'almen' 'amb' 'ank' 'ankor' 'anstat' 'antaŭhier' 'apen' 'bald' 'ĉirk' 'hier' 'hodi' 'kontr'
            'kvaz' 'malbald'
                'malgr' 'morg' 'postmorg' 'presk' 'tutĉirk' } start ->'aŭ'
            | ->'o' )

        rule oneOrOther = [ ?'n' ?'j' ] { 'aliu' 'unu' } start del

        rule uninflected = {
            'aha' 'amen' 'dirlididi' 'disde' 'ehe' 'ekde' 'elde' 'haha' 'haleluja' 'hola' 'hosana' 'hura' 'ĥaĥa'
            'malĉi' 'malkaj'
            'malpli' 'maltra' 'maltre' 'maltro' 'minus' 'muu' 'oho' 'tamen' 'uhu' } start

        rule numeral = { 'du' 'tri' 'unu' } { 'cent' 'dek' }

        rule correlative = [ ]
            @( ( ?'n' ] 'e' | ?'n' ?'j' ] aou ) 'i' ?{ 'ĉ' 'k' 'kelk' 'mult' 'nen' 'samt' 't' } start )
            del

        rule longWord = >>vowel >>vowel | >>'-' . | >>digit

        rule ending =
            [ { 'a' 'aj' 'ajn' 'an' 'e' 'en' 'i' 'as' 'is' 'os' 'u' 'us' 'o' 'oj' 'ojn' 'on';
                'j' 'jn' 'n': @( '-' | digit ) }
            ?'-' ] del
        """#)
}
