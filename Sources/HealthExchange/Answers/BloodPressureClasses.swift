package import HealthAnalysis
package import HealthAnswers
import HealthQuery
import HealthSamples

extension AnalysisAnswer {
  /// Readings of blood pressure by class.
  func table(of found: PressureAnswer, _ list: String) -> AnswerTable {
    let rows = AnswerRows(found.classes)
    return table(
      list, rows.count,
      subject: HeadMember.subject("bloodPressure", unit: "mmHg") + [
        HeadMember("guideline", .string(found.parameters.guideline.rawValue)),
        HeadMember("place", .string(found.parameters.place.rawValue)),
      ], facts: HeadMember.facts(found.members(in: numbers.timeZone)),
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
      ])
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
