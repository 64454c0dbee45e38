extension StemProgram {
    /// Spanish, by the Snowball algorithm of M. F. Porter, https://snowballstem.org/algorithms/spanish/stemmer.html
    static let spanish = make(
        #"""
        letters vowel = aeiouáéíóúü
        number rv r1 r2

        rule stem = ~regions back( ~pronoun ~( suffix | verbWithY | verb ) ~residue ) accents
        rule inRV = $(rv <= cursor)
        rule inR1 = $(r1 <= cursor)
        rule inR2 = $(r2 <= cursor)

        rule regions = $(rv = limit) $(r1 = limit) $(r2 = limit)
            ~( ( vowel ( ^vowel >>vowel | vowel >>^vowel ) | ^vowel ( ^vowel >>vowel | vowel . ) ) mark rv )
            >>vowel >>^vowel mark r1 >>vowel >>^vowel mark r2

        rule accents = *[{ 'á': ->'a'; 'é': ->'e'; 'í': ->'i'; 'ó': ->'o'; 'ú': ->'u'; '': . }]

        # A pronoun after an infinitive or a gerund, which loses its accent with it.
        rule pronoun =
            [{ 'me' 'se' 'sela' 'selo' 'selas' 'selos' 'la' 'le' 'lo' 'las' 'les' 'los' 'nos' }]
            { : inRV;
                'iéndo': ] ->'iendo'; 'ándo': ] ->'ando'; 'ár': ] ->'ar'; 'ér': ] ->'er'; 'ír': ] ->'ir';
                'ando' 'iendo' 'ar' 'er' 'ir': del; 'yendo': 'u' del }

        rule suffix = [{
            'anza' 'anzas' 'ico' 'ica' 'icos' 'icas' 'ismo' 'ismos' 'able' 'ables' 'ible' 'ibles' 'ista' 'istas' 'oso'
            'osa'
            'osos' 'osas' 'amiento' 'amientos' 'imiento' 'imientos': inR2 del;
            'adora' 'ador' 'ación' 'adoras' 'adores' 'aciones' 'ante' 'antes' 'ancia' 'ancias' 'acion':
                inR2 del ?( ['ic'] inR2 del );
            'logía' 'logías': inR2 ->'log';
            'ución' 'uciones' 'ucion': inR2 ->'u';
            'encia' 'encias': inR2 ->'ente';
            'amente': inR1 del ?[{ : inR2 del; 'iv': ['at'] inR2 del; 'os' 'ic' 'ad' }];
            'mente': inR2 del ?[{ 'ante' 'able' 'ible': inR2 del }];
            'idad' 'idades': inR2 del ?[{ 'abil' 'ic' 'iv': inR2 del }];
            'iva' 'ivo' 'ivas' 'ivos': inR2 del ?( ['at'] inR2 del ) }]

        rule verbWithY = [{ behind rv;
            'ya' 'ye' 'yan' 'yen' 'yeron' 'yendo' 'yo' 'yó' 'yas' 'yes' 'yais' 'yamos': 'u' del }]

        rule verb = [{ behind rv;
            'en' 'es' 'éis' 'emos': ?( 'u' @'g' ) ] del;
            'arían' 'arías' 'arán' 'arás' 'aríais' 'aría' 'aréis' 'aríamos' 'aremos' 'ará' 'aré'
            'erían' 'erías' 'erán' 'erás' 'eríais' 'ería' 'eréis' 'eríamos' 'eremos' 'erá' 'eré'
            'irían' 'irías' 'irán' 'irás' 'iríais' 'iría' 'iréis' 'iríamos' 'iremos' 'irá' 'iré'
            'aba' 'ada' 'ida' 'ía' 'ara' 'iera' 'ad' 'ed' 'id' 'ase' 'iese' 'aste' 'iste' 'an' 'aban' 'ían' 'aran'
            'ieran'
            'asen' 'iesen' 'aron' 'ieron' 'ado' 'ido' 'ando' 'iendo' 'ió' 'ar' 'er' 'ir' 'as' 'abas' 'adas' 'idas' 'ías'
            'aras' 'ieras' 'ases' 'ieses' 'ís' 'áis' 'abais' 'íais' 'arais' 'ierais' 'aseis' 'ieseis' 'asteis' 'isteis'
            'ados' 'idos' 'amos' 'ábamos' 'íamos' 'imos' 'áramos' 'iéramos' 'iésemos' 'ásemos': del }]

        rule residue = [{
            'os' 'a' 'o' 'á' 'í' 'ó': inRV del;
            'e' 'é': inRV del ?( ['u'] @'g' inRV del ) }]
        """#)
}
