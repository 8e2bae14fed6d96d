import Foundation
package import HealthSamples
package import HealthStore
import HealthUnits

/// A condition on samples as a person writes it: what of a sample, how it compares, and with what.
///
/// `source=Watch`, `device=Watch6,7`, `value>120 count/min`, `value=asleepREM`, `uuid=…`,
/// `metadata.HKTimeZone=Europe/Paris`, each also with `!=`; numbers with `<`, `<=`, `>`, `>=`.
package struct SampleCondition {
  private let key: String
  private let compares: Comparison
  private let text: String

  private static let metadataPrefix = "metadata."
  private static let keys = ["source", "device", "value", metadataPrefix + "KEY", "uuid"]

  /// Parses a condition.
  ///
  /// - Throws: `QueryError`
  package init(_ condition: String) throws(QueryError) {
    let words = ConditionText(condition)
    key = words.key
    guard key.hasPrefix(Self.metadataPrefix) || Self.keys.contains(key) else {
      throw QueryError(
        .unknownWord(
          .condition, key, suggestions: NearNames.of(key, among: Self.keys), known: Self.keys))
    }
    guard let comparison = words.comparison else {
      throw QueryError(.condition(condition, .nothingCompared(key)))
    }
    compares = comparison
    text = words.value
  }

  /// What all conditions are asked of, read when it is first asked for.
  private final class Subject {
    let type: SampleType
    private let store: SampleStore
    private let unit: String?

    init(_ type: SampleType, in store: SampleStore, unit: String?) {
      (self.type, self.store, self.unit) = (type, store, unit)
    }

    /// The sources of the type.
    func sources() throws(QueryError) -> [Source] {
      if let known { return known }
      let found = try store.stored { () throws(StoreError) in try store.sources(of: type) }
        .map(\.source)
      known = found
      return found
    }

    private var known: [Source]?
    private var units: [String: DisplayUnit?] = [:]

    /// The unit in which a value is said: the one named after it, else that of the question, else
    /// the one in which values are shown.
    func displayUnit(named name: String) throws(QueryError) -> DisplayUnit? {
      if let known = units[name] { return known }
      let unit = try store.displayUnit(of: type, named: name.isEmpty ? self.unit : name)
      units[name] = .some(unit)
      return unit
    }
  }

  /// The condition that all hold for samples of a type; a value without a unit is in `unit`,
  /// else in the unit in which values are shown.
  ///
  /// - Throws: `QueryError`
  package static func predicate(
    of conditions: [SampleCondition], for type: SampleType, in store: SampleStore, unit: String?
  ) throws(QueryError) -> SamplePredicate {
    let subject = Subject(type, in: store, unit: unit)
    var parts: [SamplePredicate] = []
    for condition in conditions { parts.append(try condition.predicate(for: subject)) }
    return .all(parts)
  }

  private func predicate(for subject: Subject) throws(QueryError) -> SamplePredicate {
    let type = subject.type
    switch key {
    case "source":
      let sources = try subject.sources()
      guard sources.contains(where: { $0.isNamed(text) }) else {
        let near = NearNames.of(Source.matchingName(of: text), among: sources.map(\.description))
        throw QueryError(.unknownSource(text, type, suggestions: near))
      }
      return try equal(.source(named: text))
    case "device":
      let fields = [Device.Field.name, .model, .hardwareVersion]
      return try equal(.any(fields.map { .device($0, text) }))
    case "uuid":
      guard let uuid = UUID(text: text) else {
        throw QueryError(.condition(text, .noUUID))
      }
      return try equal(.uuid([uuid]))
    case "value" where type.canonicalUnit == nil: return try constant(of: type)
    case "value": return try value(of: subject)
    default:
      let key = String(key.dropFirst(Self.metadataPrefix.count))
      // What has no such entry differs, too.
      if compares == .notEqual { return .not(.metadata(key: key, .text(.equal, text))) }
      if compares == .equal { return .metadata(key: key, .text(.equal, text)) }
      let (digits, name) = try quantity()
      if name.isEmpty {
        return .metadata(key: key, .number(compares, try number(digits, in: nil)))
      }
      do throws(UnitError) {
        let unit = DisplayUnit(try UnitExpression(colloquial: name))
        let value = try? number(digits, in: unit)
        return .metadata(key: key, .quantity(compares, value ?? .nan, unit.unit))
      } catch {
        throw QueryError(.condition(name, .noUnit(error)))
      }
    }
  }

  /// A condition that knows only `=` and `!=`.
  private func equal(_ predicate: SamplePredicate) throws(QueryError) -> SamplePredicate {
    switch compares {
    case .equal: return predicate
    case .notEqual: return .not(predicate)
    default:
      throw QueryError(.condition(key, .noOrder))
    }
  }

  private func constant(of type: SampleType) throws(QueryError) -> SamplePredicate {
    if let number = Double(text), number.isFinite { return .value(compares, number, unit: nil) }
    return try equal(.constant(Self.constant(named: text, of: type).constant))
  }

  /// The constant of a category with a name as exports or as programs write it.
  ///
  /// - Throws: `QueryError`
  package static func constant(
    named text: String, of type: SampleType
  ) throws(QueryError) -> Catalogue.EnumerationCase {
    let enumeration =
      Catalogue.categoryTypes.first { $0.identifier.rawValue == type.identifier }?.enumeration
    let cases = Catalogue.enumerationCases.filter { $0.enumeration == enumeration }
    guard let found = cases.first(where: { $0.constant == text || $0.swiftName == text }) else {
      let names = cases.map(\.swiftName)
      throw QueryError(
        .unknownWord(
          .value, text, suggestions: NearNames.of(text, among: names), known: names))
    }
    return found
  }

  private func value(of subject: Subject) throws(QueryError) -> SamplePredicate {
    let (digits, name) = try quantity()
    let spoken = try subject.displayUnit(named: name)
    return .value(compares, try number(digits, in: spoken), unit: spoken?.unit)
  }

  /// The value that digits say in a unit.
  private func number(_ digits: String, in unit: DisplayUnit?) throws(QueryError) -> Double {
    guard let value = (unit ?? DisplayUnit(.null)).stored(digits) else { throw notANumber(text) }
    return value
  }

  /// The number at the beginning, and the unit after it.
  private func quantity() throws(QueryError) -> (digits: String, unit: String) {
    guard let parts = DisplayUnit.parts(of: text) else { throw notANumber(text) }
    return parts
  }

  private func notANumber(_ text: String) -> QueryError {
    QueryError(.condition(text, .noNumber(key + compares.rawValue)))
  }
}
