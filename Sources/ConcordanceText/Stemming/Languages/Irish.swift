extension StemProgram {
    /// Irish, by the Snowball algorithm of Jim O'Regan, https://snowballstem.org/algorithms/irish/stemmer.html
    static let irish = make(
        #"""
        letters vowel = aeiouáéíóú
        number rv r1 r2

        rule stem = ~mutation ~regions back( ~noun ~derivation ~verb )
        rule inRV = $(rv <= cursor)
        rule inR1 = $(r1 <= cursor)
        rule inR2 = $(r2 <= cursor)

        rule regions = $(rv = limit) $(r1 = limit) $(r2 = limit)
            >>vowel mark rv >>^vowel mark r1 >>vowel >>^vowel mark r2

        # The beginning of a word as it is without eclipsis, lenition or an elided particle.
        rule mutation = [{
            'h-' 'n-' 't-' 'd\'' 'm\'' 'b\'': del;
            'd\'fh' 'bhf' 'fh': ->'f'; 'sh' 'ts': ->'s'; 'mb' 'bh': ->'b'; 'gc' 'ch': ->'c'; 'nd' 'dh': ->'d'; 'ng'
            'gh': ->'g';
            'bp' 'ph': ->'p'; 'dt' 'th': ->'t'; 'mh': ->'m' }]

        rule noun = [{
            'amh' 'eamh' 'abh' 'eabh' 'aibh' 'ibh' 'aimh' 'imh' 'aíocht' 'íocht' 'aíochta' 'íochta': inR1 del;
            'ire' 'irí' 'aire' 'airí': inR2 del }]

        rule derivation = [{
            'acht' 'eacht' 'ach' 'each' 'eachtúil' 'eachta' 'achtúil' 'achta': inR2 del;
            'arcacht' 'arcachtaí' 'arcachta': ->'arc';
            'gineach' 'gineas' 'ginis': ->'gin';
            'grafaíoch' 'grafaíocht' 'grafaíochta' 'grafaíochtaí': ->'graf';
            'paite' 'patach' 'pataigh' 'patacha': ->'paite';
            'óideach' 'óideacha' 'óidigh': ->'óid' }]

        rule verb = [{
            'imid' 'aimid' 'ímid' 'aímid' 'faidh' 'fidh': inRV del;
            'ain' 'eadh' 'adh' 'áil' 'tear' 'tar': inR1 del }]
        """#)

    /// Forms of Irish words: Snowball's rules for beginnings and endings, and rules of our own for plurals and for
    /// slender consonants at the end.
    static let irishForms = make(
        #"""
        letters vowel = aeiouáéíóú
        letters consonant = bcdfghjklmnpqrstvwxyz
        number rv r1 r2

        rule stem = ~mutation ~regions back( ~plural ~noun ~derivation ~verb ~slender )
        rule inRV = $(rv <= cursor)
        rule inR1 = $(r1 <= cursor)
        rule inR2 = $(r2 <= cursor)

        rule regions = $(rv = limit) $(r1 = limit) $(r2 = limit)
            ~( >>vowel mark rv >>^vowel mark r1 >>vowel >>^vowel mark r2 )

        # The beginning of a word as it is without eclipsis, lenition or an elided particle.
        rule mutation = [{
            'h-' 'n-' 't-' 'd\'' 'm\'' 'b\'': del; 'h': @vowel del;
            'd\'fh' 'bhf' 'fh': ->'f'; 'sh' 'ts': ->'s'; 'mb' 'bh': ->'b'; 'gc' 'ch': ->'c'; 'nd' 'dh': ->'d'; 'ng' 'gh': ->'g';
            'bp' 'ph': ->'p'; 'dt' 'th': ->'t'; 'mh': ->'m' }]

        rule plural = [{ 'anna' 'eanna' 'aí' 'acha' 'eacha' 'í' 'a' 'e' 'annaí' 'eannaí' 'ta' 'te': inR1 del }]
        rule noun = [{ 'amh' 'eamh' 'abh' 'eabh' 'aibh' 'ibh' 'aimh' 'imh' 'aíocht' 'íocht': inR1 del }]
        rule derivation = [{ 'acht' 'eacht' 'each' 'ach': inR2 del }]
        rule verb = [{
            'imid' 'aimid' 'ímid' 'aímid' 'faidh' 'fidh': inRV del;
            'ain' 'eadh' 'adh' 'áil' 'tear' 'tar': inR1 del }]
        # A consonant at the end is slender in the genitive and the plural: boird of bord, leabhair of leabhar.
        rule slender = +consonant ['i'] @vowel del
        """#)
}
