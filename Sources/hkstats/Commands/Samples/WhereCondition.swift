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
  /// The longer signs first, so that `<=` is not read as `<`.
  private static let signs: [(text: String, comparison: Comparison)] =
    [("==", .equal)]
    + Comparison.allCases.map { ($0.rawValue, $0) }.sorted { $0.0.count > $1.0.count }

  /// Parses a condition.
  init(_ condition: String) throws(Failure) {
    let end = condition.firstIndex { "!<=>".contains($0) } ?? condition.endIndex
    key = condition[..<end].trimmingCharacters(in: .whitespaces)
    let rest = condition[end...]
    guard key.hasPrefix(Self.metadataPrefix) || Self.keys.contains(key) else {
      throw Failure(
        "--where: " + DidYouMean.text("condition on", key, among: Self.keys), .usage)
    }
    guard let sign = Self.signs.first(where: { rest.hasPrefix($0.text) }) else {
      throw Failure(
        "--where \"\(condition.printable.truncated(to: 80))\" compares with nothing: give one of "
          + "= != < <= > >= after \(key.printable.truncated(to: 80)), and a value.", .usage)
    }
    compares = sign.comparison
    text = rest.dropFirst(sign.text.count).trimmingCharacters(in: .whitespaces)
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
    /// The unit of numbers without one.
    private(set) lazy var defaultUnit = Result { try unit ?? store.outputUnit(of: type) }
    private var units: [String: UnitExpression] = [:]

    /// The unit of a name.
    func unit(named name: String) throws -> UnitExpression {
      if let unit = units[name] { return unit }
      do throws(UnitError) {
        let unit = try type.unit(colloquial: name)
        units[name] = unit
        return unit
      } catch {
        throw Failure(error, in: name, of: type)
      }
    }
  }

  /// The condition that all hold for samples of a type; numbers without a unit are in `unit`, else
  /// in the unit of answers.
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
      guard let uuid = UUID(uuidString: text) else {
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
      let (number, unit) = try quantity()
      guard !unit.isEmpty else { return .metadata(key: key, .number(compares, number)) }
      do throws(UnitError) {
        let unit = try UnitExpression(colloquial: unit)
        return .metadata(key: key, .quantity(compares, number, unit))
      } catch {
        throw Failure(error, in: unit)
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
    let (number, name) = try quantity()
    let unitName = try name.isEmpty ? subject.defaultUnit.get() : name
    guard let unitName else { return .value(compares, number, unit: nil) }
    return .value(compares, number, unit: try subject.unit(named: unitName))
  }

  /// The number at the beginning, and the unit after it.
  private func quantity() throws(Failure) -> (Double, unit: String) {
    // No unit begins with one of these, apart from an exponent: the longest number counts.
    let most = text.prefix { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }
    var end = most.endIndex
    while end > text.startIndex {
      if let number = Double(text[..<end]), number.isFinite {
        return (number, text[end...].trimmingCharacters(in: .whitespaces))
      }
      end = text.index(before: end)
    }
    throw notANumber(text)
  }

  private func notANumber(_ text: String) -> Failure {
    Failure(
      "--where: \"\(text.printable.truncated(to: 80))\" is no number. Give one like "
        + "\(key.printable.truncated(to: 80))\(compares.rawValue)100, with a unit after it if it is "
        + "a quantity.", .usage)
  }
}
