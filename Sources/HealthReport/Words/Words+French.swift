extension Words {
  static let french = Words(
    page: .init(
      skip: "Aller au rapport", navigation: "Sections", title: "Rapport de santé\u{A0}: {0}",
      titleWithoutName: "Rapport de santé", measures: "{0} mesure|{0} mesures",
      zone: "jours selon {0}",
      zonesWithChanges:
        "{0} à {1} avec {2} changement de fuseau|{0} à {1} avec {2} changements de fuseau",
      lastDayOpen: "le dernier jour n’est peut-être pas terminé",
      ofYear: "de l’année écoulée",
      ofDays: "du dernier jour|des {0} derniers jours",
      separator: " · ", made: "Créé le {0} avec {1}.",
      clearText: "Ce fichier n’est pas chiffré\u{A0}: toute personne qui l’a peut le lire.",
      noConnection: "Il n’ouvre aucune connexion et n’envoie rien.",
      noDiagnosis: "Ce sont des mesures, pas un diagnostic.",
      needsNewerBrowser: "Les tableaux nécessitent un navigateur plus récent.",
      needsScript: """
        Les tableaux et les autres mesures nécessitent des scripts\u{202F}; toutes les figures \
        s’affichent sans eux.
        """),
    sections: .init(
      overview: .init(
        "Aperçu", "Aperçu", "Les sept derniers jours à côté de la période précédente"),
      glance: .init(
        "Toutes les mesures", "Toutes les mesures",
        "Où se situent les sept derniers jours parmi les semaines de l’année écoulée"),
      year: .init(
        "L’année", "L’année",
        "Chaque jour, puis toute mesure par heure, jour, semaine, mois ou année"),
      days: .init(
        "Les jours", "Les jours",
        "Chaque jour, puis toute mesure par heure, jour, semaine, mois ou année"),
      sleep: .init(
        "Sommeil", "Sommeil",
        "Combien de temps, quand et avec quelle régularité dormez-vous\u{202F}?"),
      heart: .init(
        "Cœur", "Cœur",
        "Qu’est-ce qui est habituel, qu’est-ce qui change et quels jours se distinguent\u{202F}?"),
      body: .init(
        "Corps", "Corps",
        "Poids, pression artérielle et glycémie\u{A0}: où ils en sont et où ils vont"),
      diary: .init(
        "Journal", "Journal", "Cycles, médicaments et état d’esprit\u{A0}: ce qui a été noté"),
      workouts: .init(
        "Entraînements", "Entraînements", "Ce que vous avez fait, avec quel effort, et où"),
      relations: .init(
        "Ce qui va ensemble", "Ce qui va ensemble",
        "Quelles mesures varient ensemble et combien de paires ont été testées\u{202F}?"),
      sources: .init(
        "Sources", "D’où viennent les chiffres",
        "Qui a mesuré, quelle mesure compte et pourquoi un jour a tel chiffre")),
    families: .init(
      activity: "Activité", heart: "Cœur et respiration", sleep: "Sommeil", body: "Corps",
      food: "Glycémie et nutrition", walk: "Marche et audition"),
    states: .init(
      nothing: "Il n’y a rien à montrer pour cette période.", asked: "Période demandée\u{A0}: {0}.",
      askedFrom: "Période demandée\u{A0}: à partir du {0}.",
      askedTo: "Période demandée\u{A0}: jusqu’au {0}.",
      nothingChosen: "Il n’y a rien à montrer de ce qui a été demandé.",
      chosen: "{0} ne demande que {1}\u{202F}; sans cette option, tout ce qu’il y a est montré.",
      whatToDo: """
        Choisissez une autre période avec --from et --to, ou importez d’abord une exportation.
        """,
      noData: "pas de données", partial: "incomplet", soFar: "jusqu’ici"),
    overview: .init(
      usual: "Comme d’habitude", above: "Plus haut que d’habitude",
      below: "Plus bas que d’habitude", weekOnWeek: "Sur une semaine",
      yearOnYear: "Sur un an", change: "*{0}* contre {1}",
      rings: "Anneaux, {0}", closed: "{0} sur {1}",
      closedUnit: "jours avec tous les anneaux fermés",
      closedBefore: "7 jours précédents\u{A0}: {0} sur {1}", move: "Bouger",
      exercise: "M’entraîner", stand: "Me lever",
      ringGoal: "Objectif", goal: "*{0}* {1} sur {2}",
      captionMeans: "Les grands chiffres sont des moyennes des sept derniers jours.",
      captionBand: """
        La bande est la plage typique d’un jour\u{A0}: neuf jours sur dix {0}\u{202F}; la ligne \
        en tirets est la médiane\u{202F}; les sept derniers jours sont soulignés.
        """,
      captionWeek: "Sur une semaine\u{A0}: par rapport aux sept jours précédents.",
      captionYear: "Sur un an\u{A0}: {0} jusqu’au {1} par rapport à {2} jusqu’au {1}.",
      captionUsual: """
        «\u{A0}Habitude\u{A0}» compare ces sept jours aux 52 semaines précédentes.
        """,
      captionGap: "Un petit anneau est un jour sans données.",
      captionPartial: "Un contour est un jour dont une partie seulement a des données.",
      captionOpenDay: "Le {0} n’est pas terminé et ne compte dans aucune moyenne.",
      captionCutDay: """
        Le {0} ne compte dans aucune moyenne\u{A0}: les données s’arrêtent avant la fin du jour.
        """,
      captionFirstDay: "Le jour où commencent les données d’une mesure ne compte pas."),
    glance: .init(
      measure: "Mesure", lastSevenDays: "7 derniers jours", inYourYear: "Dans votre année",
      typicalWeek: "Semaine typique", weeks: "52 semaines",
      years: "{0} par rapport à {1}, jusqu’au {2}",
      shortYears: "{0} par rapport à {1}\u{A0}:",
      change: "*{0}* ({1} → {2})",
      keyTypical: "typique\u{A0}: neuf semaines sur dix de l’année écoulée\u{202F}; et médiane",
      keyNow: "les sept derniers jours", keyUnusual: "inhabituel pour vous",
      strip: "{0}\u{202F}; typique de {1} à {2}, médiane {3}.",
      sparkline: "52 semaines de {0} à {1}, la dernière {2}."),
    year: .init(
      calendar: "{0}, jour par jour", most: "Maximum\u{A0}: *{0}* le {1}", under: "moins de {0}",
      from: "à partir de {0}", weeksBegin: "premier jour de la semaine\u{A0}: {0}",
      earlierYear: "Année précédente", laterYear: "Année suivante",
      rings: "Anneaux, quatre semaines",
      closed: "Fermés\u{A0}: Bouger *{0}* · M’entraîner *{1}* · Me lever *{2}* sur {3} jours",
      keyMove: "Bouger (extérieur)", keyExercise: "M’entraîner (milieu)",
      keyStand: "Me lever (intérieur)", keyFull: "un cercle complet est l’objectif ou plus",
      months: "Mois"),
    explorer: .init(
      measure: "Mesure", interval: "Intervalle", hour: "Heure", day: "Jour", week: "Semaine",
      month: "Mois", year: "Année", earlier: "Avant", later: "Après",
      byHour: "{0}, par heure", byDay: "{0}, par jour", byWeek: "{0}, par semaine",
      byMonth: "{0}, par mois", byYear: "{0}, par année", weekFrom: "la semaine du {0}",
      meanOfDay: "moyenne d’un jour", meanOfNight: "moyenne d’une nuit",
      middleHalfOfDays: "moitié centrale des jours",
      leastToGreatestDay: "du jour le plus bas au plus haut", mean: "moyenne",
      middleHalf: "moitié centrale", leastToGreatest: "du minimum au maximum",
      medianOfYear: "médiane {0}",
      olderWeeks: "Les jours sont là à partir du {0}\u{202F}; avant, il y a des semaines."),
    figure: .init(
      label: "{0}. Les flèches gauche et droite lisent les valeurs.",
      calendarLabel: "{0}, jour par jour. Les flèches lisent les jours et les semaines.",
      whyHint: "La touche Entrée dit pourquoi.", lastDays: "dernier jour|{0} derniers jours",
      lastNights: "dernière nuit|{0} dernières nuits",
      lastWeeks: "dernière semaine|{0} dernières semaines",
      description: "De {0} à {1}, médiane {2}, dernière valeur {3}.", from: "{0} à {1}",
      mean: "moyenne {0}", median: "médiane {0}", middleHalf: "moitié centrale {0} à {1}",
      hours: "{0} heures", zone: "fuseau {0}", device: "à partir d’ici\u{A0}: {0}",
      noData: "pas de données", partial: "incomplet", soFar: "jusqu’ici", part: "{0} {1}"),
    table: .init(
      days: "Les jours en tableau", weeks: "Les semaines en tableau",
      months: "Les mois en tableau", nights: "Les nuits en tableau",
      numbers: "Ces chiffres en tableau", rings: "Les anneaux en tableau",
      readings: "Les relevés en tableau",
      reasons: "Les raisons en tableau",
      workouts: "Tout en tableau ({0})", showMore: "Afficher {0} de plus",
      region: "{0}, tableau", hour: "Heure", day: "Jour", week: "Semaine", month: "Mois",
      year: "Année", night: "Nuit", sum: "total", mean: "moyenne", median: "médiane",
      least: "minimum", greatest: "maximum", lowerQuarter: "premier quartile",
      upperQuarter: "troisième quartile", perDay: "moyenne d’un jour",
      leastDay: "jour le plus bas", greatestDay: "jour le plus haut",
      lowerQuarterOfDays: "premier quartile des jours",
      upperQuarterOfDays: "troisième quartile des jours", note: "remarque"),
    sleep: .init(
      when: "Quand vous avez dormi, {0} nuit|Quand vous avez dormi, {0} nuits",
      halfOfNights: "La moitié des nuits commencent avant *{0}* et finissent avant *{1}*",
      captionWhen: """
        Une barre va de l’endormissement au réveil, à l’heure de l’endroit où vous étiez\u{202F}; \
        un petit anneau est une nuit sans données. Les traits sont des médianes.
        """,
      stages: "Phases",
      means: "Moyennes de {0} nuit\u{A0}: {1}|Moyennes de {0} nuits\u{A0}: {1}", stage: "{0} *{1}*",
      deep: "Profond", core: "Lent", rem: "Paradoxal", awake: "Éveil", asleep: "Sommeil",
      inBed: "Au lit", nap: "sieste", fellAsleep: "endormissement", wokeUp: "réveil",
      until: "jusqu’à",
      night: "La nuit jusqu’au {0}",
      fromSamples: "Tracé à partir des échantillons\u{A0}: seulement avec {0}.",
      howRegular: "Régularité", index: "Indice de régularité du sommeil",
      indexCaption: """
        100\u{A0}: sommeil aux mêmes heures chaque jour\u{202F}; 0\u{A0}: au hasard. {0} nuits.
        """,
      weekendShift: "Décalage du week-end",
      weekendCaption: """
        Le milieu des nuits du vendredi au samedi et du samedi au dimanche, face aux autres.
        """,
      sevenHours: "Nuits de 7 heures ou plus", countOfNights: "{0} sur {1}",
      sevenHoursCaption: "La plus courte {0}, la plus longue {1}."),
    heart: .init(
      range: "{0}, {1} jours", lastSevenDays: "Ces sept derniers jours *{0}* {1}, moyenne *{2}*",
      leastToGreatest: "du minimum au maximum",
      middleHalfOfTime: "moitié centrale du temps", mean: "moyenne",
      trend: "Année écoulée *{0} par an* (95\u{202F}%\u{A0}: {1} à {2})",
      noTrend: "pas de tendance nette",
      noTrendInterval: "pas de tendance nette (95\u{202F}%\u{A0}: {0} à {1})",
      points: "{0}\u{A0}points", keyWeek: "semaine",
      keyTypical: "typique, année écoulée", keyTrend: "tendance {0} et intervalle à 95\u{202F}%",
      unusual: "Jours inhabituels parmi les {0} derniers", unusualValue: "{0} {1}",
      higher: "plus haut que d’habitude\u{A0}: médiane {0} sur les {1} jours précédents",
      lower: "plus bas que d’habitude\u{A0}: médiane {0} sur les {1} jours précédents",
      noUnusual: "Aucun jour ne se distingue.",
      unusualCaption: """
        Un jour se distingue s’il s’écarte de la médiane des {1} jours précédents de plus de {0} \
        fois la dispersion habituelle, même sans le rythme hebdomadaire. Cœur, sommeil et corps \
        d’abord. {2} valeurs quotidiennes de {3} mesures ont été examinées\u{A0}: quelques-unes se \
        distinguent par hasard.
        """),
    pressure: .init(
      title: "Pression artérielle", systolic: "systolique", diastolic: "diastolique",
      lastYear: "Moyennes de l’année écoulée\u{A0}: {0}, {1}", mornings: "matins *{0}* ({1})",
      evenings: "soirs *{0}* ({1})", noMornings: "pas de relevé le matin",
      noEvenings: "pas de relevé le soir",
      home: "Moyenne à domicile, {3} – {4}\u{A0}: *{0}*, {1} ({2} relevés, ESH 2021)",
      noHome: """
        Pas de moyenne à domicile (ESH 2021)\u{A0}: trop peu de relevés du matin et du soir dans les \
        sept jours jusqu’au dernier.
        """,
      lone: "{0} valeur isolée n’est pas comptée.|{0} valeurs isolées ne sont pas comptées.",
      implausible: """
        {0} relevé dont la valeur basse n’est pas sous la haute est exclu.|{0} relevés dont la \
        valeur basse n’est pas sous la haute sont exclus.
        """,
      classes: "Relevés de l’année écoulée selon les classes {0}",
      bothUnder: "moins de {0} et moins de {1}", betweenAndUnder: "{0}–{1} et moins de {2}",
      eitherBetween: "{0}–{1} ou {2}–{3}", eitherFrom: "{0} ou plus, ou {1} ou plus",
      caption: """
        Chaque trait est un relevé, du chiffre inférieur au supérieur\u{202F}; matin\u{A0}: \
        {4}–{5}, soir\u{A0}: {6}–{7}. En pointillé {0} et {1}, à partir desquels {2} parle de \
        «\u{A0}{3}\u{A0}».
        """,
      captionOfDays: """
        Chaque trait est la moyenne d’un matin ({4}–{5}) ou d’un soir ({6}–{7}), du chiffre \
        inférieur au supérieur\u{202F}; en pointillé {0} et {1}, à partir desquels {2} parle \
        de «\u{A0}{3}\u{A0}».
        """,
      morning: "matin", evening: "soir", otherHours: "autres heures",
      decides: "La classe la plus haute des deux chiffres l’emporte.",
      noDiagnosis: "Ce sont des relevés à domicile, pas un diagnostic.", optimal: "Optimale",
      normal: "Normale", highNormal: "Normale haute", elevated: "Élevée",
      nonElevated: "Non élevée", stage1: "Stade 1", stage2: "Stade 2",
      hypertension: "Hypertension", grade1: "Grade 1", grade2: "Grade 2", grade3: "Grade 3",
      belowHypertension: "Sous le seuil d’hypertension"),
    glucose: .init(
      title: "Glycémie selon l’heure",
      summary: "{0} jours, {1} relevés\u{202F}; moyenne *{2}* · GMI *{3}*", variation: "CV *{0}*",
      shares: "Part du temps (limites\u{A0}: {0})", over: "plus de {0}",
      under: "moins de {0}", keyNineOfTen: "neuf relevés sur dix",
      keyMiddleHalf: "moitié centrale", keyMedian: "médiane",
      keyRange: "plage", daysAndMedian: "Relevés sur {0} des {1} jours, médiane *{2}*",
      captionOfHours: """
        Pour chaque heure de la journée\u{A0}: les relevés de {0} jours. En pointillé\u{A0}: {1} \
        et {2}, les limites de la plage.
        """,
      tooFew: """
        Sans capteur porté jour et nuit, pas de temps dans la plage\u{A0}: des relevés isolés ne \
        disent pas combien de temps un taux a duré. Il faut des relevés couvrant au moins {2} de \
        {3} jours\u{202F}; ceux-ci couvrent {0} de {1}.
        """),
    cycle: .init(
      title: "Cycles", days: "{0} jours", summary: "Médiane\u{A0}: *{0}* jours, de {1} à {2}",
      day: "jour {0}",
      caption: """
        Une ligne est un cycle depuis son premier jour. Les barres sont les jours de règles\u{A0}: \
        plus haut, plus abondant.
        """,
      flow: "Règles", light: "légères", medium: "moyennes", heavy: "abondantes",
      unspecified: "non précisées", length: "Durée", began: "Début"),
    medications: .init(
      title: "Médicaments", taken: "pris", skipped: "omis", notLogged: "non consigné",
      caption: "Plein\u{A0}: pris. Contour\u{A0}: omis. Les jours non consignés sont vides."),
    mind: .init(
      title: "État d’esprit", veryUnpleasant: "très désagréable", unpleasant: "désagréable",
      slightlyUnpleasant: "plutôt désagréable", neutral: "neutre",
      slightlyPleasant: "plutôt agréable", pleasant: "agréable", veryPleasant: "très agréable",
      emotion: "émotion du moment", mood: "humeur du jour", entries: "Entrées\u{A0}: {0}",
      caption: "Hauteur\u{A0}: de très désagréable à très agréable."),
    workouts: .init(
      hoursByMonth: "Heures par mois", wholeMonths: "Mois entiers, depuis le {0}.",
      inYear: "*{0}* entraînement en douze mois|*{0}* entraînements en douze mois",
      count: "Entraînements\u{A0}: *{0}*",
      day: "Jour", kind: "Type", times: "nombre",
      time: "durée", distance: "distance", energy: "énergie",
      meanHeartRate: "fréquence cardiaque, moyenne",
      other: "autres", title: "{0}, {1} à {2}",
      heart: "fréquence cardiaque *{0}*, maximum *{1}* {2}",
      splits: "Temps intermédiaires, d’après l’itinéraire, {0}",
      zones: "Temps par zone, {0}",
      zoneFrom: "{0} et plus", zoneUnder: "moins de {0}",
      routeCaption: """
        Les itinéraires sont dans cette page parce qu’elle a été créée avec {0}. Les premiers et \
        derniers {1} sont omis. Creux\u{A0}: départ\u{202F}; plein\u{A0}: arrivée\u{202F}; le \
        trait en bas fait {2}, le nord est en haut.
        """,
      lastWithRoute: "C’est le dernier entraînement qui a un itinéraire.",
      lastWithHeartRate: "C’est le dernier entraînement qui a des fréquences cardiaques.",
      outsideZones: "Les moments sans fréquence cardiaque ne sont dans aucune zone.",
      routes: "Tous les itinéraires {0}",
      routeCount: "Itinéraires\u{A0}: *{0}*",
      routesCaption: "Le trait fait {0}\u{202F}; le nord est en haut. Les extrémités sont omises.",
      placesShown: "Les {0} lieux qui comptent le plus d’itinéraires, sur {1}.",
      last: "Derniers entraînements\u{A0}: {0}"),
    activities: .french,
    relations: .init(
      first: "Les jours avec…", second: "vous avez plutôt", when: "quand",
      strength: "corrélation de rang, 95\u{202F}%", days: "jours", chance: "q",
      sameDay: "le même jour", nextDay: "le lendemain", laterDays: "{0} jours plus tard",
      held: "Paires confirmées\u{A0}: *{0}* sur {1} testées",
      none: "Aucune des {0} ne se confirme. C’est aussi une réponse.",
      notCause: "Aller ensemble ne veut pas dire être la cause.",
      caption: """
        Un point est la corrélation de rang, son trait l’intervalle à 95\u{202F}%\u{202F}; q est \
        la part attendue de trouvailles dues au hasard parmi celles qui sont au moins aussi \
        fortes.
        """,
      shared: """
        Les paires qui mesurent la même chose, comme les pas et la distance, ne sont pas testées.
        """,
      choice: """
        Des paires entre les mêmes choses, comme les pas ou la distance avec le sommeil, seule \
        la plus sûre figure ici, et {0} au plus en tout.
        """,
      night: "Une nuit appartient au jour où elle se termine.",
      table: "Toutes les paires confirmées, en tableau"),
    sources: .init(
      who: "Qui a mesuré", source: "Source", kind: "Type", measures: "Mesures",
      samples: "Échantillons", fromTo: "De – à", watch: "montre", wearable: "appareil porté",
      phone: "téléphone",
      other: "autre", byHand: "à la main", counted: "{0}\u{A0}: ce qui a été compté",
      countedSummary: "Jours\u{A0}: {0} · compté\u{A0}: *{1}*, masqué\u{A0}: *{2}*",
      masked: "mesuré en même temps par une source de rang inférieur\u{A0}: non ajouté",
      press: """
        Cliquez sur un jour, ou appuyez sur Entrée sur le graphique, pour savoir *pourquoi le {0} \
        vaut {1}*.
        """,
      gaps: "Lacunes {0}",
      daysWithout: "jours sans données\u{A0}: {0} sur {1}",
      longestGap: "la plus longue\u{A0}: {0} jours", noGaps: "Aucune lacune.",
      noneJudged: "Trop peu a été mesuré pour parler de lacunes.",
      zones: "Fuseaux horaires et importations", daysOf: "Jours selon",
      zoneFrom: "{0} à partir du {1}",
      imports: "Importations", imported: "{0}\u{A0}: {1} échantillons",
      ranks: """
        Quand deux sources ont mesuré en même temps, une seule compte\u{A0}: la saisie manuelle, \
        puis la montre, puis le téléphone, puis les autres.
        """,
      preferred: """
        Quand deux sources ont mesuré en même temps, une seule compte, dans l’ordre que vous \
        avez fixé.
        """,
      ranking: "Quelle mesure compte",
      more: "et {0} de plus",
      table: "Toutes les sources, en tableau",
      gapsRule: """
        Mesures ayant des données sur au moins un quart des jours, {2} jours ou plus après le \
        premier\u{A0}: {0} sur {1}\u{202F}; les autres ne sont pas évaluées. La plus longue \
        lacune vient d’abord.
        """,
      recorded: "Fuseaux horaires indiqués par les échantillons"),
    why: .init(
      title: "Pourquoi {0} le {1}\u{202F}?",
      severalSources: """
        Plusieurs sources ont compté. Quand deux ont mesuré en même temps, celle de rang supérieur \
        compte, pour que rien ne soit compté deux fois.
        """,
      oneSource: "Une source a mesuré, et tout compte.",
      oneSourceOfSeveral: """
        Une source a compté. Ce que d’autres ont mesuré en même temps n’est pas ajouté, pour que \
        rien ne soit compté deux fois.
        """,
      nothing: "Rien n’a été mesuré ce jour-là.", counted: "{0}, compté",
      masked: "{0}\u{A0}: mesuré en même temps qu’un rang supérieur, non ajouté",
      together: "Total",
      rawSum: "Le total brut serait", command: "La commande qui donne la même réponse",
      close: "Fermer"),
    print: .french,
    visit: .french,
    phrases: .french,
    patterns: .french,
    dates: .french)
}
