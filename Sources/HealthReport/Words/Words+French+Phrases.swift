extension Words.Phrases {
  static let french = Words.Phrases(
    fewer: "moins {0}", moreCounted: "plus {0}", less: "moins {0}", moreMass: "plus {0}",
    lower: .init("{0} plus bas", "{0} plus basse", "{0} plus bas", plural: "{0} plus bas"),
    higher: .init(
      "{0} plus élevé", "{0} plus élevée", "{0} plus élevé", plural: "{0} plus élevés"),
    shorter: .init(
      "{0} plus petit", "{0} plus petite", "{0} plus petit", plural: "{0} plus petits"),
    longer: .init(
      "{0} plus grand", "{0} plus grande", "{0} plus grand", plural: "{0} plus grands"),
    smaller: .init(
      "{0} plus petit", "{0} plus petite", "{0} plus petit", plural: "{0} plus petits"),
    larger: .init(
      "{0} plus grand", "{0} plus grande", "{0} plus grand", plural: "{0} plus grands"),
    item: "{0} ({1})", comma: ", ", and: " et ", andBeforeI: " et ",
    thanUsual: "{0} que d’habitude", rest: "mesures habituelles\u{A0}: {0} sur {1}",
    asInMostWeeks: "{0}, comme la plupart des semaines",
    fewerThanInMostWeeks: "{0}, moins que la plupart des semaines",
    outsideAndRest: "{0}\u{202F}; {1}.", outsideAlone: "{0}.",
    usualWeek: """
      Une semaine habituelle\u{A0}: {0} des {0} mesures dans leur plage habituelle.
      """,
    usualWeekOfOne: "Une semaine habituelle pour vous\u{A0}: {0}.", named: "{0} {1}",
    aDay: "par jour", aNight: "par nuit",
    yearAgainst: "Face à {0}, à la même date\u{A0}: {1}.",
    yearLower: "{0} *en baisse de {1}*", yearHigher: "{0} *en hausse de {1}*",
    yearFewer: "{0} *en baisse de {1}* {2}", yearMoreCounted: "{0} *en hausse de {1}* {2}",
    yearLess: "{0} *en baisse de {1}* {2}", yearMoreMass: "{0} *en hausse de {1}* {2}",
    weeksSoFar: """
      {0} semaine de données jusqu’ici\u{A0}: à partir de {1} semaines, on peut dire ce qui est \
      habituel.|{0} semaines de données jusqu’ici\u{A0}: à partir de {1} semaines, on peut dire \
      ce qui est habituel.
      """,
    lastData: "Les dernières données datent du {0}.", space: " ")
}

extension Words.Patterns {
  static let french = Words.Patterns(
    numberAndUnit: "{0}\u{A0}{1}", percent: "{0}\u{202F}%",
    hoursAndMinutes: "{0}\u{A0}h\u{A0}{1}", minutes: "{0}\u{A0}min",
    numberRange: "{0}\u{A0}– {1}", perDay: "{0} par jour", perNight: "{0} par nuit",
    perYear: "{0} par an", countInSentence: "{0}", daysOfDays: "{0} des {1} jours",
    labelled: "{0}\u{A0}: {1}", dayTime: "{0}, {1}")
}

extension Words.Dates {
  static let french = Words.Dates(
    first: "1er", weekdayDay: "{3} {0} {1}", weekdayDayYear: "{3} {0} {1} {2}", dayMonth: "{0} {1}",
    dayMonthYear: "{0} {1} {2}", dayLongMonth: "{0} {4}", monthYear: "{4} {2}", year: "{2}",
    range: "{0} – {1}", beforeNoon: "{0} AM", afterNoon: "{0} PM",
    months:
      "janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre",
    shortMonths: "janv.|févr.|mars|avr.|mai|juin|juil.|août|sept.|oct.|nov.|déc.",
    monthsInDates: "janv.|févr.|mars|avr.|mai|juin|juil.|août|sept.|oct.|nov.|déc.",
    longMonthsInDates:
      "janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre",
    weekdays: "lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche",
    shortWeekdays: "lun.|mar.|mer.|jeu.|ven.|sam.|dim.",
    weekdaysInDates: "lun.|mar.|mer.|jeu.|ven.|sam.|dim.", narrowWeekdays: "L|M|M|J|V|S|D")
}

