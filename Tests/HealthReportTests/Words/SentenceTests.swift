import Testing

@testable import HealthReport

@Suite("The sentence of a report")
struct SentenceTests {
  private static func facts(_ base: ReportLanguage.Base) -> SentenceFacts {
    let writer = NumberWriter(ReportLanguage(base))
    func outside(_ id: String, _ isAbove: Bool, _ scaled: Int) -> SentenceFacts.Outside {
      let measure = Measure.of(id)
      return .init(
        measure: measure, isAbove: isAbove,
        amount: writer.amountInSentence(scaled, of: measure))
    }
    func year(_ id: String, _ scaled: Int) -> SentenceFacts.YearDifference {
      let measure = Measure.of(id)
      return .init(
        measure: measure, amount: writer.amountInSentence(scaled, of: measure), isLower: true)
    }
    var facts = SentenceFacts()
    facts.outside = [
      outside("flightsClimbed", false, 12), outside("sleep", true, 485),
      outside("appleExerciseTime", false, 27),
    ]
    (facts.outsideCount, facts.measureCount) = (4, 31)
    facts.mostWeeks = .asInMost
    facts.yearAgainst = [year("restingHeartRate", 3), year("bodyMass", 11)]
    facts.year = 2025
    return facts
  }

  /// Bold between stars, and plain blanks.
  private static func text(_ facts: SentenceFacts, _ base: ReportLanguage.Base) -> String {
    let runs = Sentence(ReportLanguage(base)).runs(facts)
    return String(
      runs.map { $0.isBold ? "*\($0.text)*" : $0.text }.joined().map { $0 == "\u{A0}" ? " " : $0 })
  }

  @Test(
    "is that of the design, in every language",
    arguments: [
      (
        .english,
        """
        Fewer flights climbed (*12* a day), more sleep (*8 h 05*) and less exercise (*27 min* a \
        day) than usual for you; 27 of 31 measures in their usual range, as in most weeks. \
        Compared with 2025 to the same day, resting heart rate is *3 bpm lower* and weight is *1.1 \
        kg lower*.
        """
      ),
      (
        .german,
        """
        Weniger Stockwerke (*12* am Tag), mehr Schlaf (*8 h 05*) und weniger Training (*27 min* am \
        Tag) als für dich üblich; 27 von 31 Messgrößen im üblichen Bereich, wie in den \
        meisten Wochen. Gegenüber 2025 bis zum selben Tag: Ruhepuls *3 bpm niedriger* und Gewicht \
        *1,1 kg niedriger*.
        """
      ),
      (
        .french,
        """
        Moins d’étages montés (*12* par jour), plus de sommeil (*8 h 05*) et moins d’exercice (*27 \
        min* par jour) que d’habitude\u{202F}; mesures habituelles : 27 sur 31, comme \
        la plupart des semaines. Face à 2025, à la même date : fréquence cardiaque au repos \
        *en baisse de 3 bpm* et poids *en baisse de 1,1 kg*.
        """
      ),
      (
        .spanish,
        """
        Menos pisos (*12* al día), más sueño (*8 h 05*) y menos ejercicio (*27 min* al día) de lo \
        habitual en ti; 27 de 31 medidas en lo habitual, como la mayoría de las semanas. \
        Frente a 2025 hasta el mismo día: frecuencia cardíaca en reposo *3 lpm menor* y peso \
        *1,1 kg menor*.
        """
      ),
      (
        .japanese,
        """
        いつもと比べて、上った階数が少なめ（*12階*/日）、睡眠が多め（*8時間5分*）、エクササイズが少なめ\
        （*27分*/日）です。31項目中27項目はいつもの範囲です（ほとんどの週と同じ）。2025年の同じ日までと\
        比べて、安静時心拍数が*3拍/分下がって*、体重が*1.1kg下がって*います。
        """
      ),
    ] as [(ReportLanguage.Base, String)])
  func design(base: ReportLanguage.Base, expected: String) {
    #expect(Self.text(Self.facts(base), base) == expected)
  }

