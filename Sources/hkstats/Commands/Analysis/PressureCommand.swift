import ArgumentParser
import HealthAnalysis
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport

/// `hkstats pressure`: readings of blood pressure by the classes of a guideline.
struct PressureCommand: AnalysisCommand {
  static let configuration = CommandConfiguration(
    commandName: "pressure",
    abstract: PressureParameters.about,
    discussion: """
      Counts readings by the classes of a guideline: ESC 2024 (the default), AHA/ACC 2025 or ESH \
      2023, with its table for readings at home. Of both numbers the higher class decides. \
      Mornings are from 4 to before 12 o'clock, evenings from 18 o'clock to midnight.

      The average at home follows the European Society of Hypertension (2021): the last seven \
      days with readings, without the first of them, and at least 12 readings of mornings and \
      evenings.

      --numbers has mean, SD and average real variability (ARV, the mean change from one reading to \
      the next) of systolic, diastolic, pulse and mean arterial pressure: of all readings, of \
      mornings, of evenings, and of the means of days. ESH 2023 also names hypertension of one \
      pressure alone, which is counted.

      Without --from and --to all readings count.

      A class says where readings lie in a published table. It is no diagnosis.

      EXAMPLES:
        hkstats pressure
        hkstats pressure --guideline aha --from -90d
        hkstats pressure --guideline esh --place office --format csv
        hkstats pressure --numbers --from -30d
        hkstats pressure --from -30d --format chart
      """,
    aliases: ["blood-pressure"])

  /// A guideline by who made it.
  enum Guideline: String, ExpressibleByArgument, CaseIterable {
    case esc, aha, esh

    var guideline: BloodPressureGuideline {
      switch self {
      case .esc: .esc2024
      case .aha: .ahaAcc2025
      case .esh: .esh2023
      }
    }
  }

  /// Where readings were taken.
  enum Place: String, ExpressibleByArgument, CaseIterable {
    case home, office

    var place: BloodPressureGuideline.Place { self == .home ? .home : .office }
  }

  @Option(help: "esc (ESC 2024), aha (AHA/ACC 2025) or esh (ESH 2023).")
  var guideline = Guideline.esc

  @Option(help: .of(\PressureParameters.place))
  var place = Place.home

  @Flag(help: "Mean and variability of each pressure, in place of classes.")
  var numbers = false

  @OptionGroup var asking: FixedTypeOptions
  @OptionGroup var form: FormatOptions<ChartFormat>

  func validate() throws {
    if numbers, form.format == .chart {
      throw ValidationError("--numbers is a list; a chart shows the classes.")
    }
  }

  typealias View = PressureView

  var list: String? { numbers ? PressureView.numbers : nil }

  func ask(_ show: (AnalysisAnswer, AnswerNotes) throws -> Void) throws {
    var parameters = PressureParameters()
    (parameters.guideline, parameters.place) = (guideline.guideline, place.place)
    try asking.ask(.pressure(parameters), show: show)
  }
}

/// Samples of blood pressure that are no reading.
enum LonePressures {
  /// How many lack their mate; `nil` where none does.
  static func sentence(systolic: Int, diastolic: Int) -> String? {
    let parts = [
      (systolic, "systolic", "diastolic"), (diastolic, "diastolic", "systolic"),
    ].filter { $0.0 > 0 }.map { count, name, mate in
      AmountText.count(count, "\(name) sample")
        + " without a \(mate) one of the same source and moment"
    }
    guard !parts.isEmpty else { return nil }
    return parts.joined(separator: ", ") + "."
  }
}

/// Classes of blood pressure as a table and as bars.
struct PressureView: AnalysisView {
  private let answer: PressureAnswer
  private let zones: ZoneTimeline

  /// Whether numbers are shown, and not classes.
  private let isOfNumbers: Bool

  /// The list of means and variability.
  static let numbers = "numbers"

  init?(_ answer: AnalysisAnswer, _ list: String?, notes _: AnswerNotes) {
    guard case .pressure(let pressure) = answer.results else { return nil }
    self.answer = pressure
    isOfNumbers = list == Self.numbers
    zones = answer.numbers.timeZone
  }

  var page: AnswerView.Page {
    AnswerView.Page(table: isOfNumbers ? numbersTable : table, notes: captions)
  }

  private var place: String { answer.parameters.place == .home ? "at home" : "in an office" }

  var title: String {
    func date(_ instant: Double) -> String { LocalTime(instant, in: zones).dateText }
    let vocabulary = Vocabulary.current
    let name = answer.parameters.guideline.name
    return vocabulary.caption("blood pressure \(place) by {0}", name) + ", "
      + vocabulary.caption("{0} to {1}", date(answer.span.lowerBound), date(answer.span.upperBound))
      + ", "
      + StatisticsCaptions.zones(zones)
  }

  private func percent(_ count: Int) -> String {
    "\(NumberText.rounded(answer.share(count) * 100, decimals: 1)) %"
  }

