package import HealthAnalysis
package import HealthAnswers
import HealthQuery
import HealthSamples

extension AnalysisAnswer {
  /// Readings of blood pressure by class, or their numbers.
  func table(of found: PressureAnswer, _ list: String) -> AnswerTable {
    let (count, columns) = list == "numbers" ? Self.numbers(of: found) : Self.classes(of: found)
    return table(
      list, count,
      subject: HeadMember.subject("bloodPressure", unit: "mmHg") + [
        HeadMember("guideline", .string(found.parameters.guideline.rawValue)),
        HeadMember("place", .string(found.parameters.place.rawValue)),
      ], facts: HeadMember.facts(found.members(in: numbers.timeZone)), columns)
  }

  private static func classes(of found: PressureAnswer) -> (Int, [AnswerColumn]) {
    let rows = AnswerRows(found.classes)
    return (
      rows.count,
      [
        rows.word("class", \.category.rawValue),
        rows.number(
          "systolicFrom", unit: "mmHg", about: "from which number; none of the lowest class",
          \.systolicFrom),
        rows.number("diastolicFrom", unit: "mmHg", \.diastolicFrom),
        rows.count("count", about: "how many readings", \.count),
        rows.number("share", unit: "1", about: "of all readings") { found.share($0.count) },
        rows.count("mornings", about: "how many of mornings", \.mornings),
        rows.count("evenings", about: "how many of evenings", \.evenings),
        rows.count(
          "isolatedSystolic",
          about:
            "how many are isolated systolic hypertension; none for a guideline that does not name it",
          \.isolatedSystolic),
        rows.count("isolatedDiastolic", about: "the same of diastolic", \.isolatedDiastolic),
      ]
    )
  }

  private static func numbers(of found: PressureAnswer) -> (Int, [AnswerColumn]) {
    let rows = AnswerRows(
      found.numbers.flatMap { part in
        PressureAnswer.pressures.map { pressure in
          (
            part: part, pressure: pressure.key,
            measure: part.found.map { $0[keyPath: pressure.path] }
          )
        }
      })
    let few = "; none of fewer than two readings"
    return (
      rows.count,
      [
        rows.word(
          "readings", about: "all, mornings, evenings, or days: the means of days",
          \.part.name.rawValue),
        rows.word(
          "pressure",
          about:
            "pulse: systolic less diastolic; meanArterial: diastolic and a third of the pulse pressure",
          \.pressure),
        rows.count("count", about: "how many readings or days") { $0.part.found?.count ?? 0 },
        rows.number("mean", unit: "mmHg", about: "none without readings") { $0.measure?.mean },
        rows.number("standardDeviation", unit: "mmHg", about: "with n - 1" + few) {
          $0.measure?.standardDeviation
        },
        rows.number(
          "variation", unit: "%", naming: .withUnit, about: "the coefficient of variation" + few
        ) { $0.measure?.variationPercent },
        rows.number(
          "arv", unit: "mmHg",
          about: "average real variability: the mean change from one to the next" + few
        ) { $0.measure?.averageRealVariability },
        rows.number(
          "weightedARV", unit: "mmHg", about: "the same, weighted by the time between them" + few
        ) { $0.measure?.weightedAverageRealVariability },
      ]
    )
  }
}

extension PressureAnswer {
  func members(in zones: ZoneTimeline) -> [JSON.Member] {
    var home = JSON.null
    var refusal: [JSON.Member] = []
    switch self.home {
    case .success(let average)?:
      func part(_ part: HomeBloodPressure.Average?) -> JSON {
        part.map { Self.json($0.count, $0.systolic, $0.diastolic) } ?? .null
      }
      home = .object([
        .init("from", .string(Self.day(average.days.lowerBound))),
        .init("to", .string(Self.day(average.days.upperBound))),
        .init("days", .integer(average.dayCount)),
        .init("droppedDay", .string(Self.day(average.droppedDay))),
        .init("otherHours", .integer(average.otherCount)), .init("all", part(average.all)),
        .init("mornings", part(average.mornings)), .init("evenings", part(average.evenings)),
        .init("class", .optional(homeClass?.category.rawValue)),
      ])
    case .failure(let error)?:
      let text = Self.reason(error)
      refusal = [.init("homeRefusal", .string(text.prefix(1).uppercased() + text.dropFirst()))]
    case nil: break
    }
    func average(_ average: PressureAnswer.Average?) -> JSON {
      average.map {
        Self.json($0.count, $0.systolic, $0.diastolic, class: $0.found.category)
      } ?? .null
    }
    return JSON.Member.made(
      model: parameters.guideline.name,
      method: "the higher class of both numbers; the average at home by ESH 2021"
    ) + [
      .init("from", .string(LocalTime(span.lowerBound, in: zones).isoText)),
      .init("to", .string(LocalTime(span.upperBound, in: zones).isoText)),
      .init("all", average(all)), .init("mornings", average(mornings)),
      .init("evenings", average(evenings)), .init("home", home),
    ] + refusal + [
      .sources("sources", sources), .init("implausible", .integer(implausibleCount)),
      .init("loneSystolic", .integer(loneSystolicCount)),
      .init("loneDiastolic", .integer(loneDiastolicCount)),
    ]
  }

  private static func json(
    _ count: Int, _ systolic: Double, _ diastolic: Double,
    class category: BloodPressureGuideline.Category? = nil
  ) -> JSON {
    .object(
      [
        .init("count", .integer(count)), .init("systolic", .number(systolic)),
        .init("diastolic", .number(diastolic)),
      ] + (category.map { [.init("class", .string($0.rawValue))] } ?? []))
  }

  /// The pressures of readings: key, words, and where their measures are.
  package static var pressures:
    [(
      key: String, name: String,
      path: KeyPath<BloodPressureVariability, BloodPressureVariability.Measure>
    )]
  {
    [
      ("systolic", "systolic", \.systolic), ("diastolic", "diastolic", \.diastolic),
      ("pulse", "pulse pressure", \.pulsePressure),
      ("meanArterial", "mean arterial pressure", \.meanArterialPressure),
    ]
  }

  /// A day by its date.
  package static func day(_ number: Int) -> String {
    LocalTime.text(of: CivilDate(dayNumber: number))
  }

  /// A number of readings as a share of all.
  package func share(_ count: Int) -> Double { Double(count) / Double(max(1, all.count)) }

  /// Why there is no average at home, within a sentence.
  package static func reason(_ error: AnalysisError) -> String {
    switch error.reason {
    case .tooFewPoints(let count, let needed):
      "the last seven days have \(readings(count)) of mornings and evenings "
        + "without their first day, and it needs \(needed)."
    case .spanTooShort(let days, let needed):
      "the last seven days have readings on \(days == 1 ? "1 day" : "\(days) days"), and it needs "
        + "\(needed)."
    default: error.description
    }
  }

  private static func readings(_ count: Int) -> String {
    count == 1 ? "1 reading" : "\(NumberText.grouped(count)) readings"
  }
}
