extension StemProgram {
    /// Serbian, by the Snowball algorithm of Stefan Petkovic and Dragan Ivanovic,
    /// https://snowballstem.org/algorithms/serbian/stemmer.html
    static let serbian = make(
        #"""
        letters vowel = aeiou
        letters marked = čćžšđ
        letters consonant = bvgdzjklmnprstfhc <marked>
        letters r = r
        number r1 isPlain

        rule stem = ~latin ~ekavian ~regions back( ~alternation ~( suffix | ending ) )
        rule inR1 = $(r1 <= cursor)
        # Suffixes typed without marks count only in words without marks.
        rule plain = $(isPlain == 1)

        rule latin = *( >( [{
            'а': ->'a'; 'б': ->'b'; 'в': ->'v'; 'г': ->'g'; 'д': ->'d'; 'ђ': ->'đ'; 'е': ->'e'; 'ж': ->'ž'; 'з': ->'z';
            'и': ->'i';
            'ј': ->'j'; 'к': ->'k'; 'л': ->'l'; 'љ': ->'lj'; 'м': ->'m'; 'н': ->'n'; 'њ': ->'nj'; 'о': ->'o';
            'п': ->'p';
            'р': ->'r'; 'с': ->'s'; 'т': ->'t'; 'ћ': ->'ć'; 'у': ->'u'; 'ф': ->'f'; 'х': ->'h'; 'ц': ->'c'; 'ч': ->'č';
            'џ': ->'dž';
            'ш': ->'š' }] ) )

        # Ijekavian as ekavian: mlijeko, mleko.
        rule ekavian =
            ~*( >( consonant ['ije'] consonant ->'e' ) )
            ~*( >( consonant ['je'] consonant ->'e' ) )
            ~*( >( ['dj'] ->'đ' ) )

        rule regions = $(isPlain = 1) ~( >>marked $(isPlain = 0) ) $(r1 = limit)
            ~( >>vowel mark r1 $(r1 < 2) >>^vowel mark r1 )
            ~( >>'r' ( $(cursor >= 2) | >>^r ) $(r1 > cursor + 1) mark r1 )

        rule alternation = [{
            'lozi' 'lozima': ->'loga'; 'pesi' 'pesima': ->'peh'; 'vojci': ->'vojka'; 'bojci': ->'bojka'; 'jaci'
            'jacima': ->'jak'; 'čajan': ->'čajni'; 'cajan': plain ->'cajni'; 'eran': ->'erni'; 'laran': ->'larni';
            'esan': ->'esni'; 'anjac': ->'anjca'; 'ajac' 'ajaca': ->'ajca'; 'ljaca' 'ljac': ->'ljca'; 'ejac' 'ejaca':
            ->'ejca'; 'ojac' 'ojaca': ->'ojca'; 'ajaka': ->'ajka'; 'ojaka': ->'ojka'; 'šaca' 'šac': ->'šca'; 'inzima'
            'inzi': ->'ing'; 'tvenici': ->'tvenik'; 'tetici' 'teticima': ->'tetika'; 'nstava': ->'nstva'; 'nicima':
            ->'nik'; 'ticima': ->'tik'; 'zicima': ->'zik'; 'snici': ->'snik'; 'kuse': ->'kusi'; 'kusan': ->'kusni';
            'kustava': ->'kustva'; 'dušan': ->'dušni'; 'dusan': plain ->'dusni'; 'antan': ->'antni'; 'bilan':
            ->'bilni'; 'tilan': ->'tilni'; 'avilan': ->'avilni'; 'silan': ->'silni'; 'gilan': ->'gilni'; 'rilan':
            ->'rilni'; 'nilan': ->'nilni'; 'alan': ->'alni'; 'ozan': ->'ozni'; 'rave': ->'ravi'; 'stavan': ->'stavni';
            'pravan': ->'pravni'; 'tivan': ->'tivni'; 'sivan': ->'sivni'; 'atan': ->'atni'; 'enat': ->'enta'; 'tetan':
            ->'tetni'; 'pletan': ->'pletni'; 'šave': ->'šavi'; 'save': plain ->'savi'; 'anata': ->'anta'; 'ačak'
            'ačaka': ->'ačka'; 'acak' 'acaka': plain ->'acka'; 'ušak': ->'uška'; 'usak': plain ->'uska'; 'atak'
            'ataka' 'atci' 'atcima': ->'atka'; 'etak' 'etaka': ->'etka'; 'itak' 'itaka' 'itci': ->'itka'; 'otak'
            'otaka': ->'otka'; 'utak' 'utaka' 'utci' 'utcima': ->'utka'; 'eskan': ->'eskna'; 'tičan': ->'tični';
            'tican': plain ->'ticni'; 'ojsci': ->'ojska'; 'esama': ->'esma'; 'metar' 'metara': ->'metra'; 'centar'
            'centara': ->'centra'; 'istar' 'istara': ->'istra'; 'ošću': ->'osti'; 'oscu': plain ->'osti'; 'daba':
            ->'dba'; 'čcima' 'čci': ->'čka'; 'mac' 'maca': ->'mca'; 'naca' 'nac': ->'nca'; 'voljan': ->'voljni';
            'anaka': ->'anki'; 'vac' 'vaca': ->'vca'; 'saca' 'sac': ->'sca'; 'raca' 'rac': ->'rca'; 'aoca' 'alaca'
            'alac': ->'alca'; 'elaca' 'elac': ->'elca'; 'olaca' 'olac' 'olce': ->'olca'; 'njac' 'njaca': ->'njca';
            'ekata' 'ekat': ->'ekta'; 'izam' 'izama': ->'izma'; 'jebe': ->'jebi'; 'baci': ->'baci'; 'ašan': ->'ašni';
            'asan': plain ->'asni' }]

        rule suffix = [{ : inR1;
            'skijima' 'skijega' 'skijemu' 'skijem' 'skega' 'skemu' 'skem' 'skijim' 'skijih' 'skijoj' 'skijeg' 'skiji'
            'skije' 'skija' 'skoga' 'skome' 'skomu' 'skima' 'skog' 'skom' 'skim' 'skih' 'skoj' 'ski' 'ske' 'sko' 'ska'
            'sku': ->'sk'; 'škijima' 'škijega' 'škijemu' 'škijem' 'škega' 'škemu' 'škem' 'škijim' 'škijih' 'škijoj'
            'škijeg' 'škiji' 'škije' 'škija' 'škoga' 'škome' 'škomu' 'škima' 'škog' 'škom' 'škim' 'ških' 'škoj' 'ški'
            'ške' 'ško' 'ška' 'šku': ->'šk'; 'stvima' 'stvom' 'stvo' 'stva' 'stvu': ->'stv'; 'štvima' 'štvom' 'štvo'
            'štva' 'štvu': ->'štv'; 'tanijama' 'tanijima' 'tanijom' 'tanija' 'taniju' 'tanije' 'taniji': ->'tanij';
            'manijama' 'manijima' 'manijom' 'manija' 'maniju' 'manije' 'maniji': ->'manij'; 'panijama' 'panijima'
            'panijom' 'panija' 'paniju' 'panije' 'paniji': ->'panij'; 'ranijama' 'ranijima' 'ranijom' 'ranija'
            'raniju' 'ranije' 'raniji': ->'ranij'; 'ganijama' 'ganijima' 'ganijom' 'ganija' 'ganiju' 'ganije'
            'ganiji': ->'ganij'; 'aninom' 'anina' 'aninu' 'anine' 'anima' 'anin' 'anom' 'anu' 'ani' 'ana' 'ane'
            'anemu' 'anega' 'aneg' 'anem': ->'an'; 'inima' 'inama' 'inom' 'ina' 'ine' 'ini' 'inu' 'ino': ->'in';
            'onovima' 'onova' 'onove' 'onovi' 'onima' 'onom' 'ona' 'one' 'oni' 'onu': ->'on'; 'nijima' 'nijega'
            'nijemu' 'nijeg' 'nijem' 'nega' 'nemu' 'neg' 'nem' 'nijim' 'nijih' 'nijoj' 'niji' 'nije' 'nija' 'niju'
            'nima' 'nome' 'nomu' 'noga' 'noj' 'nom' 'nih' 'nim' 'nog' 'no' 'ne' 'na' 'nu' 'ni' 'nuvši' 'nusmo' 'nuste'
            'nući' 'nimo' 'nite' 'nemo' 'nete' 'nula' 'nulo' 'nule' 'nuli' 'nuto' 'nuti' 'nuta' 'neš' 'nuo' 'nut':
            ->'n'; 'aćoga' 'aćome' 'aćomu' 'aćega' 'aćemu' 'aćima' 'aćoj' 'aćih' 'aćom' 'aćeg' 'aćem' 'aćog' 'aćuh'
            'aćim' 'aće' 'aća': ->'ać'; 'ećoga' 'ećome' 'ećomu' 'ećega' 'ećemu' 'ećima' 'ećoj' 'ećih' 'ećom' 'ećeg'
            'ećem' 'ećog' 'ećuh' 'ećim' 'eće' 'eća': ->'eć'; 'ućoga' 'ućome' 'ućomu' 'ućega' 'ućemu' 'ućima' 'ućoj'
            'ućih' 'ućom' 'ućeg' 'ućem' 'ućog' 'ućuh' 'ućim' 'uće' 'uća': ->'uć'; 'ugovima' 'ugovi' 'ugove' 'ugova':
            ->'ugov'; 'ugama' 'ugom' 'uga' 'uge' 'ugi' 'ugu' 'ugo': ->'ug'; 'logama' 'logom' 'loga' 'logu' 'loge':
            ->'log'; 'govima' 'gama' 'govi' 'gove' 'gova' 'gom' 'ga' 'ge' 'gi' 'gu' 'go': ->'g'; 'rarijem' 'rarija'
            'rariju' 'rario': ->'rari'; 'otijem' 'otija' 'otiju' 'otio': ->'oti'; 'sijem' 'sija' 'siju' 'sio': ->'si';
            'lijem' 'lija' 'liju' 'lio': ->'li'; 'ujući' 'ujemo' 'ujete' 'ujmo' 'ujem' 'uješ' 'uje' 'uju': ->'uj';
            'cajevima' 'cajevi' 'cajeva' 'cajeve' 'cajama' 'cajima' 'cajem' 'caja' 'caje' 'caji' 'caju': ->'caj';
            'čajevima' 'čajevi' 'čajeva' 'čajeve' 'čajama' 'čajima' 'čajem' 'čaja' 'čaje' 'čaji' 'čaju': ->'čaj';
            'ćajevima' 'ćajevi' 'ćajeva' 'ćajeve' 'ćajama' 'ćajima' 'ćajem' 'ćaja' 'ćaje' 'ćaji' 'ćaju': ->'ćaj';
            'đajevima' 'đajevi' 'đajeva' 'đajeve' 'đajama' 'đajima' 'đajem' 'đaja' 'đaje' 'đaji' 'đaju': ->'đaj';
            'lajevima' 'lajevi' 'lajeva' 'lajeve' 'lajama' 'lajima' 'lajem' 'laja' 'laje' 'laji' 'laju': ->'laj';
            'rajevima' 'rajevi' 'rajeva' 'rajeve' 'rajama' 'rajima' 'rajem' 'raja' 'raje' 'raji' 'raju': ->'raj';
            'bijima' 'bijama' 'bijom' 'bija' 'bije' 'biji' 'biju' 'bijo': ->'bij'; 'cijima' 'cijama' 'cijom' 'cija'
            'cije' 'ciji' 'ciju' 'cijo': ->'cij'; 'dijima' 'dijama' 'dijom' 'dija' 'dije' 'diji' 'diju' 'dijo':
            ->'dij'; 'lijima' 'lijama' 'lijom' 'lije' 'liji' 'lijo': ->'lij'; 'nijama' 'nijom' 'nijo': ->'nij';
            'mijima' 'mijama' 'mijom' 'mija' 'mije' 'miji' 'miju' 'mijo': ->'mij'; 'žijima' 'žijama' 'žijom' 'žija'
            'žije' 'žiji' 'žiju' 'žijo': ->'žij'; 'gijima' 'gijama' 'gijom' 'gija' 'gije' 'giji' 'giju' 'gijo':
            ->'gij'; 'fijima' 'fijama' 'fijom' 'fija' 'fije' 'fiji' 'fiju' 'fijo': ->'fij'; 'pijima' 'pijama' 'pijom'
            'pija' 'pije' 'piji' 'piju' 'pijo': ->'pij'; 'rijima' 'rijama' 'rijom' 'rija' 'rije' 'riji' 'riju' 'rijo':
            ->'rij'; 'sijima' 'sijama' 'sijom' 'sije' 'siji' 'sijo': ->'sij'; 'tijima' 'tijama' 'tijom' 'tija' 'tije'
            'tiji' 'tiju' 'tijo': ->'tij'; 'zijima' 'zijama' 'zijom' 'zija' 'zije' 'ziji' 'ziju' 'zijo': ->'zij';
            'nalima' 'nalama' 'nalom' 'nala' 'nale' 'nali' 'nalu' 'nalo': ->'nal'; 'ijalima' 'ijalama' 'ijalom'
            'ijala' 'ijale' 'ijali' 'ijalu' 'ijalo': ->'ijal'; 'ozilima' 'ozilom' 'ozila' 'ozile' 'ozilu' 'ozili':
            ->'ozil'; 'olovima' 'olovi' 'olova' 'olove': ->'olov'; 'olima' 'olom' 'ola' 'olu' 'ole' 'oli': ->'ol';
            'lemama' 'lemima' 'lemom' 'lema' 'leme' 'lemi' 'lemu' 'lemo': ->'lem'; 'ramama' 'ramom' 'rama' 'rame'
            'rami' 'ramu' 'ramo': ->'ram'; 'arama' 'arima' 'arom' 'aru' 'ara' 'are' 'ari': ->'ar'; 'drama' 'drima'
            'drom' 'dru' 'dra' 'dre' 'dri': ->'dr'; 'erama' 'erima' 'erom' 'eru' 'era' 'ere' 'eri': ->'er'; 'orama'
            'orima' 'orom' 'oru' 'ora' 'ore' 'ori': ->'or'; 'esima' 'esom' 'ese' 'esa' 'esu': ->'es'; 'isima' 'isom'
            'ise' 'isa' 'isu': ->'is'; 'tašama' 'tašima' 'tašom' 'tašem' 'taša' 'tašu' 'taši' 'taše': ->'taš';
            'našama' 'našima' 'našom' 'našem' 'naša' 'našu' 'naši' 'naše': ->'naš'; 'jašama' 'jašima' 'jašom' 'jašem'
            'jaša' 'jašu' 'jaši' 'jaše': ->'jaš'; 'kašama' 'kašima' 'kašom' 'kašem' 'kaša' 'kašu' 'kaši' 'kaše':
            ->'kaš'; 'bašama' 'bašima' 'bašom' 'bašem' 'baša' 'bašu' 'baši' 'baše': ->'baš'; 'gašama' 'gašima' 'gašom'
            'gašem' 'gaša' 'gašu' 'gaši' 'gaše': ->'gaš'; 'vašama' 'vašima' 'vašom' 'vašem' 'vaša' 'vašu' 'vaši'
            'vaše': ->'vaš'; 'ešima' 'ešama' 'ešom' 'ešem' 'eši' 'eše' 'eša' 'ešu': ->'eš'; 'išima' 'išama' 'išom'
            'išem' 'iši' 'iše' 'iša' 'išu': ->'iš'; 'ikatima' 'ikatom' 'ikata' 'ikate' 'ikati' 'ikatu' 'ikato':
            ->'ikat'; 'latima' 'latom' 'lata' 'late' 'lati' 'latu' 'lato': ->'lat'; 'etama' 'etima' 'etom' 'eta' 'ete'
            'eti' 'etu' 'eto' 'etavši' 'etući' 'etemo' 'etimo' 'etem' 'eteš': ->'et'; 'estima' 'estama' 'estom' 'esta'
            'este' 'esti' 'estu' 'esto': ->'est'; 'istima' 'istama' 'istom' 'ista' 'iste' 'isti' 'istu' 'isto':
            ->'ist'; 'kstima' 'kstama' 'kstom' 'ksta' 'kste' 'ksti' 'kstu' 'ksto': ->'kst'; 'ostima' 'ostama' 'ostom'
            'osta' 'oste' 'osti' 'ostu' 'osto': ->'ost'; 'ištima' 'ištem' 'išta' 'ište' 'ištu': ->'išt'; 'ovasmo'
            'ovaste' 'ovahu' 'ovati' 'ovaše' 'ovali' 'ovala' 'ovale' 'ovalo' 'ovat' 'ovah' 'ovao': ->'ova'; 'avijemu'
            'avijima' 'avijega' 'avijeg' 'avijem' 'avemu' 'avega' 'aveg' 'avem' 'avijim' 'avijih' 'avijoj' 'avoga'
            'avome' 'avomu' 'avima' 'avama' 'aviji' 'avije' 'avija' 'aviju' 'avim' 'avih' 'avoj' 'avom' 'avog' 'avi'
            'ava' 'avu' 'ave' 'avo': ->'av'; 'evijemu' 'evijima' 'evijega' 'evijeg' 'evijem' 'evemu' 'evega' 'eveg'
            'evem' 'evijim' 'evijih' 'evijoj' 'evoga' 'evome' 'evomu' 'evima' 'evama' 'eviji' 'evije' 'evija' 'eviju'
            'evim' 'evih' 'evoj' 'evom' 'evog' 'evi' 'eva' 'evu' 'eve' 'evo': ->'ev'; 'ivijemu' 'ivijima' 'ivijega'
            'ivijeg' 'ivijem' 'ivemu' 'ivega' 'iveg' 'ivem' 'ivijim' 'ivijih' 'ivijoj' 'ivoga' 'ivome' 'ivomu' 'ivima'
            'ivama' 'iviji' 'ivije' 'ivija' 'iviju' 'ivim' 'ivih' 'ivoj' 'ivom' 'ivog' 'ivi' 'iva' 'ivu' 'ive' 'ivo':
            ->'iv'; 'ovijemu' 'ovijima' 'ovijega' 'ovijeg' 'ovijem' 'ovemu' 'ovega' 'oveg' 'ovijim' 'ovijih' 'ovijoj'
            'ovoga' 'ovome' 'ovomu' 'ovima' 'oviji' 'ovije' 'ovija' 'oviju' 'ovim' 'ovih' 'ovoj' 'ovom' 'ovog' 'ovi'
            'ova' 'ovu' 'ove' 'ovo': ->'ov'; 'movima' 'movom' 'mova' 'movu' 'move' 'movi': ->'mov'; 'lovima' 'lovom'
            'lova' 'lovu' 'love' 'lovi': ->'lov'; 'elijemu' 'elijima' 'elijega' 'elijeg' 'elijem' 'elemu' 'elega'
            'eleg' 'elem' 'elijim' 'elijih' 'elijoj' 'eloga' 'elome' 'elomu' 'elima' 'eliji' 'elije' 'elija' 'eliju'
            'elim' 'elih' 'eloj' 'elom' 'elog' 'eli' 'ela' 'elu' 'ele' 'elo': ->'el'; 'anjijemu' 'anjijima' 'anjijega'
            'anjijeg' 'anjijem' 'anjemu' 'anjega' 'anjeg' 'anjem' 'anjijim' 'anjijih' 'anjijoj' 'anjoga' 'anjome'
            'anjomu' 'anjima' 'anjiji' 'anjije' 'anjija' 'anjiju' 'anjim' 'anjih' 'anjoj' 'anjom' 'anjog' 'anja'
            'anje' 'anji' 'anjo' 'anju': ->'anj'; 'enjijemu' 'enjijima' 'enjijega' 'enjijeg' 'enjijem' 'enjemu'
            'enjega' 'enjeg' 'enjem' 'enjijim' 'enjijih' 'enjijoj' 'enjoga' 'enjome' 'enjomu' 'enjima' 'enjiji'
            'enjije' 'enjija' 'enjiju' 'enjim' 'enjih' 'enjoj' 'enjom' 'enjog' 'enja' 'enje' 'enji' 'enjo' 'enju':
            ->'enj'; 'šnjijemu' 'šnjijima' 'šnjijega' 'šnjijeg' 'šnjijem' 'šnjemu' 'šnjega' 'šnjeg' 'šnjem' 'šnjijim'
            'šnjijih' 'šnjijoj' 'šnjoga' 'šnjome' 'šnjomu' 'šnjima' 'šnjiji' 'šnjije' 'šnjija' 'šnjiju' 'šnjim'
            'šnjih' 'šnjoj' 'šnjom' 'šnjog' 'šnja' 'šnje' 'šnji' 'šnjo' 'šnju': ->'šnj'; 'enemu' 'enega' 'eneg'
            'enem': ->'en'; 'šnemu' 'šnega' 'šneg' 'šnem': ->'šn'; 'činama' 'činome' 'činomu' 'činoga' 'činima'
            'činog' 'činom' 'činim' 'činih' 'činoj' 'čina' 'činu' 'čini' 'čino' 'čine': ->'čin'; 'rošivši' 'rošismo'
            'rošiste' 'rošiše' 'rošimo' 'rošite' 'rošiti' 'rošili' 'rošila' 'rošilo' 'rošile' 'rošim' 'rošiš' 'rošit'
            'roših' 'rošio': ->'roši'; 'ošijemu' 'ošijima' 'ošijega' 'ošijeg' 'ošijem' 'ošemu' 'ošega' 'ošeg' 'ošem'
            'ošijim' 'ošijih' 'ošijoj' 'ošoga' 'ošome' 'ošomu' 'ošima' 'ošiji' 'ošije' 'ošija' 'ošiju' 'ošim' 'oših'
            'ošoj' 'ošom' 'ošog' 'oši' 'oša' 'ošu' 'oše': ->'oš'; 'evitijima' 'evitijega' 'evitijemu' 'evitijem'
            'evitega' 'evitemu' 'evitem' 'evitijim' 'evitijih' 'evitijoj' 'evitijeg' 'evitiji' 'evitije' 'evitija'
            'evitoga' 'evitome' 'evitomu' 'evitima' 'evitog' 'evitom' 'evitim' 'evitih' 'evitoj' 'eviti' 'evite'
            'evito' 'evita' 'evitu': ->'evit'; 'ovitijima' 'ovitijega' 'ovitijemu' 'ovitijem' 'ovitega' 'ovitemu'
            'ovitem' 'ovitijim' 'ovitijih' 'ovitijoj' 'ovitijeg' 'ovitiji' 'ovitije' 'ovitija' 'ovitoga' 'ovitome'
            'ovitomu' 'ovitima' 'ovitog' 'ovitom' 'ovitim' 'ovitih' 'ovitoj' 'oviti' 'ovite' 'ovito' 'ovita' 'ovitu':
            ->'ovit'; 'astijima' 'astijega' 'astijemu' 'astijem' 'astega' 'astemu' 'astem' 'astijim' 'astijih'
            'astijoj' 'astijeg' 'astiji' 'astije' 'astija' 'astoga' 'astome' 'astomu' 'astima' 'astog' 'astom' 'astim'
            'astih' 'astoj' 'asti' 'aste' 'asto' 'asta' 'astu': ->'ast'; 'kijemu' 'kijima' 'kijega' 'kijeg' 'kijem'
            'kemu' 'kega' 'keg' 'kem' 'kijim' 'kijih' 'kijoj' 'koga' 'kome' 'komu' 'kima' 'kiji' 'kije' 'kija' 'kiju'
            'kim' 'kih' 'koj' 'kom' 'kog' 'kov' 'ki' 'ka' 'ku' 'ke' 'ko': ->'k'; 'evajući' 'evasmo' 'evaste' 'evajmo'
            'evajte' 'evaju' 'evala' 'evale' 'evali' 'evalo' 'evamo' 'evana' 'evane' 'evani' 'evano' 'evate' 'evati'
            'evaše' 'evahu' 'evah' 'evaj' 'evam' 'evan' 'evao' 'evat' 'evav' 'evaš': ->'eva'; 'avajući' 'avasmo'
            'avaste' 'avajmo' 'avajte' 'avaju' 'avala' 'avale' 'avali' 'avalo' 'avamo' 'avana' 'avane' 'avani' 'avano'
            'avate' 'avati' 'avaše' 'avahu' 'avah' 'avaj' 'avam' 'avan' 'avao' 'avat' 'avav' 'avaš': ->'ava';
            'ivajući' 'ivasmo' 'ivaste' 'ivajmo' 'ivajte' 'ivaju' 'ivala' 'ivale' 'ivali' 'ivalo' 'ivamo' 'ivana'
            'ivane' 'ivani' 'ivano' 'ivate' 'ivati' 'ivaše' 'ivahu' 'ivah' 'ivaj' 'ivam' 'ivan' 'ivao' 'ivat' 'ivav'
            'ivaš': ->'iva'; 'uvajući' 'uvasmo' 'uvaste' 'uvajmo' 'uvajte' 'uvaju' 'uvala' 'uvale' 'uvali' 'uvalo'
            'uvamo' 'uvana' 'uvane' 'uvani' 'uvano' 'uvate' 'uvati' 'uvaše' 'uvahu' 'uvah' 'uvaj' 'uvam' 'uvan' 'uvao'
            'uvat' 'uvav' 'uvaš': ->'uva'; 'irujemo' 'irujete' 'irujući' 'irajući' 'irivat' 'irujem' 'iruješ' 'irujmo'
            'irujte' 'iravši' 'irasmo' 'iraste' 'irati' 'iramo' 'irate' 'iraju' 'iraše' 'irahu' 'irala' 'iralo'
            'irali' 'irale' 'iruje' 'iruju' 'iruj' 'iral' 'iran' 'iram' 'iraš' 'irat' 'irah' 'irao': ->'ir'; 'ačismo'
            'ačiste' 'ačiti' 'ačimo' 'ačite' 'ačiše' 'ačeći' 'ačila' 'ačilo' 'ačili' 'ačile' 'ačena' 'ačeno' 'ačeni'
            'ačene' 'ačio' 'ačim' 'ačiš' 'ačit' 'ačih' 'ačen' 'ači' 'ače': ->'ač'; 'ačavši' 'ačasmo' 'ačaste' 'ačahu'
            'ačati' 'ačamo' 'ačate' 'ačaše' 'ačala' 'ačalo' 'ačali' 'ačale' 'ačaju' 'ačana' 'ačano' 'ačani' 'ačane'
            'ačao' 'ačam' 'ačaš' 'ačat' 'ačah' 'ačan': ->'ača'; 'nivši' 'nismo' 'niste' 'niti' 'nila' 'nilo' 'nile'
            'nili' 'niš' 'nio': ->'ni'; 'ajući' 'avši' 'asmo' 'ajmo' 'ajte' 'ajem' 'aloj' 'amo' 'ate' 'aje' 'aju'
            'ati' 'aše' 'ahu' 'ala' 'ali' 'ale' 'alo' 'ano' 'at' 'ah' 'ao' 'aj' 'an' 'am' 'aš' 'alama' 'alima' 'alom'
            'alu' 'al': ->'a'; 'urajući' 'urasmo' 'uraste' 'urajmo' 'urajte' 'uramo' 'urate' 'uraju' 'urati' 'uraše'
            'urahu' 'urala' 'urali' 'urale' 'uralo' 'urana' 'urano' 'urani' 'urane' 'ural' 'urat' 'urah' 'urao' 'uraj'
            'uran' 'uram' 'uraš': ->'ur'; 'astajasmo' 'astajaste' 'astajahu' 'astajati' 'astajemo' 'astajete'
            'astajaše' 'astajali' 'astajući' 'astajala' 'astajalo' 'astajale' 'astajmo' 'astajao' 'astajem' 'astaješ'
            'astajat' 'astajah' 'astajte' 'astaje' 'astaju': ->'astaj'; 'istajasmo' 'istajaste' 'istajahu' 'istajati'
            'istajemo' 'istajete' 'istajaše' 'istajali' 'istajući' 'istajala' 'istajalo' 'istajale' 'istajmo'
            'istajao' 'istajem' 'istaješ' 'istajat' 'istajah' 'istajte' 'istaje' 'istaju': ->'istaj'; 'ostajasmo'
            'ostajaste' 'ostajahu' 'ostajati' 'ostajemo' 'ostajete' 'ostajaše' 'ostajali' 'ostajući' 'ostajala'
            'ostajalo' 'ostajale' 'ostajmo' 'ostajao' 'ostajem' 'ostaješ' 'ostajat' 'ostajah' 'ostajte' 'ostaje'
            'ostaju': ->'ostaj'; 'ajevima' 'ajevi' 'ajeva' 'ajeve' 'ajama' 'ajima' 'aja' 'aji': ->'aj'; 'astadosmo'
            'astadoste' 'astadoše' 'astanemo' 'astademo' 'astanete' 'astadete' 'astanimo' 'astanite' 'astanila'
            'astavši' 'astanem' 'astadem' 'astaneš' 'astadeš' 'astadoh' 'astade' 'astati' 'astane' 'astanu' 'astadu'
            'astala' 'astali' 'astalo' 'astale' 'astat' 'astao': ->'asta'; 'istadosmo' 'istadoste' 'istadoše'
            'istanemo' 'istademo' 'istanete' 'istadete' 'istanimo' 'istanite' 'istanila' 'istavši' 'istanem' 'istadem'
            'istaneš' 'istadeš' 'istadoh' 'istade' 'istati' 'istane' 'istanu' 'istadu' 'istala' 'istali' 'istalo'
            'istale' 'istat' 'istao': ->'ista'; 'ostadosmo' 'ostadoste' 'ostadoše' 'ostanemo' 'ostademo' 'ostanete'
            'ostadete' 'ostanimo' 'ostanite' 'ostanila' 'ostavši' 'ostanem' 'ostadem' 'ostaneš' 'ostadeš' 'ostadoh'
            'ostade' 'ostati' 'ostane' 'ostanu' 'ostadu' 'ostala' 'ostali' 'ostalo' 'ostale' 'ostat' 'ostao':
            ->'osta'; 'tasmo' 'taste' 'tajmo' 'tajte' 'tavši' 'tati' 'tamo' 'tate' 'taju' 'tala' 'talo' 'tale' 'tali'
            'tana' 'tano' 'tani' 'tane' 'tan' 'taj' 'tao' 'tam' 'taš' 'tat' 'tah': ->'ta'; 'injasmo' 'injaste'
            'injati' 'injemo' 'injete' 'injali' 'injala' 'injalo' 'injale' 'injaše' 'injahu' 'injem' 'inješ' 'injat'
            'injah' 'injao': ->'inj'; 'astemo' 'astete' 'astimo' 'astite' 'astući' 'asteš' 'asli' 'asla' 'aslo'
            'asle': ->'as'; 'ivši' 'ieći' 'ismo' 'imo' 'ite' 'iti' 'ili' 'ila' 'ilo' 'ile' 'im' 'iš' 'it' 'ih' 'io'
            'ijemo' 'ijete' 'ijem' 'iješ' 'ijmo' 'ijte' 'iju' 'ije' 'ij' 'ilu' 'ilama' 'ilima' 'ilom' 'il': ->'i';
            'lučujete' 'lučujući' 'lučujemo' 'lučujem' 'lučuješ' 'lučismo' 'lučiste' 'lučujmo' 'lučujte' 'lučuje'
            'lučuju' 'lučiše' 'lučiti' 'lučimo' 'lučite' 'lučila' 'lučilo' 'lučili' 'lučile' 'lučena' 'lučeno'
            'lučeni' 'lučene' 'lučuj' 'lučio' 'lučen' 'lučim' 'lučiš' 'lučit' 'lučih' 'luče' 'luči': ->'luč';
            'jetismo' 'jetiste' 'jetiše' 'jetimo' 'jetite' 'jetiti' 'jetili' 'jetila' 'jetilo' 'jetile' 'jetim'
            'jetiš' 'jetit' 'jetih' 'jetio': ->'jeti'; 'emo' 'em' 'eš' 'elama' 'el': ->'e'; 'atijega' 'atijemu'
            'atijima' 'atijeg' 'atijem' 'atega' 'atemu' 'ateg' 'atem' 'atijih' 'atijim' 'atima' 'atoga' 'atome'
            'atomu' 'atiji' 'atije' 'atija' 'atiju' 'atoj' 'atog' 'atom' 'atim' 'atih' 'ata' 'atu' 'ato': ->'at';
            'lucujuci' 'lucujemo' 'lucujete' 'lucujem' 'lucujes' 'lucujmo' 'lucujte' 'lucismo' 'luciste' 'luciti'
            'lucite' 'lucise' 'lucuje' 'lucuju' 'lucila' 'lucile' 'lucili' 'lucilo' 'lucena' 'luceni' 'lucene'
            'luceno' 'lucimo' 'lucim' 'lucis' 'lucih' 'lucit' 'lucio' 'lucuj' 'lucen' 'luce' 'luci': plain ->'luc';
            'snjijima' 'snjijemu' 'snjijega' 'snjijim' 'snjijih' 'snjijeg' 'snjijoj' 'snjiji' 'snjija' 'snjije'
            'snjiju' 'snjima' 'snjemu' 'snjomu' 'snjome' 'snjega' 'snjoga' 'snjih' 'snjim' 'snjem' 'snjom' 'snjeg'
            'snjog' 'snjoj' 'snja' 'snje' 'snji' 'snjo' 'snju': plain ->'snj'; 'osijima' 'osijemu' 'osijega' 'snjijem'
            'osijih' 'osijim' 'osijem' 'osijeg' 'osijoj' 'osima' 'osemu' 'osomu' 'osome' 'osega' 'osoga' 'osija'
            'osije' 'osiji' 'osiju' 'osih' 'osim' 'osem' 'osom' 'oseg' 'osog' 'osoj' 'osa' 'ose' 'osi' 'osu': plain
            ->'os'; 'acismo' 'aciste' 'acima' 'acimo' 'acome' 'acomu' 'acite' 'aciti' 'acise' 'acila' 'acile' 'acili'
            'acilo' 'acega' 'acene' 'aceci' 'aceni' 'acemu' 'acena' 'aceno' 'acoga' 'acoj' 'acih' 'acem' 'acom' 'acen'
            'acog' 'acit' 'acio' 'aceg' 'acim' 'acuh' 'acis' 'ace' 'aca' 'aci': plain ->'ac'; 'ecome' 'ecoga' 'ecemu'
            'ecima' 'ecega' 'ecomu' 'ecoj' 'ecuh' 'ecom' 'ecog' 'eceg' 'ecih' 'ecem' 'ecim' 'eca' 'ece': plain ->'ec';
            'ucomu' 'ucome' 'ucima' 'ucoga' 'ucega' 'ucemu' 'ucih' 'ucog' 'uceg' 'ucom' 'ucem' 'ucim' 'ucuh' 'ucoj'
            'uca' 'uce': plain ->'uc'; 'rosismo' 'rosivsi' 'rosiste' 'rositi' 'rosili' 'rosise' 'rosite' 'rosilo'
            'rosimo' 'rosile' 'rosila' 'rosit' 'rosis' 'rosio' 'rosim' 'rosih': plain ->'rosi'; 'acavsi' 'acaste'
            'acasmo' 'acaju' 'acane' 'acate' 'acali' 'acani' 'acati' 'acale' 'acahu' 'acase' 'acano' 'acamo' 'acalo'
            'acana' 'acala' 'acam' 'acan' 'acao' 'acas' 'acat' 'acah': plain ->'aca'; 'jasima' 'jasama' 'jasem'
            'jasom' 'jase' 'jasi' 'jasa' 'jasu': plain ->'jas'; 'tasima' 'tasama' 'tasem' 'tasom' 'tase' 'tasa' 'tasu'
            'tasi': plain ->'tas'; 'gasima' 'gasama' 'gasem' 'gasom' 'gasi' 'gasu' 'gase' 'gasa': plain ->'gas';
            'nasama' 'nasima' 'nasem' 'nasom' 'nasu' 'nasi' 'nase' 'nasa': plain ->'nas'; 'kasama' 'kasima' 'kasom'
            'kasem' 'kasi' 'kasu' 'kase' 'kasa': plain ->'kas'; 'vasama' 'vasima' 'vasom' 'vasem' 'vasi' 'vase' 'vasa'
            'vasu': plain ->'vas'; 'basama' 'basima' 'basom' 'basem' 'basi' 'base' 'basu' 'basa': plain ->'bas';
            'astuci' 'astes': plain ->'as'; 'cinima' 'cinome' 'cinama' 'cinomu' 'cinoga' 'cinom' 'cinih' 'cinim'
            'cinog' 'cinoj' 'cino' 'cini' 'cinu' 'cine' 'cina': plain ->'cin'; 'astajase' 'astajuci' 'astajes': plain
            ->'astaj'; 'istajase' 'istajuci' 'istajes': plain ->'istaj'; 'ostajase' 'ostajuci' 'ostajes': plain
            ->'ostaj'; 'astadose' 'astades' 'astanes' 'astavsi': plain ->'asta'; 'istadose' 'istades' 'istanes'
            'istavsi': plain ->'ista'; 'ostadose' 'ostades' 'ostanes' 'ostavsi': plain ->'osta'; 'avajuci' 'avase'
            'avas': plain ->'ava'; 'evajuci' 'evase' 'evas': plain ->'eva'; 'ivajuci' 'ivase' 'ivas': plain ->'iva';
            'uvajuci' 'uvase' 'uvas': plain ->'uva'; 'ovase': plain ->'ova'; 'jetise' 'jetis': plain ->'jeti';
            'injase' 'injes': plain ->'inj'; 'istem': plain ->'ist'; 'esama' 'esem' 'esi': plain ->'es'; 'etavsi'
            'etuci' 'etes': plain ->'et'; 'isama' 'isem' 'isi': plain ->'is'; 'irajuci' 'irujuci' 'irujes' 'iravsi'
            'irase' 'iras': plain ->'ir'; 'urajuci' 'urase' 'uras': plain ->'ur'; 'ujuci' 'ujes': plain ->'uj';
            'nivsi' 'nis': plain ->'ni'; 'snega' 'snemu' 'snem' 'sneg': plain ->'sn'; 'tavsi' 'tas': plain ->'ta';
            'ajuci' 'avsi' 'ase' 'as': plain ->'a'; 'ijes' 'ivsi' 'ieci' 'is': plain ->'i'; 'es': plain ->'e'; 'nuvsi'
            'nuci' 'nes': plain ->'n' }]

        rule ending = [{ : inR1;
            'enom' 'enoj' 'enog' 'enim' 'enih' 'anoj' 'anog' 'anim' 'anih' 'ost' 'eno' 'eni' 'oga' 'ima' 'enu' 'ena'
            'ama' 'ano' 'ani' 'om' 'og' 'u' 'o' 'i' 'e' 'a': del }]
        """#)
}