  private var table: Table {
    var table = Table(columns: [
      .words("class"), .numbers("readings"), .numbers("share"), .numbers("mornings"),
      .numbers("evenings"),
    ])
    for row in answer.classes {
      table.add([
        Vocabulary.current.word(row.category.name), NumberText.grouped(row.count),
        percent(row.count),
        NumberText.grouped(row.mornings), NumberText.grouped(row.evenings),
      ])
    }
    return table
  }

  private var numbersTable: Table {
    var table = Table(columns: [
      .words("readings"), .words("pressure"), .numbers("count"), .numbers("mean (mmHg)"),
      .numbers("SD"), .numbers("CV"), .numbers("ARV"),
    ])
    func text(_ value: Double?) -> String {
      value.map { NumberText.rounded($0, decimals: 1) } ?? "–"
    }
    for part in answer.numbers {
      guard let found = part.found else { continue }
      for pressure in PressureAnswer.pressures {
        let measure = found[keyPath: pressure.path]
        table.add([
          Vocabulary.current.word(part.name.rawValue), Vocabulary.current.word(pressure.name),
          NumberText.grouped(found.count), text(measure.mean), text(measure.standardDeviation),
          measure.variationPercent.map { "\(text($0)) %" } ?? "–",
          text(measure.averageRealVariability),
        ])
      }
    }
    return table
  }

  /// Pulse pressure and mean arterial pressure of all readings, and how much readings vary.
  private var variability: String? {
    guard let found = answer.numbers.first(where: { $0.name == .all })?.found else { return nil }
    func text(_ value: Double) -> String { NumberText.rounded(value, decimals: 1) }
    var sentence =
      "Pulse pressure \(text(found.pulsePressure.mean)) mmHg, mean arterial pressure "
      + "\(text(found.meanArterialPressure.mean)) mmHg"
    if let systolic = found.systolic.averageRealVariability,
      let diastolic = found.diastolic.averageRealVariability
    {
      sentence +=
        "; from one reading to the next they change by \(Self.numbers(systolic, diastolic)) (ARV)"
    }
    return sentence + "."
  }

  /// How many readings are hypertension of one pressure alone.
  private var isolated: String? {
    let systolic = answer.classes.compactMap(\.isolatedSystolic)
    let diastolic = answer.classes.compactMap(\.isolatedDiastolic)
    guard !systolic.isEmpty else { return nil }
    return "Isolated systolic hypertension: "
      + "\(AmountText.count(systolic.reduce(0, +), "reading")); isolated diastolic: "
      + "\(AmountText.count(diastolic.reduce(0, +), "reading"))."
  }

  private static func numbers(_ systolic: Double, _ diastolic: Double) -> String {
    "\(NumberText.rounded(systolic, decimals: 1))/\(NumberText.rounded(diastolic, decimals: 1)) mmHg"
  }

  private func sentence(_ name: String, _ average: PressureAnswer.Average?) -> String? {
    average.map {
      "\(name): \(Self.numbers($0.systolic, $0.diastolic)), the mean of "
        + "\(AmountText.count($0.count, "reading")) (\($0.found.category.name))."
    }
  }

  private var captions: [String] {
    var notes = [
      sentence("All", answer.all), sentence("Mornings", answer.mornings),
      sentence("Evenings", answer.evenings), variability, isolated,
    ].compactMap(\.self)
    switch answer.home {
    case .success(let average)?:
      let found = answer.homeClass.map { " (\($0.category.name))" } ?? ""
      notes.append(
        "Average at home by ESH 2021: \(Self.numbers(average.all.systolic, average.all.diastolic))"
          + "\(found), of \(AmountText.count(average.all.count, "reading")) from "
          + "\(PressureAnswer.day(average.droppedDay + 1)) to \(PressureAnswer.day(average.days.upperBound)). Those of the first day, "
          + "\(PressureAnswer.day(average.droppedDay)), do not count.")
    case .failure(let error)?:
      notes.append("No average at home by ESH 2021: \(PressureAnswer.reason(error))")
    case nil: break
    }
    if answer.sources.count > 1 { notes.append("Readings of \(answer.sources.text).") }
    if answer.implausibleCount > 0 {
      notes.append(
        "Left out: \(AmountText.count(answer.implausibleCount, "reading")) whose lower pressure is "
          + "not below the upper one.")
    }
    if let lone = LonePressures.sentence(
      systolic: answer.loneSystolicCount, diastolic: answer.loneDiastolicCount)
    {
      notes.append("Not counted: \(lone)")
    }
    notes.append("A class says where readings lie in a published table; it is no diagnosis.")
    return notes
  }

  /// A bar for each class, above the averages.
  func chart(width: Int, style: TextStyle) -> [String] {
    let bars = answer.classes.map { row in
      BarChart.Bar(
        label: Vocabulary.current.word(row.category.name), value: Double(row.count),
        text: "\(NumberText.grouped(row.count)) (\(percent(row.count)))")
    }
    return title.wrapped(to: width).map(style.strong) + [""]
      + BarChart(bars: bars).lines(width: width, style: style)
      + captions.flatMap { $0.wrapped(to: width) }.map(style.faint).afterBlank
  }
}
