extension StemProgram {
    /// Romanian, by the Snowball algorithm, https://snowballstem.org/algorithms/romanian/stemmer.html
    static let romanian = make(
        #"""
        letters vowel = aeiouâîă
        number rv r1 r2 found

        rule stem = ~commas ~consonants ~regions
            back( ~plural ~suffix ~( $(found == 1) | verb ) ~finalVowel ) vowels
        rule inRV = $(rv <= cursor)
        rule inR1 = $(r1 <= cursor)
        rule inR2 = $(r2 <= cursor)

        # s and t get commas below, however they were typed; u and i between vowels are consonants.
        rule commas = *( >( [{ 'ş': ->'ș'; 'ţ': ->'ț' }] ) )
        rule consonants = *( >( vowel [ ( 'u' ] vowel ->'U' | 'i' ] vowel ->'I' ) ) )
        rule vowels = *[{ 'I': ->'i'; 'U': ->'u'; '': . }]

        rule regions = $(rv = limit) $(r1 = limit) $(r2 = limit)
            ~( ( vowel ( ^vowel >>vowel | vowel >>^vowel ) | ^vowel ( ^vowel >>vowel | vowel . ) ) mark rv )
            >>vowel >>^vowel mark r1 >>vowel >>^vowel mark r2

        rule plural = [{ : inR1;
            'ul' 'ului': del; 'aua': ->'a'; 'ea' 'ele' 'elor': ->'e'; 'ii' 'iua' 'iei' 'iile' 'iilor' 'ilor': ->'i';
            'ile': !'ab' ->'i'; 'atei': ->'at'; 'ație' 'ația': ->'ați' }]

        rule combined = @( [{ : inR1;
            'abilitate' 'abilitati' 'abilităi' 'abilități': ->'abil';
            'ibilitate': ->'ibil';
            'ivitate' 'ivitati' 'ivităi' 'ivități': ->'iv';
            'icitate' 'icitati' 'icităi' 'icități' 'icator' 'icatori' 'iciv' 'iciva' 'icive' 'icivi' 'icivă' 'ical'
            'icala' 'icale' 'icali' 'icală': ->'ic';
            'ativ' 'ativa' 'ative' 'ativi' 'ativă' 'ațiune' 'atoare' 'ator' 'atori' 'ătoare' 'ător' 'ători': ->'at';
            'itiv' 'itiva' 'itive' 'itivi' 'itivă' 'ițiune' 'itoare' 'itor' 'itori': ->'it' }] $(found = 1) )

        rule suffix = $(found = 0) *combined
            [{ : inR2;
            'at' 'ata' 'ată' 'ati' 'ate' 'ut' 'uta' 'ută' 'uti' 'ute' 'it' 'ita' 'ită' 'iti' 'ite' 'ic' 'ica' 'ice'
            'ici' 'ică' 'abil' 'abila' 'abile' 'abili' 'abilă' 'ibil' 'ibila' 'ibile' 'ibili' 'ibilă' 'oasa' 'oasă'
            'oase' 'os' 'osi' 'oși' 'ant' 'anta' 'ante' 'anti' 'antă' 'ator' 'atori' 'itate' 'itati' 'ităi' 'ități'
            'iv' 'iva' 'ive' 'ivi' 'ivă': del;
            'iune' 'iuni': 'ț' ] ->'t';
            'ism' 'isme' 'ist' 'ista' 'iste' 'isti' 'istă' 'iști': ->'ist' }]
            $(found = 1)

        rule verb = behind rv ( [{
            'are' 'ere' 'ire' 'âre' 'ind' 'ând' 'indu' 'ându' 'eze' 'ească' 'ez' 'ezi' 'ează' 'esc' 'ești' 'ește'
            'ăsc' 'ăști' 'ăște' 'am' 'ai' 'au' 'eam' 'eai' 'ea' 'eați' 'eau' 'iam' 'iai' 'ia' 'iați' 'iau' 'ui' 'ași'
            'arăm' 'arăți' 'ară' 'uși' 'urăm' 'urăți' 'ură' 'iși' 'irăm' 'irăți' 'iră' 'âi' 'âși' 'ârăm' 'ârăți' 'âră'
            'asem' 'aseși' 'ase' 'aserăm' 'aserăți' 'aseră' 'isem' 'iseși' 'ise' 'iserăm' 'iserăți' 'iseră' 'âsem'
            'âseși' 'âse' 'âserăm' 'âserăți' 'âseră' 'usem' 'useși' 'use' 'userăm' 'userăți' 'useră':
                ( ^vowel | 'u' ) del;
            'ăm' 'ați' 'em' 'eți' 'im' 'iți' 'âm' 'âți' 'seși' 'serăm' 'serăți' 'seră' 'sei' 'se' 'sesem' 'seseși'
            'sese' 'seserăm' 'seserăți' 'seseră': del }] )

        rule finalVowel = [{ : inRV; 'a' 'e' 'i' 'ie' 'ă': del }]
        """#)
}
