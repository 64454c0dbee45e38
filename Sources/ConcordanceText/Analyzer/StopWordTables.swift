// Made by Scripts/languages/stop_words.py; do not edit.
//
// Function words by frequency in treebanks of Universal Dependencies (https://universaldependencies.org), lists of
// Snowball (https://snowballstem.org; copyright 2001 Martin Porter, 2002 Richard Boulton; 3-clause BSD licence), and
// words of our own.

enum StopWordTables {
    /// The stop words of a language, with spaces between them; nil for a language without a list here.
    static func words(of language: TextLanguage) -> StaticString? {
        switch language {
        // UD Arabic-PUD, CC BY-SA 3.0; our words.
        case .arabic:
            """
            أحد أمام أن أنا أنه أنها أو أولئك أي أية أيضا أين أيها إحدى إذا إلا إلى إلي إليه إليها إن إنه التي الذان \
            الذي الذين اللاتي اللذان ب بأن بعد بعض بل به بها بهم بين تجاه تحت تكن تكون تلك ثم جراء جميع حتى حول حيث \
            حين خارج خلال داخل دون ذلك س سوف سوى شبه ضد طوال عبر عدة على علي عليه عليها عن عند عندما عنه عنها غير ف \
            فوق في فيما فيه فيها ق قبل قد ك كان كانا كانت كانوا كل كم كما كنت كي كيف ل لأن لا لدى لدي لكن لم لماذا \
            لن له لها لهم لو ليس ليست ما ماذا متى مثل مع معظم مما من منذ منه منها نا ه ها هذا هذه هل هم هما هو هي و \
            وعلى وفق وفي وقد وكان وكانت ولا وما ومن وهو وهي ي يكون
            """
        // Our words.
        case .bulgarian:
            """
            а аз ако ала бе без беше би бил била били било бих биха бъдат бъде бях бяха в вас ваш вече вие всеки \
            всички всичко всяка всяко във върху ги го да де до докато друг друга други друго е един една едни едно \
            ето за защо защото и или им как каква какви какво както какъв като кога когато кого кое което кои които \
            кой който колко кому коя която къде към ли ме между мен мене ми много мой моя моят моята му на над най \
            нас наш наша не него негов негова неговата неговия негово неин нейна нещо нея ни ние никой нито нищо но \
            някои някой някоя няма нямаше около онази онзи онова освен от още пак по по- повече под понеже пред \
            преди през при с са само свои свой своя своята се си след сме според срещу сте съм със също тази така \
            такава такива такова такъв там твой твоя те теб тези техен техни ти то това тогава този той тук тъй тя \
            тях че чиито чий чия чрез ще я
            """
        // Our words.
        case .bengali:
            """
            অথবা অনেক আগে আছে আপনার আপনি আমরা আমাকে আমাদের আমার আমি আর আরও উপর এ এই এক একটা একটি এখন এটা এটি এবং এর \
            ও ওই কখন কত করা করে করেছে করেছেন করেন কাকে কার কারণ কি কিছু কিন্তু কী কীভাবে কে কেন কোথায় কোন খুব ছিল \
            ছিলেন জন্য তখন তবে তাকে তাদের তার তারা তাহলে তিনি তুমি তোমার থেকে দিয়ে নয় না নেই পরে পর্যন্ত প্রতি বা \
            মধ্যে যখন যদি যা যাকে যার যে যেমন শুধু সকল সঙ্গে সব সাথে সে সেই সেটা হবে হয় হয়ে হয়েছিল হয়েছে
            """
        // Our words.
        case .catalan:
            """
            a abans així això al algun alguna algunes alguns allà allò als altra altre altres amb aquell aquella \
            aquelles aquells aquest aquesta aquestes aquests aquí cada cap com contra d de del dels des després \
            doncs durant el ell ella elles ells els em en encara ens entre era eren es estan estat estava estaven \
            està et fins foren fou ha han haver havia havien he hem heu hi ho i ja jo l la les li llur llurs lo ma \
            mateix mateixa me mentre meu meus meva meves mitjançant molt molta moltes molts mon més n ne ni no només \
            nosaltres nostra nostre nostres o on pel pels per perquè però poc poden podia pot qual quals quan quant \
            quanta quantes quants que qui quin quina quines quins què s sa se segons sense ser seran seria serà seu \
            seus seva seves si sigui siguin sigut sinó sobre son sota sí són ta també tan tant te tenen tenia teu \
            teva ton tot tota totes tots tu té un una unes uns us va vam van vas vau vosaltres vostra vostre és
            """
        // UD Czech-CAC, CC BY-SA 4.0; our words.
        case .czech:
            """
            a aby abychom abyste ale ani asi až bez bude budeme budou by bychom byl byla byli bylo byly být co což \
            do dosud ho i jací jak jako jaká jaké jaký je jeho jehož jejich její jen jestliže jež ji jim jsem jsme \
            jsou já jí k kam každou každá každého každý kde kdo kdy když ke koho kolem kolik komu kromě kterou která \
            které který kteří li mezi mu na nad naše našeho našich naší ne nebo nejen nejsou není než nichž nikdy \
            nám nás někdy několik některé některých o od odkud po pod podle pokud pomocí pro proti proto protože \
            proč před přes při s se si sobě svou své svých svůj tak takové tehdy ten tento to toho tohoto tom tomto \
            tomu tomuto toto tu tuto tyto této tím těch těchto u v ve vám však všech všechno všechny všem všemi \
            všichni vždy z za ze čeho čemu či čí že
            """
        // UD Danish-DDT, CC BY-SA 4.0; Snowball; our words.
        case .danish:
            """
            ad af alle alt anden andet andre at begge blandt blev blevet blive bliver bør da de dem den denne der \
            deres det dette dig din disse dog du efter eller en end er et for fordi fra før gennem ham han hans har \
            havde have hende hendes her hinanden hos hun hvad hvem hver hvert hvilke hvilken hvilket hvis hvor \
            hvordan hvorfor hvornår i idet ifølge igennem ikke ind inden ingen jeg jer jo kan kunne man mange med \
            meget mellem men mens mig min mine mit mod må måtte ned nogen noget nogle nu når og også om omkring op \
            os over på samt selv sig sin sine sit skal skulle som sådan thi til ud uden under var ved vi via vil \
            ville vor vore vores være været én
            """
        // UD German-GSD, CC BY-SA 4.0; Snowball; our words.
        case .german:
            """
            ab aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes anderm \
            andern anderr anders auch auf aus bei beim bin bis bist da dafür dagegen damit dann darüber das dass \
            dasselbe dazu daß dein deine deinem deinen deiner deines dem demselben den denn denselben der deren \
            derer derselbe derselben des desselben dessen dich die dies diese dieselbe dieselben diesem diesen \
            dieser dieses dir doch dort du durch ein eine einem einen einer eines einig einige einigem einigen \
            einiger einiges einmal er es etwas euch euer eure eurem euren eurer eures für gegen gewesen hab habe \
            haben hat hatte hatten hier hin hinter hätte ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im in \
            indem ins ist jede jedem jeden jeder jedes jene jenem jenen jener jenes jetzt kann kein keine keinem \
            keinen keiner keines konnte konnten können könnte laut machen man manche manchem manchen mancher manches \
            mehrere mein meine meinem meinen meiner meines mich mir mit muss musste muß müssen nach nicht nichts \
            noch nun nur ob oder ohne sehr sei seien sein seine seinem seinen seiner seines seit selbst sich sie \
            sind so solche solchem solchen solcher solches soll sollen sollte sollten sondern sonst sowie um und uns \
            unse unsem unsen unser unsere unserem unses unter viel viele vom von vor wann war waren warst warum was \
            weg wegen weil weiter welche welchem welchen welcher welches wem wen wenn wer werde werden weshalb \
            wessen wie wieder wieso wieviel will wir wird wirst wo woher wohin wollen wollte worden wurde wurden \
            während würde würden zu zum zur zwar zwischen über
            """
        // UD Greek-GUD, CC BY-SA 4.0; our words.
        case .greek:
            """
            άλλα άλλες άλλη άλλο άλλοι άλλος άλλους άρα ένα έναν ένας ή ήταν ίδια ίδιο ίδιος αλλά αν αντί απ' από ας \
            αυτά αυτές αυτή αυτήν αυτοί αυτό αυτόν αυτός αφού γι γι' για γιατί δίχως δε δεν είμαι είμαστε είναι \
            είσαι είστε είτε είχα είχαν εγώ εκ εκείνη εμάς εμένα εμείς ενώ εξάλλου επειδή εσείς εσύ η θα κάθε κάποια \
            κάποιες κάποιο κάποιοι κάποιον κάποιος κάτι και καμία κανένα κανείς κατά κι μ' μένα μία μας με μη μην \
            μια μου μού μπας μόλις μόνη μόνος ν' να ο οι ούτε παρά περί περισσότερο ποια ποιας ποιες ποιο ποιοι \
            ποιον ποιος ποιου ποιους ποιων πολλά πολλές που πού προς πως πόσα πόσες πόση πόσο πόσοι πόσος πότε πώς σ \
            σ' σας σε σου στα στη στην στης στις στο στον στου στους τ' τίποτα τα τη την της τι τις το τον του τους \
            των χωρίς ως ωστόσο όλα όλες όλο όλοι όμως όπως όταν ότι όχι ώσπου ώστε
            """
        // UD Esperanto-Prago, CC BY-SA 4.0; our words.
        case .esperanto:
            """
            ajn al aŭ de devas el en estas estos ili inter je kaj ke kia kiaj kial kiam kie kiel kien kies kio kiom \
            kion kiu kiuj kiujn kiun kun la laŭ li lia mi mia miaj mian min nek ni ol oni per por povas pri pro se \
            sed si sia sur tio tiu tiun ĉar ĉi ĉiu ĉiuj ĝi ĝin ĝis
            """
        // UD Spanish-GSD, CC BY-SA 4.0; Snowball; our words.
        case .spanish:
            """
            a al algo alguna algunas algunos ambas ambos ante antes aquellos aunque bajo cada como con contra cual \
            cuales cualquier cuando cuyo cuál cuáles cuándo cuánta cuántas cuánto cuántos cómo de debe deben debía \
            del desde dicha donde durante dónde e el ella ellas ello ellos en entre era erais eran eras eres es esa \
            esas ese eso esos esta estaba estabais estaban estabas estad estada estadas estado estados estamos \
            estando estar estaremos estará estarán estarás estaré estaréis estaría estaríais estaríamos estarían \
            estarías estas este estemos esto estos estoy estuve estuviera estuvierais estuvieran estuvieras \
            estuvieron estuviese estuvieseis estuviesen estuvieses estuvimos estuviste estuvisteis estuviéramos \
            estuviésemos estuvo está estábamos estáis están estás esté estéis estén estés fue fuera fuerais fueran \
            fueras fueron fuese fueseis fuesen fueses fui fuimos fuiste fuisteis fuéramos fuésemos ha haber habida \
            habidas habido habidos habiendo habremos habrá habrán habrás habré habréis habría habríais habríamos \
            habrían habrías habéis había habíais habíamos habían habías hacia han has hasta hay haya hayamos hayan \
            hayas hayáis he hemos hube hubiera hubierais hubieran hubieras hubieron hubiese hubieseis hubiesen \
            hubieses hubimos hubiste hubisteis hubiéramos hubiésemos hubo la las le les lo los me mediante mi mis \
            muchas mucho muchos muy más mí mía mías mío míos nada ni ningún no nos nosotras nosotros nuestra \
            nuestras nuestro nuestros o os otra otras otro otros para pero poco podrán podría podía por porque \
            pudieron pudo pueda puede pueden pues que quien quienes quién quiénes qué se sea seamos sean seas según \
            ser seremos será serán serás seré seréis sería seríais seríamos serían serías seáis si sido siendo sin \
            sino sobre sois somos son soy su sus suya suyas suyo suyos sí también tanto te tendremos tendrá tendrán \
            tendrás tendré tendréis tendría tendríais tendríamos tendrían tendrías tened tenemos tenga tengamos \
            tengan tengas tengo tengáis tenida tenidas tenido tenidos teniendo tenéis tenía teníais teníamos tenían \
            tenías ti tiene tienen tienes toda todas todo todos tras tu tus tuve tuviera tuvierais tuvieran tuvieras \
            tuvieron tuviese tuvieseis tuviesen tuvieses tuvimos tuviste tuvisteis tuviéramos tuviésemos tuvo tuya \
            tuyas tuyo tuyos tú un una unas uno unos varias varios vosotras vosotros vuestra vuestras vuestro \
            vuestros y ya yo él éramos éste
            """
        // Our words.
        case .estonian:
            """
            aga ainult all alla eest ega ehk ei enne et iga ilma ja jaoks juba juures järel ka keda keegi kelle \
            kellele kes kohta koos kuhu kui kuid kuidas kuigi kumb kuni kus kust kõige kõik läbi ma me meid meie \
            meile mida midagi miks millal mille milles millest milline millised mina mind minu mis miski missugune \
            mitte mitu mulle mõned mõni nad nagu need neid neile neist nemad nende nii ning oled oleks olema oleme \
            olen olete oli olid olla olnud oma on palju peab peale pole polnud poolt pärast sa saab sai sama seal \
            seda see selle sellega sellel selles sellest sest siin siis sina sind sinu sulle ta talle te teda teid \
            teie teile teine teise teised tema too tuleb vahel vastu veel väga või võib ühe üks üle
            """
        // Our words.
        case .basque:
            """
            ahal al alde arabera arte artean asko atzean aurrean aurretik azpian ba bada bai baina baino baita \
            barruan bat batean batek baten batzuk behar beraz bere beste bestea bezala bitartean buruz da dago daude \
            dela den dena dira direla ditu dituen dituzte du dugu dut dute duzu edo edozein egin ere eta ez ezer \
            gabe gain gainean gara gehiago gisa gu gure gutxi guztiak guztien haiek haien hain haren hark hartan hau \
            hauek honek honen honetan hori horiek horrek horren horretan hura inor izan izango jada kanpo kontra \
            naiz ni nire noiz nola non nondik nor nora noren nori nork ondoren oraindik ordea oso ote zara zarete \
            zegoen zein zeintzuk zen zenbat zer zeren zergatik ziren zituen zu zuek zuen zure zuten
            """
        // UD Persian-PerDT, CC BY-SA 4.0; our words.
        case .persian:
            """
            آن آنان آنها آنهایی آن‌ها آیا از است اما او اگر ای ایشان این اینها با باشد باشم باشند باشی باشید باشیم \
            باید بایستی بدان بدون بر برای برایش بعد به بود بودم بودند بوده‌اند بودید بودیم بی تا تحت تو توسط توی جز \
            جلوی خواهد خواهم خواهند خواهی خواهید خواهیم خود خودت خودتان خودش خودشان خودم خودمان خویش در دربارهٔ را \
            راجع زیر زیرا ست شد شده شما ضد طبق طی علیه ما مانند مثل مرا من مگر می می‌باشد می‌توان نباشد نباید نبود \
            نخواهد نخواهند نزد نسبت نمی‌توان ها های هر هزاران هم همان همانند همدیگر همین هیچ و ولی وی پس چرا چطور \
            چقدر چنانچه چند چندین چنین چه چون چگونه چی چیست کجا کدام که کی کیست یا یکدیگر
            """
        // UD Finnish-TDT, CC BY-SA 4.0; Snowball; our words.
        case .finnish:
            """
            ei eikä eivät eli emme en enkä ennen eräs et ette ettei että he heidän huolimatta hän hänelle hänellä \
            hänen hänestä hänet häntä ilman itse ja joiden joilla joissa joista joita joka joku jolla jonka jonkin \
            jos jossa jota jotain joten jotka jotta jälkeen kaiken kaikille kaikkea kaikki kanssa kautta kenen ketkä \
            ketä kohtaan kohti koska ku kuin kuinka kuka kun lähtien me meidän meillä mennessä mihin miksi mikä \
            millainen milloin minkä minua minulla minulle minun minut minä missä mistä miten mitkä mitä mitään monet \
            montako muiden muita mukaan mukana mun mut mutta muut muuta mä ne niiden niille niin niistä niitä noin \
            nuo nyt näiden näitä nämä ole olemme olen olet olette oli olimme olin olisi olisimme olisin olisit \
            olisitte olisivat olit olitte olivat olla olleet ollut on onko ovat piti pitäisi poikki puolesta saattaa \
            saattoi samaan se sekä sen siihen siinä siitä sille sillä sinä sisään sitä suhteen tai te toinen tuo \
            tähän tällä tämä tämän tässä tästä tätä täytyy vaan vai vaikka varten vastaan voi voidaan voin voisi \
            voivat vuoksi välillä yli
            """
        // UD French-GSD, CC BY-SA 4.0; Snowball; our words.
        case .french:
            """
            a ai aie aient aies ait après au aucun aucune aurai auraient aurais aurait aurez auriez aurions aurons \
            auront aux avaient avais avait avec avez aviez avoir avons ayant ayez ayons c c' car ce ceci cela celle \
            celles celui celà certaines certains ces cet cette ceux chaque chez combien comme comment contre d d' \
            dans de depuis des devant divers dont du durant dès elle elles en entre es est et eu eue eues eurent eus \
            eusse eussent eusses eussiez eussions eut eux eûmes eût eûtes furent fus fusse fussent fusses fussiez \
            fussions fut fûmes fûtes ici il ils j j' je jusqu' l l' l'on la laquelle le lequel les lesquelles leur \
            leurs lorsqu' lorsque lui m m' ma mais malgré me mes moi mon même n ne ni nos notre nous on ont ou où \
            par parmi pas pendant plusieurs pour pourquoi puis puisque qu qu' quand que quel quelle quelles quelques \
            quels qui quoi rien s s' sa sans se selon sera serai seraient serais serait seras serez seriez serions \
            serons seront ses si soi soient sois soit sommes son sont sous soyez soyons suis sur t ta te telle tes \
            toi ton tu un une vers voire vos votre vous y à ça étaient étais était étant étiez étions été étée étées \
            êtes être
            """
        // UD Irish-IDT, CC BY-SA 3.0; our words.
        case .irish:
            """
            'n a a' ab ach acu ag againn agam agat agus aici aige air an ann aon ar arna as atá b' ba cad cathain \
            chan chugainn chugam chuig chuige chuile chun cibé conas cá cárb cé céard cén cérb d' de den di do dom \
            don duit dá dó dóibh dúinn ea eile faoi faoin faoina féin gach gan go gur gurb gurbh i iad idir in ina \
            inar iontu is ise le leat leis lena leo liom léi m' maidir mar mba mhéad mise mo muid mura má más mé na \
            nach nuair ná nár ní níor níorbh níos nó o' orm ort orthu os roimh roimhe romhainn sa san sea seachas \
            seisean seo shin siad sin siúd sna so sé sí tar thar toisc tríd tú uile uilig uirthi uí á ár é í ó ón \
            óna úd
            """
        // Our words.
        case .gujarati:
            """
            અથવા અને અમારું અમે આ આવી એ એક એવું કંઈ કયા કયું કરવા કરી કરે કારણ કે કેટલા કેમ કેવી કોઈ કોણ કોનું કોને \
            ક્યાં ક્યારે ખૂબ ઘણા છીએ છે છો જ જે જેમ જો જ્યારે તમારું તમે તું તે તેઓ તેણે તેના તેની તેનું તેને તેનો \
            તેમના તો ત્યારે થયું થયો થાય થી દ્વારા નથી નહીં ના ની નું ને નો પછી પણ પર પરંતુ પહેલાં બધા મને માં માટે \
            માત્ર મારું રીતે વધુ શું સાથે સુધી હતા હતી હતું હતો હવે હું હોય
            """
        // UD Hebrew-IAHLTwiki, CC BY-SA 4.0; our words.
        case .hebrew:
            """
            או אולם אותה אותו אחרי איזה איזו איך אילו אינה אינו איפה אך אל אלא אלה אלו אם אנחנו אני אשר את אתה אתם ב \
            באותה באמצעות בה בהם בהן בו בידי בין בכך בכל בעקבות בפני בשל בתוך דרך ה האם הוא הזאת הזה הזו היא היה היו \
            הייתה היכן הללו הם הן ו ואת ובה ובו והוא והיא ועל זאת זה זו יכול כאשר כגון כדי כזו כי כיצד כל כלפי כמה \
            כמו ל לאחר לאן לבין לה להיות להם לו לכך לכל ללא למה לעומת לפי לפיה לפני לתוך מ מאין מדוע מדי מה מול מי \
            מן מספר מרבית מתוך מתי נגד עבור עד על עליה עליו עם עצמו עקב רוב שאינה שאינו שבו שבין שהוא של שלה שלהם \
            שלו תוך
            """
        // UD Hindi-PUD, CC BY-SA 3.0; our words.
        case .hindi:
            """
            अधिक अधिकतर अनुसार अपना अपनी अपने आप आस इन इस इसका इसकी इसके इसने इसमें इसलिए इसे ईसा उन उनकी उनके उनमें \
            उन्हें उन्होंने उस उसका उसकी उसके उसने उससे उसी उसे ऊपर एक एवं ऐसा ऐसी ऐसे ऑफ ओर और कई कब कम करता करती \
            करते करने कहाँ कहां का कारण कि किए कितना कितनी कितने किया किस किसका किसकी किसके किसने किसी किसे की कुछ \
            कुल के केवल कैसे को कोई कौन कौनसा क्या क्यों क्योंकि खिलाफ खुद गई गए गया गयी चाहिए जब जबकि जहां जा जाएगा \
            जाता जाने जिनमें जिसका जिसकी जिसके जिसने जिसमें जिसे जैसी जैसे जैसेकि जो ज्यादा ज्यादातर तक तो था थीं थे \
            थोड़ा द दिया दौरान द्वारा नहीं नीचे ने पर पास पूरी प्रति प्रत्येक बहुत बाद बारे बीच भी मुझे में मैं \
            मैंने यदि यह या ये रहा रही रहे लगभग लिए लेकिन वह वाला वाली वाले वे संबंधी सकता सकती सकते सभी साथ से हम \
            हमारे हमें हर हालांकि ही हुआ हुई हुए हूं है हैं होता होती होते
            """
        // Snowball; our words.
        case .hungarian:
            """
            a abban ahhoz ahogy ahol aki akik akkor alatt amely amelyek amelyekben amelyeket amelyet amelynek ami \
            amikor amit amolyan amíg annak arra arról az azok azon azonban azt aztán azután azzal azért be belül \
            benne bár cikk cikkek cikkeket csak de e ebben eddig egy egyes egyetlen egyik egyre egyéb egész ehhez \
            ekkor el ellen első elég elő először előtt emilyen ennek erre ez ezek ezen ezt ezzel ezért fel felé \
            hanem hiszen hogy hogyan hol honnan hová hány igen ill ill. illetve ilyen ilyenkor ismét ison itt jobban \
            jó jól kell kellett keressünk keresztül ki kinek kit kívül között közül legalább legyen lehet lehetett \
            lenne lenni lesz lett maga magát majd meg mellett mely melyek melyik mennyi mert mi mikor milyen minden \
            mindenki mindent mindig minek mint mintha mit mivel miért most már más másik még míg nagy nagyobb nagyon \
            ne nekem neki nem nincs néha néhány nélkül olyan ott pedig persze rá s saját sem semmi sok sokat sokkal \
            szemben szerint szinte számára talán tehát teljes tovább továbbá több ugyanis utolsó után utána vagy \
            vagyis vagyok valaki valami valamint való van vannak vele vissza viszont volna volt voltak voltam \
            voltunk által általában át én éppen és így össze úgy új újabb újra ő ők őket
            """
        // UD Armenian-ArmTDP, CC BY-SA 4.0; our words.
        case .armenian:
            """
            ահա ամբողջ ամեն այդ այդպիսի այլ այլև այն այնուամենայնիվ այնուհանդերձ այնպես այնպիսի այնտեղ այնքան այս \
            այստեղ առանց առթիվ արդյոք բայց բացի բոլոր գուցե դա դեմ դեպի դիմաց դու դուք դրա դրանց դրանք եթե եմ են ենք \
            ես եվ երբ երևի եք է էդ էի էին էս էր ըստ թե թեև իհարկե իմ ինձ ինչ ինչը ինչու ինչպես ինչպիսի ինչքան ինքը \
            իսկ իր իրեն իրենց կամ կողմից համաձայն համար հետ հետո ձեզ մասին մեզ մեկը մենք մեջ մեր մի մին մինչև մյուս \
            մոտ յուրաքանչյուր նա նաև նկատմամբ նույն նույնիսկ նրա նրան նրանց նրանցից նրանք շնորհիվ ողջ ոնց ոչ ոչինչ \
            ով ովքեր որ որը որի որին որն որոնք որոշ որովհետև որպես որպեսզի որտեղ որքան ու ում ուր ուրեմն ուրիշ չեմ \
            չեն չենք չես չէ չէի չէր չի պես պիտի սա սակայն սույն վրա տակ ցանկացած ցավոք քան քանի քեզ և
            """
        // UD Indonesian-GSD, CC BY-SA 4.0; our words.
        case .indonesian:
            """
            adalah akan akibat aku anda antara apa apakah atau ataupun bagaimana bagaimanakah bagi bahkan bahwa \
            banyak beberapa begitu berapa berapakah berbagai bersama beserta bila bisa bukan dalam dan dapat dari \
            daripada demi demikian dengan di dia dibawah dimana diri dirinya engkau harus hingga ia ialah ingin ini \
            itu jika kalau kamu kapan kapankah karena ke kenapa kepada ketika kita lewat maka mampu mana manakah \
            maupun melalui mengapa mengenai menurut mereka meskipun mungkin oleh pada para pun sampai sang saya \
            sebagai sebanyak sebelah sebelum sebesar sebuah secara sedang sedangkan sehingga sejak sekitar selain \
            selama seluruh sementara semua semuanya sendiri seorang seperti serta seseorang sesuatu setelah setiap \
            siapa siapakah suatu sudah tak tanpa tapi telah tentang terhadap tersebut tetapi tidak untuk walaupun \
            yaitu yang
            """
        // UD Italian-PUD, CC BY-SA 3.0; Snowball; our words.
        case .italian:
            """
            a abbia abbiamo abbiano abbiate ad agl agli ai al alcune alcuni all all' alla alle allo altre altri \
            anche avemmo avendo aver avesse avessero avessi avessimo aveste avesti avete aveva avevamo avevano \
            avevate avevi avevo avrai avranno avrebbe avrebbero avrei avremmo avremo avreste avresti avrete avrà \
            avrò avuta avute avuti avuto c c' che chi ci ciò coi col come con contro cosa cui d' da dagl dagli dai \
            dal dall dall' dalla dalle dallo degl degli dei del dell dell' della delle dello di diverse dopo dov \
            dove durante e ebbe ebbero ebbi ed era erano eravamo eravate eri ero essendo essere faccia facciamo \
            facciano facciate faccio facemmo facendo facesse facessero facessi facessimo faceste facesti faceva \
            facevamo facevano facevate facevi facevo fai fanno farai faranno farebbe farebbero farei faremmo faremo \
            fareste faresti farete farà farò fece fecero feci fino fosse fossero fossi fossimo foste fosti fu fui \
            fummo furono gli grazie ha hai hanno ho i il in io l l' la le lei li lo loro lui ma mentre mi mia mie \
            miei mio molte molti ne negl negli nei nel nell nell' nella nelle nello noi non nonostante nostra nostre \
            nostri nostro o ogni per perché più possono potrebbe presso propri propria può quale quali quando quanta \
            quante quanti quanto quel quella quelle quelli quello quest' questa queste questi questo sarai saranno \
            sarebbe sarebbero sarei saremmo saremo sareste saresti sarete sarà sarò se secondo sei senza si sia \
            siamo siano siate siete sono sotto sta stai stando stanno starai staranno starebbe starebbero starei \
            staremmo staremo stareste staresti starete starà starò stata state stava stavamo stavano stavate stavi \
            stavo stemmo stesse stessero stessi stessimo steste stesti stette stettero stetti stia stiamo stiano \
            stiate sto su sua sue sugl sugli sui sul sull sull' sulla sulle sullo suo suoi ti tra tramite tu tua tue \
            tuo tuoi tutti tutto un un' una uno vengono veniva venne vennero verso vi viene voi vostra vostre vostri \
            vostro è
            """
        // Our words.
        case .kannada:
            """
            ಅಥವಾ ಅದರ ಅದು ಅಲ್ಲ ಅವನು ಅವರ ಅವರು ಅವಳು ಅವು ಆ ಆಗಿ ಆಗಿದೆ ಆಗುತ್ತದೆ ಆದರೆ ಆದ್ದರಿಂದ ಆಯಿತು ಇದರ ಇದು ಇದೆ ಇದ್ದ \
            ಇದ್ದರು ಇಲ್ಲ ಇವು ಇವೆ ಈ ಎಂದು ಎಂಬ ಎಲ್ಲಾ ಎಲ್ಲಿ ಎಷ್ಟು ಏಕೆ ಏಕೆಂದರೆ ಏನು ಒಂದು ಕೂಡ ಕೆಲವು ಕೆಳಗೆ ಗಾಗಿ ಗೆ ಜೊತೆ ತುಂಬಾ \
            ನಂತರ ನನಗೆ ನನ್ನ ನಮ್ಮ ನಾನು ನಾವು ನಿನ್ನ ನಿಮ್ಮ ನೀನು ನೀವು ಬಗ್ಗೆ ಮತ್ತು ಮಾಡಿ ಮಾಡಿದ ಮಾತ್ರ ಮೇಲೆ ಮೊದಲು ಯಾರ ಯಾರು ಯಾವ \
            ಯಾವಾಗ ವರೆಗೆ ಸಹ ಹಾಗೂ ಹೆಚ್ಚು ಹೇಗೆ
            """
        // UD Lithuanian-ALKSNIS, CC BY-SA 4.0; our words.
        case .lithuanian:
            """
            anot ant apie ar arba aš be bei beje bent bet bus buvo būti būtų dar dėl esate esu esąs gal iki ir iš \
            jam jas jei jeigu ji jie jiems jis jo jog jokių jos juk jums juos jus ją jį jūs jūsų jų kad kada kai \
            kaip kam kas kiek kiekvieną kiti kitą kitų ko kodėl kokia kokie kokios kokiu kokią koks kokį kuo kur \
            kuri kuria kurie kurio kurioje kurios kuris kurių ką man mane mano mes mums mus mūsų ne nei nes net \
            niekas nieko nors nuo nė o pagal pasak pats per po prie prieš pro sau savo su ta tai taigi tam tarp \
            tarsi tas tačiau tie tik to tokia tokie tokių toks tokį tuo tuos tą už viena vienas vieni vienos visgi \
            visi viską viso visoje visos visus visą vos yra į šalia ši šiame šio šios šis šiuo šią štai šį
            """
        // Our words.
        case .malayalam:
            """
            അതിന്റെ അത് അല്ല അല്ലെങ്കിൽ അവ അവരുടെ അവിടെ അവൻ അവർ അവൾ ആ ആകുന്നു ആണ് ആയ ആയിരുന്നു ആരുടെ ആര് ഇതിന്റെ ഇത് \
            ഇല്ല ഇവ ഇവിടെ ഈ ഉണ്ട് ഉള്ള എങ്കിൽ എങ്ങനെ എത്ര എനിക്ക് എന്തുകൊണ്ട് എന്ത് എന്ന എന്നാൽ എന്ന് എന്റെ എപ്പോൾ \
            എല്ലാ എവിടെ ഏത് ഒരു കാരണം കുറിച്ച് കൂടി കൂടുതൽ കൂടെ ചില ചെയ്ത ചെയ്തു ഞങ്ങൾ ഞാൻ തന്നെ നമ്മുടെ നമ്മൾ \
            നിങ്ങളുടെ നിങ്ങൾ നിന്റെ നീ പക്ഷേ പോലെ മാത്രം മുതൽ മുമ്പ് മേൽ വരെ വളരെ വേണ്ടി ശേഷം
            """
        // Our words.
        case .marathi:
            """
            अधिक अनेक अशी असा असून असे आणि आता आधी आमचा आम्ही आहे आहेत एक कधी करण्यात करून कशी कसा कसे का काय कारण \
            काही किंवा किती की कुठे केली केले केव्हा कोण कोणता कोणती कोणते कोणाला कोणी जर जी जे जेव्हा जो ज्या तर \
            तसेच तिने ती तुझा तुमचा तुम्ही तू ते तेव्हा तो त्या त्यांचा त्यांना त्यांनी त्याचा त्याची त्याने देखील \
            नंतर नाही नाहीत पण परंतु पर्यंत पासून फक्त मध्ये मला माझा माझी माझे मी या व वर सर्व साठी हा ही हे होता \
            होती होते ह्या
            """
        // Our words.
        case .nepali:
            """
            अझै अनुसार अन्य अर्को उनको उनले उनी उनीहरू उसको ऊ एक कति कसको कसरी कसलाई कसले कहाँ कहिले का किन किनभने \
            की कुन कुनै के केही को गरेको गर्न गर्ने छ छन् छु जब जसको जसले जुन जो त तपाईं तर तिमी तिम्रो ती त्यस \
            त्यसको त्यसले त्यहाँ त्यो थिए थिएन थियो देखि द्वारा धेरै नै पनि बाट बारे भए भएका भएको भने भनेर भन्दा भयो \
            म मा मात्र मेरो यदि यस यसको यसले यहाँ यी यो र लाई लागि ले वा सँग संग सबै सम्म हरेक हामी हाम्रो हुने हुन् \
            हुन्छ हुन्छन् हो
            """
        // UD Dutch-Alpino, CC BY-SA 4.0; Snowball; our words.
        case .dutch:
            """
            aan achter af al alle alles als altijd andere beide ben bij binnen daar dan dat de der deze die dit doch \
            doen door dus een eens elk elkaar en enige enkele er ge geen geweest haar had hadden heb hebben heeft \
            hem hen het hier hij hoe hoeveel hoewel hun ieder iedereen iemand iets ik in is ja je kan kon kunnen \
            maar me mee meer men met mezelf mij mijn moest moesten moet moeten na naar nadat niemand niet niets nog \
            nu of om omdat ondanks onder ons onze ook op over per reeds rond sinds sommige te tegen tegenover ten \
            ter terwijl tijdens toch toe toen tot tussen u uit uw van vanaf vanuit vanwege veel volgens voor vóór \
            waar waarom wanneer want waren was wat we welk welke werd werden wezen wie wij wil worden wordt zal ze \
            zelf zich zichzelf zij zijn zo zo'n zoals zonder zou zouden zowel zullen
            """
        // UD Norwegian-Bokmaal, CC BY-SA 4.0; Snowball; our words.
        case .norwegian:
            """
            all alle alt andre andres annen annet at av bak bare begge blant ble blei bli blir blitt borte burde \
            både båe bør da de deg dei deim deira deires dem den denne der dere deres dersom det dette di din dine \
            disse ditt du dykk dykkar då eg egen eget egne ei ein eit eitt eller elles en enhver enn enten er et ett \
            etter for foran fordi fra før gjennom ha hadde ham han hans har hennar henne hennes her hjå ho hoe honom \
            hos hoss hossen hun hva hvem hver hverandre hverken hvert hvilke hvilken hvilket hvis hvor hvordan \
            hvorfor i ifølge ikke ikkje imellom ingen ingenting ingi inkje inn inne innen innenfor inni inntil ja \
            jeg kan kom korleis korso kun kunne kva kvar kvarhelst kven kvi kvifor man mange me med medan meg meget \
            mellom men mens mi min mine mitt mot mykje må måtte ned nedover neste no noe noen noka noko nokon nokor \
            nokre nord nå når og også om opp oppe oss over overfor på rundt samme samt seg selv si sia sidan siden \
            sin sine sitt sjøl skal skulle slik slike slikt so som somme somt så sånn til tilbake tross um under \
            unna upp ut ute uten utenfor utover var vart varte ved vere verte vi via vil ville vore vors vort vår \
            våre vårt være vært å
            """
        // Our words.
        case .punjabi:
            """
            ਅਤੇ ਅਸੀਂ ਇਸ ਇਹ ਇਹਨਾਂ ਇੱਕ ਉਨ੍ਹਾਂ ਉਸ ਉਸਦਾ ਉਹ ਉਹਨਾਂ ਉੱਤੇ ਕਈ ਕਦੋਂ ਕਰ ਕਰਨ ਕਿ ਕਿਉਂ ਕਿਉਂਕਿ ਕਿਵੇਂ ਕਿਸ ਕਿਸਨੂੰ \
            ਕਿਹੜਾ ਕਿਹੜੀ ਕਿੰਨੇ ਕਿੱਥੇ ਕੀ ਕੀਤਾ ਕੀਤੀ ਕੁਝ ਕੌਣ ਗਿਆ ਜਦੋਂ ਜਾਂ ਜਿਸ ਜੇ ਜੋ ਤਦ ਤਾਂ ਤੁਸੀਂ ਤੁਹਾਡਾ ਤੂੰ ਤੇ ਤੇਰਾ ਤੋਂ \
            ਤੱਕ ਦਾ ਦੀ ਦੀਆਂ ਦੇ ਨਹੀਂ ਨਾ ਨਾਲ ਨੂੰ ਨੇ ਪਰ ਪਹਿਲਾਂ ਬਹੁਤ ਬਾਅਦ ਮੇਰਾ ਮੇਰੀ ਮੈਂ ਮੈਨੂੰ ਲਈ ਵਿਚ ਵਿੱਚ ਵੀ ਸਕਦਾ ਸਨ ਸਭ \
            ਸਾਡਾ ਸਾਡੇ ਸਾਰੇ ਸੀ ਹਨ ਹਾਂ ਹੀ ਹੁਣ ਹੈ ਹੋ ਹੋਇਆ ਹੋਈ ਹੋਰ
            """
        // UD Polish-PUD, CC BY-SA 4.0; our words.
        case .polish:
            """
            a aby ale ani aż bez byli być był była było były będzie będą co czego czemu czy czyj czyli czym dla \
            dlaczego dlatego do dokąd dzięki gdy gdyby gdzie go głównie i ich ile ilu im jacy jak jaka jaki jakie \
            jako jaką je jednak jego jej jest jeszcze jeśli już ją każdy kiedy kilka kim kogo komu kto ktoś która \
            które którego której który których którym którzy lub mimo między mu na nad natomiast nawet nich nie \
            niego niektórzy niemal niż o obu oczywiście od około ona oprócz oraz po pod podczas pomimo pomiędzy \
            ponad ponieważ poprzez poza prawdopodobnie przeciwko przed przez przy przynajmniej również siebie się \
            skąd sobie swoich swoim swoje swojego swojej swoją swój szczególnie są ta tak takich takie tam te tego \
            tej temu ten to tych tylko tym tymczasem u w we według wiele wielu więc więcej wobec wokół wśród z za \
            zarówno zawsze ze został została zostało zostały że żeby
            """
        // UD Portuguese-Bosque, CC BY-SA 4.0; Snowball; our words.
        case .portuguese:
            """
            a algum algumas alguns ao aos após aquela aquelas aquele aqueles aquilo as até cada certa com como \
            contra da das de dela delas dele deles depois desde desse desta deste do dos durante e ela elas ele eles \
            em embora entre era eram essa essas esse esses esta estamos estar estas estava estavam este esteja \
            estejam estejamos estes esteve estive estivemos estiver estivera estiveram estiverem estivermos \
            estivesse estivessem estivéramos estivéssemos estou está estávamos estão eu foi fomos for fora foram \
            forem formos fosse fossem fui fôramos fôssemos haja hajam hajamos havemos hei houve houvemos houver \
            houvera houveram houverei houverem houveremos houveria houveriam houvermos houverá houverão houveríamos \
            houvesse houvessem houvéramos houvéssemos há hão isso isto já lhe lhes mais mas me mesmo meu meus mim \
            minha minhas muitas muito muitos na nada nas nem nessa nesta neste ninguém no nos nossa nossas nosso \
            nossos num numa não nós o onde os ou outra outras outro outros para pela pelas pelo pelos pois por \
            porque porquê poucos própria próprio quais qual qualquer quando quanta quantas quanto quantos que quem \
            se segundo seja sejam sejamos sem sendo ser serei serem seremos seria seriam será serão seríamos seu \
            seus si sido sob sobre somos sou sua suas são só também te tem temos tendo tenha tenham tenhamos tenho \
            terei terem teremos teria teriam terá terão teríamos teu teus teve tinha tinham tive tivemos tiver \
            tivera tiveram tiverem tivermos tivesse tivessem tivéramos tivéssemos toda todas todo todos tu tua tuas \
            tudo tém tínhamos um uma vai vamos você vocês vos várias vários vão à às é éramos
            """
        // UD Romanian-RRT, CC BY-SA 4.0; our words.
        case .romanian:
            """
            a aceasta această aceea acel același acest acesta aceste acestea acestei acestor acestora acestuia ai al \
            ale alte altul altă am anumite ar asta asupra au ca care ce cea ceea cei cel cele celor celui ceva cine \
            conform cu cui cum când cât câte câteva câtă câți că cărei căror cărui către dacă dar de deasupra deci \
            deoarece despre deși din dintre dumneavoastră după e ea ei el ele era erau este eu fi fie fiecare fiind \
            fost fără i l la le li lor lui lângă meu mi mine multe mulți mă ne nici niciodată nimic niște noi nu o \
            oarecare orice pe pentru precum prin printre privind până s sa sale sau se spre sub sunt să său te toate \
            toată tuturor un una unde unei unele unor unui unul va vor vreo vă îi îl împotriva în încât însuși însă \
            între își ăsta și
            """
        // UD Russian-GSD, CC BY-SA 4.0; Snowball; our words.
        case .russian:
            """
            а без более больше будет будто будут бы был была были было быть в вам вас вдруг ведь весь во вот впрочем \
            все всегда всего всей всем всех всю вы где говорил да даже два де для до другой его ее ей ему если есть \
            еще её ж же жизнь за зачем здесь и из или им именно иногда их к кажется как какая какие каким какими \
            каких какого какое какой каком какую кем когда кого кому конечно которая которого которой котором \
            которые который которых кроме кто куда ли лишь лучше между меня мне много может можно мой моя мы на над \
            надо наконец нас не него нее ней некоторые нельзя нет неё ни нибудь никогда ним них ничего но ну о об \
            один однако около он она они оно опять от откуда перед по под после потом потому почему почти при про \
            против раз разве с сам своего своей своем свои своим свой свою своём себе себя сегодня сейчас сказал \
            сказала сказать сколько со собой совсем согласно среди так также таких такой там тебя тем теперь тех то \
            тогда того тоже только том тот три тут ты у уж уже хорошо хоть хотя чего чей человек чем чему через что \
            чтоб чтобы чуть чьи чья чьё эта эти этих это этого этой этом этот эту я
            """
        // UD Serbian-SET, CC BY-SA 4.0; our words.
        case .serbian:
            """
            a ako ali bez bi bila bile bili bilo bio biti biće bude budu da do dok ga gde i iako ih ili im ispred iz \
            iza između je jer ka kada kako kao ko koga koja koje kojem koji kojim kojima kojoj koju koliko kome \
            krajem kroz kuda li mada među mi moj mu na nad nakon ne nego neka neki nekim nekoliko neće ni nije nisu \
            ništa njegov njegova njegove njegovog njih o od on ona onda one oni ono ova ovaj ove ovo ovog pa po pod \
            pored posle početkom pre preko prema protiv putem s sa sada sam se smo su sve svi svih svog svoj svoje \
            svojih svojim svoju svom ta taj takvih te tih tim to tog toga toj tokom tom tome tu u uprkos uvek za \
            zato zašto zbog će čega čija čiji širom šta što
            """
        // UD Swedish-Talbanken, CC BY-SA 4.0; Snowball; our words.
        case .swedish:
            """
            all alla allt antingen att av bakom bland blev bli blir blivit borde båda både bör de dem den denna \
            deras dess dessa det detsamma detta dig din dina ditt dom du där då efter eftersom ej eller emellan en \
            enligt er era ert ett fast framför från för före genom ha hade han hans har henne hennes hon honom hos \
            hur här i icke ifrån inför ingen ingenting inget innan inom inte jag ju kan kring kunde kunna kunnat man \
            med medan mellan men mig min mina mitt mot mycket måste ni nu när någon någonting något några och om oss \
            per på samma samt sedan sej sig sin sina sitt själv ska skall skulle som somliga så sådan sådana sådant \
            såväl till trots under upp ur ut utan utanför utom utöver vad var vara varandra varför varit varje vars \
            vart vem vi via vid vilka vilkas vilken vilket vill ville vår våra vårt än är å åt över
            """
        // UD Tamil-MWTT, CC BY-SA 4.0; our words.
        case .tamil:
            """
            அதன் அது அதை அந்த அல்லது அவன் அவர் அவர்கள் அவை ஆகும் ஆனால் இதன் இது இதை இந்த இருக்கும் இருந்த இருந்து \
            இல்லை இவர் இவை உள்ள எங்கள் எங்கு எங்கே எது எத்தனை எந்த என என் என்ன என்னை என்று எப்படி எப்போது எல்லோரும் \
            எவை எவ்வளவு ஏன் ஒரு கொண்டு தன் தன்னை நான் நீ நீங்கள் பற்றி போது போன்ற மற்றும் மூலம் மேலே யார் வரை \
            வேண்டும் வைத்தான்
            """
        // Our words.
        case .telugu:
            """
            అతని అతను అది అని అనే అన్ని అయింది అయితే అయ్యింది అవి ఆ ఆమె ఇది ఇవి ఈ ఉండే ఉంది ఉన్న ఉన్నాయి ఉన్నారు ఎంత \
            ఎందుకంటే ఎందుకు ఎక్కడ ఎన్ని ఎప్పుడు ఎలా ఎవరి ఎవరు ఏ ఏమి ఒక కాదు కానీ కి కింద కు కూడా కొన్ని కోసం గా \
            గురించి చాలా చేసిన చేసే తర్వాత తో దాని దీని ద్వారా నా నాకు నీ ను నుంచి నుండి నువ్వు నేను పై మన మరియు మా \
            మాత్రమే మీ మీద మీరు ముందు మేము లేదా లేదు లో వరకు వారి వారు
            """
        // UD Turkish-Kenet, CC BY-SA 4.0; our words.
        case .turkish:
            """
            ama bana ben benden benim benimle beraber beri bir birbirine birbirini birbirlerine birbirlerini biri \
            birinde birisi birkaç birçok biz bizden bize bizi bizim boyunca bu buna bundan bunlar bunlarla bunları \
            bunların bunu bunun bununla da de değil değildi değildir değilim diye dolayı edilen evvel eğer fakat \
            gibi göre hangi hangisi hele hem hep hepsi hepsinin her hiçbir hâlbuki idi ile için kadar kaç kendi \
            kendilerini kendime kendimi kendine kendini kendisi kendisinden kendisine kendisini kendisinin ki kim \
            kime kimi kimin kimisi kimseye kâh mi midir mu musun mı nasıl ne neden nerede nereden nereye niye niçin \
            o olan olarak olduğu olduğunu ona ondan onlar onlara onlardan onları onların onu onun onunla rağmen sana \
            sen seni senin siz size sizi sizin tarafından ve veya yahut yani yoksa çünkü üzere şu
            """
        // UD Ukrainian-ParlaMint, CC BY-SA 4.0; our words.
        case .ukrainian:
            """
            а аби або адже але б багато без би бо буде будемо будете будуть була були було бути біля в вам вами вас \
            вашого ви вона вони все всі всіх від він да де деяких для до ж же з за замість зараз звідки й його ким \
            кого коли кому крім куди лише мене мені ми мою на навіть нам нас наш наша наших нашої нашу не них ну \
            нього ні ніхто однак оскільки ось от перед по поки потім при про просто під після саме своєму свої своїх \
            себе скільки стосовно та так така таки такого таку такі там те тим тих то того тоді той тут ті тільки у \
            хто хтось це цей цим цих цього цьому цю ця ці цій цієї чи чий чим чия чиє чиї чого чому що щоб щодо я як \
            яка яке який яким яких якого якої яку якщо які і із інших інші їм їх її
            """
        // Our words.
        case .urdu:
            """
            آپ آپکا اب اس اسے ان انہوں انہیں اور اگر ایک بعد بھی بہت تب تم تمہارا تو تک تھا تھی تھیں تھے جب جس جسے \
            جو زیادہ ساتھ سب سے صرف لیکن لیے مجھے مگر میرا میری میں نہ نہیں نے وہ پر پہلے کئی کا کب کتنا کتنی کتنے \
            کر کرنے کس کسے کو کوئی کون کونسا کچھ کہ کہاں کی کیا کیسے کیونکہ کیوں کیے کے گئی گئے گا گی گیا گے ہم \
            ہمارا ہمارے ہو ہوئی ہوئے ہوا ہوں ہی ہیں ہے یا یہ
            """
        // UD Vietnamese-VTB, CC BY-SA 4.0; our words.
        case .vietnamese:
            """
            ai bao bằng bị bởi cho chính chúng chứ các có cũng cả cần của do dù giữa gì hay hoặc hắn họ khi không \
            kia là lại lẫn muốn mà mày mấy mọi mỗi một nay ngay nhiêu nhiều như nhưng nhất những nào này nên nó nếu \
            nọ phải ra rằng rồi sao song sẽ ta thì thôi thế trong trên tui tuy tôi tại tận từ tự và vài vào vì vậy \
            với đang đâu đây đã đó được đấy để ấy ở
            """
        // UD Yiddish-YiTB, CC BY-SA 4.0; our words.
        case .yiddish:
            """
            א אַ אַז אַלע אַלעמען אַלץ אַן אַנדערע אָבער אָדער אָן אויב אויס אויף אויפֿן און אונדז אונדזער אונטער אז \
            איז איך אים אין איר אױף אױפֿן אײַך אײַער אײַערע אײנער ביז בין ביסט ביסטו בײַ בײַם געוואָרן געווען געװען \
            דאַרף דאָס דו דורך די דיך דיר דעם דער דײַן דײַנע האָב האָבן האָט האָסט האָסטו וואָלט וואָס וואו וווּ ווי \
            וויל וויפֿל וועגן וועט וועל וועלכן וועלכע וועלכער וועלן וועמען ווען ווער ווײַל זאָל זאָלן זאָלסט זאָלסטו \
            זי זיי זיך זענט זענען זײ זײַט זײַן זײַנע זײַנען יעדער כּדי כ׳בין כ׳האָב לויט מיט מיטן מיך מיר מע מען \
            מײַן מײַנע ניט נישט ס'איז סך סײַ ס׳איז ס׳זענען עטלעכע עס עפּעס ער פֿאַר פֿאַרוואָס פֿון פֿונעם צו צום צי \
            קיין קיינעם קיינער קען קענט קײן קײנער װאָס װאָרום װי װעגן װעט װעל װעלן װען װעסט װער
            """
        default: nil
        }
    }
}
