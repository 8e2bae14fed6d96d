import HealthSamples
import HealthUnits

/// What a label says of the number beside it.
enum LabelMeaning {
  /// The number is canonical as it stands.
  case canonical
  /// The number stands in another unit.
  case converted(UnitConversion)
}

/// The labels of one type, each resolved once.
struct LabelMeanings {
  private let unit: UnitExpression?
  private var resolved: [String: LabelMeaning?] = [:]
  /// How far the zero of a unit met so far lies from the canonical one, at most.
  ///
  /// The printed digits of a temperature bound its error relative to the number printed, which
  /// may be far from the canonical one.
  private(set) var zeroOffset = 0.0

  init(of type: SampleType) { unit = type.canonicalUnit }

  /// What a label means; `nil` when it is no unit that converts to the canonical one.
  mutating func meaning(of label: String) -> LabelMeaning? {
    if let known = resolved[label] { return known }
    let meaning = resolve(label)
    resolved[label] = .some(meaning)
    if case .converted(let conversion) = meaning {
      zeroOffset = max(zeroOffset, conversion(0).magnitude)
    }
    return meaning
  }

  private func resolve(_ label: String) -> LabelMeaning? {
    guard let unit else { return .canonical }
    do {
      let conversion = try UnitConversion(from: UnitExpression(label), to: unit)
      return conversion.isIdentity ? .canonical : .converted(conversion)
    } catch {
      return nil
    }
  }
}

extension Array where Element == LabelMeaning {
  /// Whether every label is the canonical unit.
  var areCanonical: Bool {
    allSatisfy {
      if case .canonical = $0 { true } else { false }
    }
  }
}

extension RecordColumns {
  /// The values in the canonical unit, row by row.
  ///
  /// - Complexity: O(*n*); O(1) when every label is the canonical unit
  func canonicalValues(_ meanings: [LabelMeaning]) -> [Double] {
    meanings.areCanonical
      ? values
      : LabelMeaning.convert(values, labels: labels.lazy.map(Int.init), meanings: meanings)
  }
}

extension LabelMeaning {
  /// Converts a column whose rows have labels: whole, where there is one label.
  static func convert(
    _ values: [Double], labels: some Collection<Int>, meanings: [LabelMeaning]
  ) -> [Double] {
    var values = values
    if meanings.count == 1 {
      if case .converted(let conversion) = meanings[0] { conversion.apply(to: &values) }
      return values
    }
    for (row, label) in labels.enumerated() {
      if case .converted(let conversion) = meanings[label] { values[row] = conversion(values[row]) }
    }
    return values
  }
}