  @Test("says what it can, and no more")
  func others() {
    var facts = SentenceFacts()
    #expect(Self.text(facts, .english).isEmpty)
    facts.measureCount = 31
    #expect(
      Self.text(facts, .english) == "A usual week: 31 of 31 measures in their usual range.")
    facts.single = .init(measure: .of("stepCount"), amount: "8,920 steps")
    #expect(Self.text(facts, .english) == "A usual week for you: *8,920 steps* a day.")
    facts.single = .init(measure: .of("restingHeartRate"), amount: "56 bpm")
    #expect(Self.text(facts, .english) == "A usual week for you: resting heart rate *56 bpm*.")
    facts.single = .init(measure: .of("dietaryCarbohydrates"), amount: "224 g")
    #expect(Self.text(facts, .english) == "A usual week for you: carbohydrates *224 g* a day.")
    facts.single = .init(measure: .of("appleStandHour"), amount: "10 h")
    #expect(Self.text(facts, .english) == "A usual week for you: stand hours *10 h* a day.")
    facts.single = .init(measure: .of("nikeFuel"), amount: "900")
    #expect(Self.text(facts, .english) == "A usual week for you: Nike fuel *900* a day.")
    facts.single = .init(measure: .of("pushCount"), amount: "12回")
    #expect(Self.text(facts, .japanese) == "いつもどおりの週です：車椅子のプッシュ数 *12回*/日。")
    facts.weeksSoFar = 9
    #expect(
      Self.text(facts, .english)
        == "9 weeks of data so far: from 14 weeks on it can be said what is usual.")
    facts.weeksSoFar = 1
    #expect(
      Self.text(facts, .english)
        == "1 week of data so far: from 14 weeks on it can be said what is usual.")
    facts.lastDataDay = "3 May 2024"
    #expect(Self.text(facts, .english) == "The last data are from 3 May 2024.")
  }

  @Test("of one measure, or of measures that are all outside, counts no others")
  func alone() {
    var facts = Self.facts(.english)
    facts.outside = Array(facts.outside.prefix(1))
    (facts.outsideCount, facts.measureCount, facts.yearAgainst) = (1, 1, [])
    #expect(Self.text(facts, .english) == "Fewer flights climbed (*12* a day) than usual for you.")
    facts.single = .init(measure: .of("flightsClimbed"), amount: "12 flights")
    #expect(Self.text(facts, .english) == "Fewer flights climbed (*12* a day) than usual for you.")
  }

  @Test("counts amounts of a day by their noun")
  func amounts() {
    var facts = SentenceFacts()
    facts.year = 2025
    facts.yearAgainst = [
      .init(measure: .of("stepCount"), amount: "330", isLower: false),
      .init(measure: .of("sleep"), amount: "4 min", isLower: true),
    ]
    #expect(
      Self.text(facts, .english) == """
        Compared with 2025 to the same day, there are *330 more* steps a day and there is *4 min \
        less* sleep a night.
        """)
    #expect(
      Self.text(facts, .german) == """
        Gegenüber 2025 bis zum selben Tag: *330 mehr* Schritte am Tag und *4 min weniger* Schlaf \
        pro Nacht.
        """)
  }

  @Test("agrees with its nouns, and Spanish with the sound after y")
  func agreement() {
    #expect(
      Measure.of("bodyMass").compared(isAbove: true, in: .german) == "ein höheres Gewicht")
    #expect(
      Measure.of("heartRate").compared(isAbove: false, in: .french)
        == "fréquence cardiaque plus basse")
    #expect(Measure.of("dietaryWater").compared(isAbove: true, in: .french) == "plus d’eau")
    #expect(
      Measure.of("appleStandHour").compared(isAbove: false, in: .english) == "fewer stand hours")
    var facts = SentenceFacts()
    facts.outside = ["bodyMass", "bodyMassIndex"].map {
      .init(measure: .of($0), isAbove: true, amount: "1")
    }
    #expect(
      Self.text(facts, .spanish)
        == "Peso más alto (*1*) e índice de masa corporal más alto (*1*) de lo habitual en ti.")
  }

  @Test(
    "compares lengths as lengths",
    arguments: [
      (.english, "a longer step length", "a smaller waist circumference"),
      (.german, "eine größere Schrittlänge", "ein kleinerer Taillenumfang"),
      (.french, "longueur de pas plus grande", "tour de taille plus petit"),
      (.spanish, "longitud de paso mayor", "perímetro de la cintura menor"),
      (.japanese, "歩幅が長め", "胴囲が小さめ"),
    ] as [(ReportLanguage.Base, String, String)])
  func lengths(base: ReportLanguage.Base, longer: String, smaller: String) {
    #expect(Measure.of("walkingStepLength").compared(isAbove: true, in: base) == longer)
    #expect(Measure.of("waistCircumference").compared(isAbove: false, in: base) == smaller)
  }

  @Test("has no more words than the design allows", arguments: ReportLanguage.Base.allCases)
  func length(base: ReportLanguage.Base) {
    let sentence = Sentence(ReportLanguage(base))
    for first in Measures.all {
      for second in [Measure.of("walkingHeartRateAverage"), .of("sixMinuteWalkTestDistance")] {
        var facts = Self.facts(base)
        facts.outside = [first, second, .of("appleSleepingWristTemperature")].map {
          .init(measure: $0, isAbove: true, amount: "1,234\u{A0}km")
        }
        let runs = sentence.runs(facts)
        #expect(Sentence.wordCount(of: runs) <= Sentence.mostWords)
        #expect(runs.allSatisfy { !$0.isBold || $0.text.contains(where: \.isNumber) })
        #expect(!runs.map(\.text).joined().contains("{"))
      }
    }
  }
}
