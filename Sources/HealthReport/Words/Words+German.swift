extension Words {
  static let german = Words(
    page: .init(
      skip: "Zum Bericht", navigation: "Abschnitte", title: "Gesundheitsbericht von {0}",
      titleWithoutName: "Gesundheitsbericht", measures: "{0} Messgröße|{0} Messgrößen",
      zone: "Tage nach {0}",
      zonesWithChanges:
        "{0} bis {1} mit {2} Wechsel der Zeitzone|{0} bis {1} mit {2} Wechseln der Zeitzone",
      lastDayOpen: "der letzte Tag ist vielleicht noch nicht vorbei",
      ofYear: "der letzten 12 Monate",
      ofDays: "des letzten Tages|der letzten {0} Tage", separator: " · ",
      made: "Erstellt am {0} mit {1}.",
      clearText: "Diese Datei ist unverschlüsselt: Wer sie hat, kann sie lesen.",
      noConnection: "Sie stellt keine Verbindung her und sendet nichts.",
      noDiagnosis: "Das sind Messwerte, keine Diagnose.",
      needsNewerBrowser: "Für Tabellen ist ein neuerer Browser nötig.",
      needsScript:
        "Tabellen und weitere Messgrößen brauchen Skripte; alle Abbildungen sind auch ohne da."),
    sections: .init(
      overview: .init(
        "Überblick", "Überblick", "Die letzten sieben Tage neben der Zeit davor"),
      glance: .init(
        "Alle Messgrößen", "Alle Messgrößen",
        "Wo die letzten sieben Tage unter den Wochen der letzten 12 Monate liegen"),
      year: .init(
        "Das Jahr", "Das Jahr",
        "Jeder Tag, dann jede Messgröße nach Stunde, Tag, Woche, Monat, Jahr"),
      days: .init(
        "Die Tage", "Die Tage",
        "Jeder Tag, dann jede Messgröße nach Stunde, Tag, Woche, Monat, Jahr"),
      sleep: .init(
        "Schlaf", "Schlaf", "Wie lang, wann und wie regelmäßig sind deine Nächte?"),
      heart: .init(
        "Herz", "Herz", "Was ist üblich, was ändert sich und welche Tage fallen auf?"),
      body: .init(
        "Körper", "Körper",
        "Gewicht, Blutdruck und Blutzucker: wo sie stehen und wohin sie gehen"),
      diary: .init(
        "Tagebuch", "Tagebuch", "Zyklus, Medikamente und Gemütszustand: was notiert wurde"),
      workouts: .init(
        "Trainings", "Trainings", "Was du gemacht hast, wie anstrengend es war und wo"),
      relations: .init(
        "Zusammenhänge", "Was zusammenhängt",
        "Welche Messgrößen ändern sich gemeinsam und wie viele Paare wurden geprüft?"),
      sources: .init(
        "Quellen", "Woher die Zahlen kommen",
        "Wer gemessen hat, wessen Messung zählt und warum ein Tag seine Zahl hat")),
    families: .init(
      activity: "Aktivität", heart: "Herz und Atmung", sleep: "Schlaf", body: "Körper",
      food: "Blutzucker und Ernährung", walk: "Gehen und Hören"),
    states: .init(
      nothing: "Für diesen Zeitraum gibt es nichts zu zeigen.", asked: "Gefragt war: {0}.",
      askedFrom: "Gefragt war: ab {0}.",
      askedTo: "Gefragt war: bis {0}.",
      nothingChosen: "Von dem, wonach gefragt war, gibt es nichts zu zeigen.",
      chosen: "{0} fragt nur nach {1}; ohne diese Option wird alles gezeigt, was da ist.",
      whatToDo:
        "Wähle mit --from und --to einen anderen Zeitraum oder importiere zuerst einen Export.",
      noData: "keine Daten", partial: "unvollständig", soFar: "bisher"),
    overview: .init(
      usual: "Für dich üblich", above: "Über deinem üblichen Bereich",
      below: "Unter deinem üblichen Bereich", weekOnWeek: "Zur Vorwoche", yearOnYear: "Zum Vorjahr",
      change: "*{0}*, vorher {1}", rings: "Ringe, {0}",
      closed: "{0} von {1}", closedUnit: "Tagen alle Ringe geschlossen",
      closedBefore: "7 Tage davor: {0} von {1}", move: "Bewegen", exercise: "Trainieren",
      stand: "Stehen",
      ringGoal: "Ziel", goal: "*{0}* {1} von {2}",
      captionMeans: "Große Zahlen sind Mittelwerte der letzten sieben Tage.",
      captionBand: """
        Das Band ist der typische Bereich eines Tages: neun von zehn Tagen {0}; die gestrichelte \
        Linie ist der Median; unterstrichen sind die letzten sieben Tage.
        """,
      captionWeek: "Zur Vorwoche: gegenüber den sieben Tagen davor.",
      captionYear: "Zum Vorjahr: {0} bis {1} gegenüber {2} bis {1}.",
      captionUsual: "„Üblich“ vergleicht diese sieben Tage mit den 52 Wochen davor.",
      captionGap: "Ein kleiner Ring ist ein Tag ohne Daten.",
      captionPartial: "Ein Umriss ist ein Tag, der nur zum Teil Daten hat.",
      captionOpenDay: "{0} ist noch nicht vorbei und zählt in keinem Mittelwert.",
      captionCutDay: "{0} zählt in keinem Mittelwert: Die Daten enden, bevor dieser Tag endet.",
      captionFirstDay: "Ein Tag, an dem die Daten einer Größe beginnen, zählt nicht."),
    glance: .init(
      measure: "Messgröße", lastSevenDays: "Letzte 7 Tage", inYourYear: "In deinem Jahr",
      typicalWeek: "Typische Woche", weeks: "52 Wochen", years: "{0} gegenüber {1} bis {2}",
      shortYears: "{0} gegenüber {1}:", change: "*{0}* ({1} → {2})",
      keyTypical: "typisch: neun von zehn Wochen der letzten 12 Monate; dazu der Median",
      keyNow: "die letzten sieben Tage", keyUnusual: "für dich ungewöhnlich",
      strip: "{0}; typisch {1} bis {2}, Median {3}.",
      sparkline: "52 Wochen: {0} bis {1}, zuletzt {2}."),
    year: .init(
      calendar: "{0}, Tag für Tag", most: "Höchster Wert: *{0}* am {1}", under: "unter {0}",
      from: "ab {0}", weeksBegin: "Wochen beginnen am {0}", earlierYear: "Vorheriges Jahr",
      laterYear: "Nächstes Jahr", rings: "Ringe, vier Wochen",
      closed: "Geschlossen: Bewegen *{0}* · Trainieren *{1}* · Stehen *{2}* von {3} Tagen",
      keyMove: "Bewegen (außen)", keyExercise: "Trainieren (Mitte)", keyStand: "Stehen (innen)",
      keyFull: "ein voller Kreis ist das Ziel oder mehr", months: "Monate"),
    explorer: .init(
      measure: "Messgröße", interval: "Zeitraum", hour: "Stunde", day: "Tag", week: "Woche",
      month: "Monat", year: "Jahr", earlier: "Früher", later: "Später",
      byHour: "{0}, nach Stunden", byDay: "{0}, nach Tagen", byWeek: "{0}, nach Wochen",
      byMonth: "{0}, nach Monaten", byYear: "{0}, nach Jahren", weekFrom: "die Woche ab {0}",
      meanOfDay: "Mittel eines Tages", meanOfNight: "Mittel einer Nacht",
      middleHalfOfDays: "mittlere Hälfte der Tage",
      leastToGreatestDay: "kleinster bis größter Tag", mean: "Mittel",
      middleHalf: "mittlere Hälfte", leastToGreatest: "kleinster bis größter Wert",
      medianOfYear: "Median {0}",
      olderWeeks: "Tage sind ab {0} da; davor gibt es Wochen."),
    figure: .init(
      label: "{0}. Die Pfeiltasten links und rechts lesen die Werte.",
      calendarLabel: "{0}, Tag für Tag. Die Pfeiltasten lesen die Tage und Wochen.",
      whyHint: "Die Eingabetaste sagt, warum.", lastDays: "letzter Tag|letzte {0} Tage",
      lastNights: "letzte Nacht|letzte {0} Nächte", lastWeeks: "letzte Woche|letzte {0} Wochen",
      description: "Kleinster Wert {0}, größter {1}, Median {2}, zuletzt {3}.",
      from: "{0} bis {1}",
      mean: "Mittel {0}", median: "Median {0}", middleHalf: "mittlere Hälfte {0} bis {1}",
      hours: "{0} Stunden", zone: "in {0}", device: "ab hier {0}", noData: "keine Daten",
      partial: "unvollständig", soFar: "bisher", part: "{0} {1}"),
    table: .init(
      days: "Die Tage als Tabelle", weeks: "Die Wochen als Tabelle",
      months: "Die Monate als Tabelle", nights: "Die Nächte als Tabelle",
      numbers: "Diese Zahlen als Tabelle", rings: "Die Ringe als Tabelle",
      readings: "Die Messungen als Tabelle",
      reasons: "Die Gründe als Tabelle",
      workouts: "Alle als Tabelle ({0})", showMore: "{0} weitere zeigen", region: "{0}, Tabelle",
      hour: "Stunde", day: "Tag", week: "Woche", month: "Monat", year: "Jahr", night: "Nacht",
      sum: "Summe", mean: "Mittel", median: "Median", least: "kleinster Wert",
      greatest: "größter Wert", lowerQuarter: "unteres Quartil",
      upperQuarter: "oberes Quartil", perDay: "Mittel eines Tages", leastDay: "kleinster Tag",
      greatestDay: "größter Tag", lowerQuarterOfDays: "unteres Quartil der Tage",
      upperQuarterOfDays: "oberes Quartil der Tage", note: "Anmerkung"),
    sleep: .init(
      when: "Wann du geschlafen hast, {0} Nacht|Wann du geschlafen hast, {0} Nächte",
      halfOfNights: "Die Hälfte der Nächte beginnt bis *{0}* und endet bis *{1}*",
      captionWhen: """
        Ein Balken reicht vom Einschlafen bis zum Aufwachen, nach der Uhr des Ortes, an dem du \
        warst; ein kleiner Ring ist eine Nacht ohne Daten. Linien sind Mediane.
        """,
      stages: "Phasen",
      means: "Mittel von {0} Nacht: {1}|Mittel von {0} Nächten: {1}", stage: "{0} *{1}*",
      deep: "Tief",
      core: "Kern", rem: "REM", awake: "Wach", asleep: "Schlafend", inBed: "Im Bett",
      nap: "Nickerchen", fellAsleep: "eingeschlafen", wokeUp: "aufgewacht", until: "bis",
      night: "Die Nacht auf {0}", fromSamples: "Aus einzelnen Messungen gezeichnet: nur mit {0}.",
      howRegular: "Wie regelmäßig", index: "Index der Schlafregelmäßigkeit",
      indexCaption: "100: jeden Tag zu denselben Zeiten schlafend; 0: zufällig. {0} Nächte.",
      weekendShift: "Verschiebung am Wochenende",
      weekendCaption: "Die Mitte der Nächte auf Samstag und Sonntag, gegenüber den anderen.",
      sevenHours: "Nächte von 7 Stunden oder mehr", countOfNights: "{0} von {1}",
      sevenHoursCaption: "Die kürzeste {0}, die längste {1}."),
    heart: .init(
      range: "{0}, {1} Tage", lastSevenDays: "In den letzten sieben Tagen *{0}* {1}, Mittel *{2}*",
      leastToGreatest: "kleinster bis größter Wert",
      middleHalfOfTime: "mittlere Hälfte der Zeit", mean: "Mittel",
      trend: "Letzte 12 Monate *{0} im Jahr* (95\u{A0}%: {1} bis {2})",
      noTrend: "kein klarer Trend",
      noTrendInterval: "kein klarer Trend (95\u{A0}%: {0} bis {1})",
      points: "{0}\u{A0}Punkte", keyWeek: "Woche",
      keyTypical: "typisch, letzte 12 Monate", keyTrend: "Trend {0} und 95-%-Bereich",
      unusual: "Ungewöhnliche Tage der letzten {0}", unusualValue: "{0} {1}",
      higher: "höher als für dich üblich: Median {0} in {1} Tagen davor",
      lower: "niedriger als für dich üblich: Median {0} in {1} Tagen davor",
      noUnusual: "Kein Tag fällt auf.",
      unusualCaption: """
        Ein Tag fällt auf, wenn er um mehr als das {0}-Fache der üblichen Streuung vom Median der \
        {1} Tage davor abweicht, auch ohne den Wochenrhythmus. Herz, Schlaf und Körper stehen \
        zuerst. {2} Tageswerte von {3} Messgrößen wurden geprüft: einige fallen durch Zufall auf.
        """),
    pressure: .init(
      title: "Blutdruck", systolic: "systolisch", diastolic: "diastolisch",
      lastYear: "Mittel der letzten 12 Monate: {0}, {1}", mornings: "morgens *{0}* ({1})",
      evenings: "abends *{0}* ({1})", noMornings: "keine Messungen am Morgen",
      noEvenings: "keine Messungen am Abend",
      home: "Mittel zu Hause, {3} – {4}: *{0}*, {1} ({2} Messungen, ESH 2021)",
      noHome: """
        Kein Mittel zu Hause (ESH 2021): zu wenige Messungen morgens und abends in den sieben Tagen bis \
        zur letzten.
        """,
      lone: "{0} Wert ohne den zweiten zählt nicht.|{0} Werte ohne den zweiten zählen nicht.",
      implausible: """
        {0} Messung, deren unterer Wert nicht unter dem oberen liegt, zählt nicht.|{0} \
        Messungen, deren unterer Wert nicht unter dem oberen liegt, zählen nicht.
        """,
      classes: "Einzelne Messungen der letzten 12 Monate nach den Klassen von {0}",
      bothUnder: "unter {0} und unter {1}", betweenAndUnder: "{0}–{1} und unter {2}",
      eitherBetween: "{0}–{1} oder {2}–{3}", eitherFrom: "ab {0} oder ab {1}",
      caption: """
        Jede Linie ist eine Messung, vom unteren zum oberen Wert; morgens ist {4}–{5}, abends \
        {6}–{7}. Gepunktet sind {0} und {1}, ab denen {2} von „{3}“ spricht.
        """,
      captionOfDays: """
        Jede Linie ist das Mittel eines Morgens ({4}–{5}) oder eines Abends ({6}–{7}), vom unteren \
        zum oberen Wert; gepunktet sind {0} und {1}, ab denen {2} von „{3}“ spricht.
        """,
      morning: "morgens", evening: "abends", otherHours: "andere Stunden",
      decides: "Die höhere Klasse der beiden Werte entscheidet.",
      noDiagnosis: "Das sind Messungen zu Hause, keine Diagnose.", optimal: "Optimal",
      normal: "Normal", highNormal: "Hochnormal", elevated: "Erhöht",
      nonElevated: "Nicht erhöht", stage1: "Stadium 1", stage2: "Stadium 2",
      hypertension: "Hypertonie", grade1: "Grad 1", grade2: "Grad 2", grade3: "Grad 3",
      belowHypertension: "Unter der Hypertoniegrenze"),
    glucose: .init(
      title: "Blutzucker nach Tageszeit",
      summary: "{0} Tage, {1} Messungen; Mittel *{2}* · GMI *{3}*", variation: "VK *{0}*",
      shares: "Anteil der Zeit, nach den Grenzen von {0}", over: "über {0}", under: "unter {0}",
      keyNineOfTen: "neun von zehn Messungen", keyMiddleHalf: "mittlere Hälfte",
      keyMedian: "Median", keyRange: "Bereich",
      daysAndMedian: "Messungen an {0} von {1} Tagen, Median *{2}*",
      captionOfHours: """
        Für jede Stunde des Tages: die Messungen von {0} Tagen. Gepunktet: {1} und {2}, die \
        Grenzen des Bereichs.
        """,
      tooFew: """
        Ohne einen Sensor, der Tag und Nacht misst, gibt es keine Zeit im Bereich: einzelne \
        Messungen sagen nicht, wie lange ein Wert anhielt. Nötig sind Messungen über mindestens \
        {2} von {3} Tagen; diese decken {0} von {1} ab.
        """),
    cycle: .init(
      title: "Zyklen", days: "{0} Tage", summary: "Median *{0}* Tage, von {1} bis {2}",
      day: "Tag {0}",
      caption: """
        Eine Zeile ist ein Zyklus ab dem ersten Tag. Balken sind Tage mit Blutung: höher ist \
        stärker.
        """,
      flow: "Blutung", light: "leicht", medium: "mittel", heavy: "stark",
      unspecified: "ohne Angabe", length: "Länge", began: "Beginn"),
    medications: .init(
      title: "Medikamente", taken: "eingenommen", skipped: "übersprungen",
      notLogged: "nicht protokolliert",
      caption: """
        Voll: eingenommen. Umriss: übersprungen. Tage ohne Protokoll sind leer.
        """),
    mind: .init(
      title: "Gemütszustand", veryUnpleasant: "sehr unangenehm", unpleasant: "unangenehm",
      slightlyUnpleasant: "eher unangenehm", neutral: "neutral",
      slightlyPleasant: "eher angenehm", pleasant: "angenehm", veryPleasant: "sehr angenehm",
      emotion: "Gefühl eines Augenblicks", mood: "Stimmung des Tages", entries: "Einträge: {0}",
      caption: "Höhe: von sehr unangenehm bis sehr angenehm."),
    workouts: .init(
      hoursByMonth: "Stunden nach Monaten", wholeMonths: "Ganze Monate, ab dem {0}.",
      inYear: "*{0}* Training in zwölf Monaten|*{0}* Trainings in zwölf Monaten",
      count: "Trainings: *{0}*",
      day: "Tag", kind: "Art", times: "Anzahl",
      time: "Zeit", distance: "Strecke", energy: "Energie", meanHeartRate: "Herzfrequenz, Mittel",
      other: "andere", title: "{0}, {1} um {2}", heart: "Herzfrequenz *{0}*, maximal *{1}* {2}",
      splits: "Zwischenzeiten, aus der Route, {0}",
      zones: "Zeit in Zonen, {0}",
      zoneFrom: "{0} und mehr", zoneUnder: "unter {0}",
      routeCaption: """
        Routen sind auf dieser Seite, weil sie mit {0} erstellt wurde. Die ersten und letzten {1} \
        sind weggelassen. Hohl: Start; voll: Ziel; die Linie unten ist {2} lang, Norden ist oben.
        """,
      lastWithRoute: "Das ist das letzte Training mit einer Route.",
      lastWithHeartRate: "Das ist das letzte Training mit Herzfrequenzen.",
      outsideZones: "Zeiten ohne Herzfrequenz liegen in keiner Zone.",
      routes: "Alle Routen {0}",
      routeCount: "Routen: *{0}*",
      routesCaption: "Die Linie ist {0} lang; Norden ist oben. Die Enden sind weggelassen.",
      placesShown: "Die {0} Orte mit den meisten Routen, von {1}.",
      last: "Letzte Trainings: {0}"),
    activities: .german,
    relations: .init(
      first: "Wenn …", second: "dann eher", when: "wann",
      strength: "Rangkorrelation, 95\u{A0}%", days: "Tage", chance: "q", sameDay: "am selben Tag",
      nextDay: "am nächsten Tag", laterDays: "{0} Tage später",
      held: "Zusammenhänge mit Bestand: *{0}* von {1} geprüften",
      none: "Keiner von {0} geprüften hat Bestand. Auch das ist eine Antwort.",
      notCause: "Ein Zusammenhang ist keine Ursache.",
      caption: """
        Ein Punkt ist die Rangkorrelation, seine Linie der 95-%-Bereich; q ist der zu erwartende \
        Anteil von Zufallsfunden unter denen, die mindestens so stark sind.
        """,
      shared: """
        Paare, die dasselbe messen, etwa Schritte und Strecke, werden nicht geprüft.
        """,
      choice: """
        Von Paaren zwischen denselben Dingen, etwa Schritten oder Strecke mit Schlaf, steht hier \
        nur das sicherste, und insgesamt höchstens {0}.
        """,
      night: "Eine Nacht gehört zu dem Tag, an dem sie endet.",
      table: "Alle, die Bestand haben, als Tabelle"),
    sources: .init(
      who: "Wer gemessen hat", source: "Quelle", kind: "Art", measures: "Messgrößen",
      samples: "Messungen", fromTo: "Von – bis", watch: "Uhr", wearable: "Wearable",
      phone: "Telefon",
      other: "andere", byHand: "von Hand", counted: "{0}: was gezählt wurde",
      countedSummary: "Tage: {0} · *{1}* gezählt, *{2}* verdeckt",
      masked: "gleichzeitig von einer Quelle mit niedrigerem Rang gemessen: nicht addiert",
      press: """
        Ein Klick auf einen Tag oder die Eingabetaste im Diagramm sagt, *warum der {0} den Wert \
        {1} hat*.
        """,
      gaps: "Lücken {0}",
      daysWithout: "{0} von {1} Tagen ohne Daten",
      longestGap: "die längste: {0} Tage", noGaps: "Keine Lücken.",
      noneJudged: "Es wurde zu wenig gemessen, um von Lücken zu sprechen.",
      zones: "Zeitzonen und Importe",
      daysOf: "Tage nach", zoneFrom: "{0} ab {1}", imports: "Importe",
      imported: "{0}: {1} Messungen",
      ranks: """
        Wo zwei gleichzeitig gemessen haben, zählt eine Quelle: zuerst von Hand Eingetragenes, \
        dann die Uhr, dann das Telefon, dann andere.
        """,
      preferred: """
        Wo zwei gleichzeitig gemessen haben, zählt eine Quelle, in der Reihenfolge, die du \
        festgelegt hast.
        """,
      ranking: "Wessen Messung zählt",
      more: "und {0} weitere",
      table: "Alle Quellen als Tabelle",
      gapsRule: """
        Messgrößen mit Daten an mindestens einem Viertel der Tage, {2} Tage oder länger nach dem \
        ersten: {0} von {1}; die anderen werden nicht beurteilt. Die längste Lücke steht zuerst.
        """,
      recorded: "Zeitzonen in den Messungen"),
    why: .init(
      title: "Warum {0} am {1}?",
      severalSources: """
        Mehr als eine Quelle hat gezählt. Wo zwei gleichzeitig gemessen haben, zählt die mit dem \
        höheren Rang, damit nichts doppelt gezählt wird.
        """,
      oneSource: "Eine Quelle hat gemessen, und alles davon zählt.",
      oneSourceOfSeveral: """
        Eine Quelle hat gezählt. Was andere gleichzeitig gemessen haben, wird nicht addiert, damit \
        nichts doppelt gezählt wird.
        """,
      nothing: "An diesem Tag wurde nichts gemessen.", counted: "{0}, gezählt",
      masked: "{0}: gleichzeitig mit einem höheren Rang gemessen, nicht addiert",
      together: "Zusammen", rawSum: "Die rohe Summe wäre",
      command: "Der Befehl, der dasselbe beantwortet", close: "Schließen"),
    print: .german,
    visit: .german,
    phrases: .german,
    patterns: .german,
    dates: .german)
}
