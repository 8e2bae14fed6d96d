import Foundation
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore
import HealthUnits

/// A condition of `--where`: what of a sample, how it compares, and with what.
struct WhereCondition {
  private let key: String
  private let compares: Comparison
  private let text: String

  private static let metadataPrefix = "metadata."
  private static let keys = ["source", "device", "value", metadataPrefix + "KEY", "uuid"]

  /// Parses a condition.
  init(_ condition: String) throws(Failure) {
    let words = ConditionText(condition)
    key = words.key
    guard key.hasPrefix(Self.metadataPrefix) || Self.keys.contains(key) else {
      throw Failure(
        "--where: " + DidYouMean.text("condition on", key, among: Self.keys), .usage)
    }
    guard let comparison = words.comparison else {
      throw Failure(
        "--where \"\(condition.printable.truncated(to: 80))\" compares with nothing: give one of "
          + "= != < <= > >= after \(key.printable.truncated(to: 80)), and a value.", .usage)
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

    private(set) lazy var sources = Result { try store.sources(of: type).map(\.source) }
    private var units: [String: SpokenUnit?] = [:]

    /// The unit in which a value is said: the one named after it, else that of the question, else
    /// the one in which values are shown.
    func spokenUnit(named name: String) throws -> SpokenUnit? {
      if let known = units[name] { return known }
      let unit = try store.spokenUnit(of: type, named: name.isEmpty ? self.unit : name)
      units[name] = .some(unit)
      return unit
    }
  }

  /// The condition that all hold for samples of a type; a value without a unit is in `unit`,
  /// else in the unit in which values are shown.
  static func predicate(
    of conditions: [WhereCondition], for type: SampleType, in store: SampleStore, unit: String?
  ) throws -> SamplePredicate {
    let subject = Subject(type, in: store, unit: unit)
    return .all(try conditions.map { try $0.predicate(for: subject) })
  }

  private func predicate(for subject: Subject) throws -> SamplePredicate {
    let type = subject.type
    switch key {
    case "source":
      let sources = try subject.sources.get()
      guard sources.contains(where: { $0.isNamed(text) }) else {
        throw Failure.noSource(text, among: sources, of: type)
      }
      return try equal(.source(named: text))
    case "device":
      let fields = [Device.Field.name, .model, .hardwareVersion]
      return try equal(.any(fields.map { .device($0, text) }))
    case "uuid":
      guard let uuid = UUID(text: text) else {
        throw Failure(
          "--where: \"\(text.printable.truncated(to: 80))\" is no UUID; --uuid shows those of "
            + "samples.", .usage)
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
        let unit = SpokenUnit(try UnitExpression(colloquial: name))
        let value = try? number(digits, in: unit)
        return .metadata(key: key, .quantity(compares, value ?? .nan, unit.unit))
      } catch {
        throw Failure(error, in: name)
      }
    }
  }

  /// A condition that knows only `=` and `!=`.
  private func equal(_ predicate: SamplePredicate) throws(Failure) -> SamplePredicate {
    switch compares {
    case .equal: return predicate
    case .notEqual: return .not(predicate)
    default:
      throw Failure(
        "--where: \(key) is a text, which has no order; compare it with = or !=.", .usage)
    }
  }

  private func constant(of type: SampleType) throws(Failure) -> SamplePredicate {
    if let number = Double(text), number.isFinite { return .value(compares, number, unit: nil) }
    return try equal(.constant(Self.constant(named: text, of: type, in: "--where").constant))
  }

  /// The constant of a category with a name as exports or as programs write it.
  static func constant(
    named text: String, of type: SampleType, in argument: String
  ) throws(Failure) -> Catalogue.EnumerationCase {
    let enumeration =
      Catalogue.categoryTypes.first { $0.identifier.rawValue == type.identifier }?.enumeration
    let cases = Catalogue.enumerationCases.filter { $0.enumeration == enumeration }
    guard let found = cases.first(where: { $0.constant == text || $0.swiftName == text }) else {
      throw Failure(
        "\(argument): " + DidYouMean.text("value", text, among: cases.map(\.swiftName)), .usage)
    }
    return found
  }

  private func value(of subject: Subject) throws -> SamplePredicate {
    let (digits, name) = try quantity()
    let spoken = try subject.spokenUnit(named: name)
    return .value(compares, try number(digits, in: spoken), unit: spoken?.unit)
  }

  /// The value that digits say in a unit.
  private func number(_ digits: String, in unit: SpokenUnit?) throws(Failure) -> Double {
    guard let value = (unit ?? SpokenUnit(.null)).stored(digits) else { throw notANumber(text) }
    return value
  }

  /// The number at the beginning, and the unit after it.
  private func quantity() throws(Failure) -> (digits: String, unit: String) {
    guard let parts = SpokenUnit.parts(of: text) else { throw notANumber(text) }
    return parts
  }

  private func notANumber(_ text: String) -> Failure {
    Failure(
      "--where: \"\(text.printable.truncated(to: 80))\" is no number. Give one like "
        + "\(key.printable.truncated(to: 80))\(compares.rawValue)100, with a unit after it if it is "
        + "a quantity.", .usage)
  }
}
