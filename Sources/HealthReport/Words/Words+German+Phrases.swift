extension Words.Phrases {
  static let german = Words.Phrases(
    fewer: "weniger {0}", moreCounted: "mehr {0}", less: "weniger {0}", moreMass: "mehr {0}",
    lower: .init(
      "ein niedrigerer {0}", "eine niedrigere {0}", "ein niedrigeres {0}",
      plural: "niedrigere {0}"),
    higher: .init(
      "ein höherer {0}", "eine höhere {0}", "ein höheres {0}", plural: "höhere {0}"),
    shorter: .init(
      "ein kleinerer {0}", "eine kleinere {0}", "ein kleineres {0}", plural: "kleinere {0}"),
    longer: .init(
      "ein größerer {0}", "eine größere {0}", "ein größeres {0}", plural: "größere {0}"),
    smaller: .init(
      "ein kleinerer {0}", "eine kleinere {0}", "ein kleineres {0}", plural: "kleinere {0}"),
    larger: .init(
      "ein größerer {0}", "eine größere {0}", "ein größeres {0}", plural: "größere {0}"),
    item: "{0} ({1})", comma: ", ", and: " und ", andBeforeI: " und ",
    thanUsual: "{0} als für dich üblich",
    rest: "{0} von {1} Messgrößen im üblichen Bereich",
    asInMostWeeks: "{0}, wie in den meisten Wochen",
    fewerThanInMostWeeks: "{0}, weniger als in den meisten Wochen",
    outsideAndRest: "{0}; {1}.", outsideAlone: "{0}.",
    usualWeek: "Eine übliche Woche: {0} von {0} Messgrößen im üblichen Bereich.",
    usualWeekOfOne: "Eine für dich übliche Woche: {0}.", named: "{0} {1}", aDay: "am Tag",
    aNight: "pro Nacht", yearAgainst: "Gegenüber {0} bis zum selben Tag: {1}.",
    yearLower: "{0} *{1} niedriger*", yearHigher: "{0} *{1} höher*",
    yearFewer: "*{1} weniger* {0} {2}", yearMoreCounted: "*{1} mehr* {0} {2}",
    yearLess: "*{1} weniger* {0} {2}", yearMoreMass: "*{1} mehr* {0} {2}",
    weeksSoFar: """
      Bisher {0} Woche Daten: Ab {1} Wochen lässt sich sagen, was üblich ist.|Bisher {0} Wochen \
      Daten: Ab {1} Wochen lässt sich sagen, was üblich ist.
      """,
    lastData: "Die letzten Daten sind vom {0}.", space: " ")
}

extension Words.Patterns {
  static let german = Words.Patterns(
    numberAndUnit: "{0}\u{A0}{1}", percent: "{0}\u{A0}%",
    hoursAndMinutes: "{0}\u{A0}h\u{A0}{1}", minutes: "{0}\u{A0}min",
    numberRange: "{0}\u{A0}– {1}", perDay: "{0} am Tag", perNight: "{0} pro Nacht",
    perYear: "{0} im Jahr", countInSentence: "{0}", daysOfDays: "{0} von {1} Tagen",
    labelled: "{0}: {1}", dayTime: "{0}, {1}")
}

extension Words.Dates {
  static let german = Words.Dates(
    first: "1",
    weekdayDay: "{3}, {0}. {1}", weekdayDayYear: "{3}, {0}. {1} {2}", dayMonth: "{0}. {1}",
    dayMonthYear: "{0}. {1} {2}", dayLongMonth: "{0}. {4}", monthYear: "{4} {2}", year: "{2}",
    range: "{0} – {1}", beforeNoon: "{0} AM", afterNoon: "{0} PM",
    months:
      "Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember",
    shortMonths: "Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez",
    monthsInDates: "Jan.|Feb.|März|Apr.|Mai|Juni|Juli|Aug.|Sept.|Okt.|Nov.|Dez.",
    longMonthsInDates:
      "Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember",
    weekdays: "Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag",
    shortWeekdays: "Mo|Di|Mi|Do|Fr|Sa|So", weekdaysInDates: "Mo.|Di.|Mi.|Do.|Fr.|Sa.|So.",
    narrowWeekdays: "M|D|M|D|F|S|S")
}

