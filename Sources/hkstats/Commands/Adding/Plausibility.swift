import HealthExchange
import HealthSamples
import HealthStore

/// What a person is asked about a value that hardly anybody has.
struct Doubt {
  private let sample: SpokenSample
  private let range: Catalogue.PlausibleRange
  private let unit: DisplayUnit
  private let bounds: ClosedRange<Double>

  /// The doubt about a sample; `nil` where its value is plausible, or no range is known.
  init?(_ sample: SpokenSample) {
    guard let unit = sample.unit, let range = Catalogue.plausibleRange(of: sample.sample.type),
      let bounds = range.bounds(in: unit),
      !bounds.contains(unit.spoken(sample.sample.value))
    else { return nil }
    (self.sample, self.range, self.unit, self.bounds) = (sample, range, unit, bounds)
  }

  /// `Plausible for oxygenSaturation are 30 to 100 %`.
  private var rule: String {
    let numbers = [bounds.lowerBound, bounds.upperBound].map { NumberText.rounded($0) }
    let name = unit.name.isEmpty ? "" : " \(unit.name)"
    return "Plausible for \(TypeName.short(sample.sample.type.identifier)) are \(numbers[0]) to "
      + "\(numbers[1])\(name) (\(range.source))"
  }

  /// Another reading of the number: as a fraction, or in another unit of the type.
  private var likelier: DisplayUnit? {
    let said = unit.spoken(sample.sample.value)
    if unit.share(said, within: range) == .fraction { return unit }
    let type = sample.sample.type
    return type.everydayUnits.lazy.compactMap { try? type.displayUnit(named: $0) }
      .first { range.bounds(in: $0)?.contains(said) ?? false }
  }

  /// The question for the person who typed the value, which it repeats.
  var question: String {
    let said = unit.spoken(sample.sample.value)
    let meant = likelier.map { other in
      let number = other == unit ? unit.spoken(said) : said
      return " Did you mean \(NumberText.rounded(number)) \(other.name)?"
    }
    return "\(rule), and this is \(unit.text(sample.sample.value)).\(meant ?? "")"
  }

  /// The refusal where there is no terminal to ask; it does not repeat the value.
  var refusal: String {
    let advice: String
    switch likelier {
    case unit?: advice = " A fraction is said as a percentage: 97 for 0.97."
    case let other?: advice = " Is it in \(other.name)? Give the unit after the number."
    case nil: advice = ""
    }
    return "\(rule).\(advice) Nothing was saved; --yes saves it all the same."
  }
}
