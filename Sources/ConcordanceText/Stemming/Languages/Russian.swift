extension StemProgram {
    /// Russian, by the Snowball algorithm of M. F. Porter, https://snowballstem.org/algorithms/russian/stemmer.html
    static let russian = make(
        #"""
        letters vowel = аеиоуыэюя
        number rv r2

        rule stem =
            ~*( >( ['ё'] ) ->'е' )
            $(rv = limit) $(r2 = limit)
            ~( >>vowel mark rv >>^vowel >>vowel >>^vowel mark r2 )
            back behind rv (
                ~( gerund | ( ?reflexive ( adjectival | verb | noun ) ) )
                ?( ['и'] del )
                ~derivational
                ~tidy
            )

        rule gerund = [{
            'в' 'вши' 'вшись': ( 'а' | 'я' ) del;
            'ив' 'ивши' 'ившись' 'ыв' 'ывши' 'ывшись': del }]
        rule reflexive = [{ 'ся' 'сь': del }]
        rule adjectival = adjective ?participle
        rule adjective = [{
            'ее' 'ие' 'ые' 'ое' 'ими' 'ыми' 'ей' 'ий' 'ый' 'ой' 'ем' 'им' 'ым' 'ом' 'его' 'ого' 'ему' 'ому'
            'их' 'ых' 'ую' 'юю' 'ая' 'яя' 'ою' 'ею': del }]
        rule participle = [{
            'ем' 'нн' 'вш' 'ющ' 'щ': ( 'а' | 'я' ) del;
            'ивш' 'ывш' 'ующ': del }]
        rule verb = [{
            'ла' 'на' 'ете' 'йте' 'ли' 'й' 'л' 'ем' 'н' 'ло' 'но' 'ет' 'ют' 'ны' 'ть' 'ешь' 'нно': ( 'а' | 'я' ) del;
            'ила' 'ыла' 'ена' 'ейте' 'уйте' 'ите' 'или' 'ыли' 'ей' 'уй' 'ил' 'ыл' 'им' 'ым' 'ен' 'ило' 'ыло' 'ено' 'ят'
            'ует' 'уют' 'ит' 'ыт' 'ены' 'ить' 'ыть' 'ишь' 'ую' 'ю': del }]
        rule noun = [{
            'а' 'ев' 'ов' 'ие' 'ье' 'е' 'иями' 'ями' 'ами' 'еи' 'ии' 'и' 'ией' 'ей' 'ой' 'ий' 'й' 'иям' 'ям' 'ием'
            'ем' 'ам'
            'ом' 'о' 'у' 'ах' 'иях' 'ях' 'ы' 'ь' 'ию' 'ью' 'ю' 'ия' 'ья' 'я': del }]
        rule derivational = [{ 'ост' 'ость': $(r2 <= cursor) del }]
        rule tidy = [{
            'ейш' 'ейше': del ['н'] 'н' del;
            'н': 'н' del;
            'ь': del }]
        """#)
}