extension Words.Activities {
  static let german = Words.Activities(
    walking: "Gehen", running: "Laufen", cycling: "Radfahren", swimming: "Schwimmen",
    hiking: "Wandern", yoga: "Yoga", functionalStrengthTraining: "Funktionelles Krafttraining",
    traditionalStrengthTraining: "Klassisches Krafttraining",
    highIntensityIntervalTraining: "Hochintensives Intervalltraining",
    coreTraining: "Core-Training", elliptical: "Crosstrainer", rowing: "Rudern",
    stairClimbing: "Treppensteigen", stairs: "Treppen", pilates: "Pilates", dance: "Tanzen",
    cooldown: "Cool-down", soccer: "Fußball", tennis: "Tennis", tableTennis: "Tischtennis",
    badminton: "Badminton", basketball: "Basketball", volleyball: "Volleyball", golf: "Golf",
    climbing: "Klettern", boxing: "Boxen", martialArts: "Kampfsport",
    downhillSkiing: "Ski alpin", crossCountrySkiing: "Skilanglauf",
    snowboarding: "Snowboarden", skatingSports: "Eislaufen und Skaten",
    paddleSports: "Paddeln", surfingSports: "Surfen", equestrianSports: "Reiten",
    mindAndBody: "Körper und Geist", mixedCardio: "Gemischtes Cardio",
    flexibility: "Beweglichkeit", crossTraining: "Cross-Training", jumpRope: "Seilspringen",
    swimBikeRun: "Triathlon", other: "Andere",
    americanFootball: "American Football", archery: "Bogenschießen",
    australianFootball: "Australian Football", baseball: "Baseball", bowling: "Bowling",
    cricket: "Cricket", curling: "Curling", danceInspiredTraining: "Tanz-Training",
    fencing: "Fechten", fishing: "Angeln", gymnastics: "Turnen", handball: "Handball",
    hockey: "Hockey", hunting: "Jagen", lacrosse: "Lacrosse",
    mixedMetabolicCardioTraining: "Gemischtes Stoffwechsel-Cardiotraining", play: "Spielen",
    preparationAndRecovery: "Vorbereitung und Erholung", racquetball: "Racquetball",
    rugby: "Rugby", sailing: "Segeln", snowSports: "Schneesport", softball: "Softball",
    squash: "Squash", trackAndField: "Leichtathletik", waterFitness: "Wassergymnastik",
    waterPolo: "Wasserball", waterSports: "Wassersport", wrestling: "Ringen",
    barre: "Barre-Workout", kickboxing: "Kickboxen", stepTraining: "Step-Training",
    wheelchairWalkPace: "Rollstuhl im Gehtempo",
    wheelchairRunPace: "Rollstuhl im Lauftempo", taiChi: "Tai-Chi", handCycling: "Handbike",
    discSports: "Frisbee-Sport", fitnessGaming: "Fitness-Spiele",
    cardioDance: "Cardio-Tanz", socialDance: "Gesellschaftstanz", pickleball: "Pickleball",
    transition: "Wechsel", underwaterDiving: "Tauchen")
}

extension Words.Print {
  static let german = Words.Print(
    name: "Name", born: "Geboren",
    summary: "Zusammenfassung für {0} · zu Hause gemessen · erstellt am {1}",
    table: "Die letzten 28 Tage und das Jahr", measure: "Messgröße",
    median: "Median, 28 Tage", range: "5–95\u{A0}%", days: "Tage", yearAgo: "Vor einem Jahr",
    trend: "Trend des Jahres", trendInterval: "(95\u{A0}%)", weeks: "52 Wochen",
    caption: """
      Mediane von Tagen. Unter zehn Tagen: kleinster – größter Wert. Trend: Gerade durch \
      Wochenwerte, auf ein Jahr gerechnet. 52 Wochen: jede Linie hat ihren eigenen Maßstab.
      """,
    courses: "Verläufe", asleep: "Schlafzeiten, {0} Nacht|Schlafzeiten, {0} Nächte",
    medians: "{0} – {1} (Mediane)",
    heartRate: "Herzfrequenz nach Tagen, {0} Tage",
    heartRateKey:
      "Linie: kleinster bis größter Wert; Balken: mittlere Hälfte der Zeit; Punkt: Mittel",
    howMade: "Wie dieses Dokument entstand", measuredBy: "Gemessen von {0}.",
    source: "{0} ({1}, Messungen: {2})",
    oneCounts: """
      Wo Geräte gleichzeitig gemessen haben, zählt eines: zuerst von Hand Eingetragenes, dann \
      die Uhr, dann das Telefon, dann andere.
      """,
    method: """
      Die Tage richten sich nach der Zeitzone {0}. Tage ohne Daten zählen in keinem Mittelwert. \
      „Ungewöhnlich“ heißt ungewöhnlich für diese Person, nach den Regeln oben; nichts hier ist \
      eine Diagnose.
      """,
    sameNumbers: "Dieselben Zahlen: {0}")
}
