import HealthAnswers
import HealthSamples
import HealthUnits

/// A measure of the report: a type of samples, or the length of nights, with how it is shown.
struct ReportMeasure {
  /// What the page knows of the type: its family, words and decimals.
  private(set) var measure: Measure
  /// The name that a person reads.
  let noun: Noun
  /// The unit of the numbers as it is written; empty where the form says it.
  let unit: String
  /// The unit of the numbers as questions name it.
  let unitName: String
  /// How numbers are shown.
  private(set) var form: PageTable.Form
  /// Whether a number is a sum of its time, such as steps, and a longer time has a larger one.
  let isSum: Bool
  /// What is asked.
  let question: TypeQuestion
  /// The type of the samples.
  let type: SampleType

  /// The measure of nights.
  static let sleep = "sleep"

  /// The measure of a question; `nil` for a type whose numbers the page does not show.
  ///
  /// - Parameters:
  ///   - question: the question
  ///   - type: its type
  ///   - unit: the unit of its answers
  ///   - language: the language of names
  init?(
    _ question: TypeQuestion, _ type: SampleType, unit: String?, _ language: ReportLanguage.Base
  ) {
    (self.question, self.type) = (question, type)
    guard !question.isOfNights else {
      measure = Measure.of(Self.sleep)
      unitName = measure.unit
      (self.unit, form, isSum) = ("", .duration, false)
      noun = measure.name(in: language)
      return
    }
    guard case .quantity = type.kind else { return nil }
    let prefix = HKQuantityTypeIdentifier.prefix
    measure = Measure.of(
      type.identifier.hasPrefix(prefix)
        ? Catalogue.swiftName(of: type.identifier.dropFirst(prefix.count)) : type.identifier)
    noun = measure.name(in: language)
    isSum = type.style?.isCumulative ?? false
    // Glucose names its molar mass, which only questions need.
    let shown = unit.flatMap { try? UnitExpression($0).shortDescription } ?? measure.unit
    unitName = shown
    let digits = measure.digits(in: shown)
    if Measure.isPercent(shown) {
      (self.unit, form) = ("", .percent(digits))
    } else {
      (self.unit, form) = (
        UnitNames.name(of: measure, in: shown, language).other, .number(digits)
      )
    }
  }

  /// The measure with the decimals that its numbers need: half of those that are not 0 are larger than
  /// the magnitude that decides.
  func showing(_ numbers: [Double?]) -> ReportMeasure {
    let known = numbers.compactMap { $0?.magnitude }.filter { $0 > 0 }.sorted()
    guard !known.isEmpty else { return self }
    var shown = self
    shown.measure.moreDigits = measure.moreDigits(for: known[known.count / 2], in: unitName)
    let digits = shown.measure.digits(in: unitName)
    switch form {
    case .number: shown.form = .number(digits)
    case .percent: shown.form = .percent(digits)
    case .duration, .clock: break
    }
    return shown
  }

  /// The name in questions: `stepCount`, `sleep`.
  var id: String { measure.id }
  /// The name that a person reads.
  var name: String { noun.title }
  /// The group that gives it its colour.
  var family: Measure.Family { measure.family }
  /// Whether it is measured many times a day, so that its hours say something.
  var isContinuous: Bool {
    [
      "heartRate", "oxygenSaturation", "environmentalAudioExposure", "headphoneAudioExposure",
      "physicalEffort", "bloodGlucose", "respiratoryRate",
    ].contains(id)
  }
  /// Whether it is of nights.
  var isOfNights: Bool { id == Self.sleep }

}