extension Words.Activities {
  static let french = Words.Activities(
    walking: "Marche", running: "Course", cycling: "Vélo", swimming: "Natation",
    hiking: "Randonnée", yoga: "Yoga", functionalStrengthTraining: "Renforcement fonctionnel",
    traditionalStrengthTraining: "Renforcement classique",
    highIntensityIntervalTraining: "Entraînement fractionné de haute intensité",
    coreTraining: "Gainage", elliptical: "Elliptique", rowing: "Aviron",
    stairClimbing: "Montée d’escaliers", stairs: "Escaliers", pilates: "Pilates",
    dance: "Danse", cooldown: "Récupération", soccer: "Football", tennis: "Tennis",
    tableTennis: "Tennis de table", badminton: "Badminton", basketball: "Basket",
    volleyball: "Volley", golf: "Golf", climbing: "Escalade", boxing: "Boxe",
    martialArts: "Arts martiaux", downhillSkiing: "Ski alpin",
    crossCountrySkiing: "Ski de fond", snowboarding: "Snowboard", skatingSports: "Patinage",
    paddleSports: "Sports de pagaie", surfingSports: "Surf", equestrianSports: "Équitation",
    mindAndBody: "Corps et esprit", mixedCardio: "Cardio mixte", flexibility: "Souplesse",
    crossTraining: "Entraînement croisé", jumpRope: "Corde à sauter",
    swimBikeRun: "Triathlon", other: "Autre",
    americanFootball: "Football américain", archery: "Tir à l’arc",
    australianFootball: "Football australien", baseball: "Baseball", bowling: "Bowling",
    cricket: "Cricket", curling: "Curling", danceInspiredTraining: "Entraînement dansé",
    fencing: "Escrime", fishing: "Pêche", gymnastics: "Gymnastique", handball: "Handball",
    hockey: "Hockey", hunting: "Chasse", lacrosse: "Crosse",
    mixedMetabolicCardioTraining: "Cardio métabolique mixte", play: "Jeu",
    preparationAndRecovery: "Préparation et récupération", racquetball: "Racquetball",
    rugby: "Rugby", sailing: "Voile", snowSports: "Sports de neige", softball: "Softball",
    squash: "Squash", trackAndField: "Athlétisme", waterFitness: "Aquagym",
    waterPolo: "Water-polo", waterSports: "Sports nautiques", wrestling: "Lutte",
    barre: "Barre", kickboxing: "Kickboxing", stepTraining: "Step",
    wheelchairWalkPace: "Fauteuil roulant au pas",
    wheelchairRunPace: "Fauteuil roulant au rythme de course", taiChi: "Tai-chi",
    handCycling: "Vélo à main", discSports: "Sports de disque",
    fitnessGaming: "Jeux de fitness", cardioDance: "Danse cardio",
    socialDance: "Danse de salon", pickleball: "Pickleball", transition: "Transition",
    underwaterDiving: "Plongée")
}

extension Words.Print {
  static let french = Words.Print(
    name: "Nom", born: "Naissance",
    summary: "Résumé de la période {0} · mesuré à domicile · créé le {1}",
    table: "Les 28 derniers jours et l’année", measure: "Mesure",
    median: "Médiane, 28 jours", range: "5–95\u{202F}%", days: "Jours", yearAgo: "Il y a un an",
    trend: "Tendance de l’année", trendInterval: "(95\u{202F}%)", weeks: "52 semaines",
    caption: """
      Médianes des jours. Moins de dix jours\u{A0}: minimum – maximum. Tendance\u{A0}: droite \
      par les valeurs hebdomadaires, ramenée à un an. 52 semaines\u{A0}: chaque trait a son \
      échelle.
      """,
    courses: "Évolutions", asleep: "Heures de sommeil, {0} nuit|Heures de sommeil, {0} nuits",
    medians: "{0} – {1} (médianes)", heartRate: "Fréquence cardiaque par jour, {0} jours",
    heartRateKey: """
      trait\u{A0}: du minimum au maximum\u{202F}; barre\u{A0}: moitié centrale du temps\u{202F}; \
      point\u{A0}: moyenne
      """,
    howMade: "Comment ce document a été fait", measuredBy: "Mesuré par {0}.",
    source: "{0} ({1}, échantillons\u{A0}: {2})",
    oneCounts: """
      Quand des appareils ont mesuré en même temps, un seul compte\u{A0}: la saisie manuelle, \
      puis la montre, puis le téléphone, puis les autres.
      """,
    method: """
      Les jours suivent le fuseau horaire {0}. Les jours sans données ne comptent dans aucune \
      moyenne. «\u{A0}Inhabituel\u{A0}» veut dire inhabituel pour cette personne, selon les règles \
      ci-dessus\u{202F}; rien ici n’est un diagnostic.
      """,
    sameNumbers: "Les mêmes chiffres\u{A0}: {0}")
}
