#if os(Linux) && !HKSTATS_STUB
import Foundation
public import HealthKit

extension Fixture {
  /// Samples in JSON: an array of objects, one for each sample.
  ///
  /// ```json
  /// [
  ///   {"type": "HKQuantityTypeIdentifierStepCount", "value": 1200, "unit": "count",
  ///    "start": "2026-03-01T08:00:00Z", "end": "2026-03-01T08:10:00Z"},
  ///   {"type": "HKCategoryTypeIdentifierSleepAnalysis", "value": "HKCategoryValueSleepAnalysisAsleepCore",
  ///    "start": "2026-03-01T23:10:00+01:00", "end": "2026-03-02T06:40:00+01:00",
  ///    "source": "com.example.watch", "metadata": {"HKTimeZone": "Europe/Berlin"}}
  /// ]
  /// ```
  ///
  /// | Key | Value |
  /// | --- | --- |
  /// | `type` | the identifier of a quantity or category type, as Apple's constants have it |
  /// | `value` | a number; for a category its raw value or the name of its constant |
  /// | `unit` | of a quantity: the text of a unit, such as `count/min` |
  /// | `start` | a date of ISO 8601 with its offset from UTC; fractions of a second may stand there |
  /// | `end` | the same; the start where it is left out |
  /// | `metadata` | optional: texts, numbers, `true` and `false`, and quantities as `{"value": 71, "unit": "kg"}` |
  /// | `source` | optional: the bundle identifier of the app that saved the sample; else the app under test |
  ///
  /// - Parameter data: the JSON
  /// - Returns: the fixture; loading it throws ``FixtureError`` for the first entry that is no sample
  public static func json(_ data: Data) -> Self {
    let entries = Result { () throws(FixtureError) in try samples(in: data) }
    return Self { writer in
      let entries = try entries.get()
      let apps = Dictionary(grouping: entries, by: \.app).sorted { $0.key ?? "" < $1.key ?? "" }
      try HKHealthStore.saveAsOwners(
        apps.map { app, entries in
          (writer.owner(as: app.map { FixtureOrigin(app: $0) }), entries.map(\.sample))
        })
      return FixtureTotals(entries.map(\.sample))
    }
  }

  private static func samples(
    in data: Data
  ) throws(FixtureError) -> [(sample: HKSample, app: String?)] {
    guard let json = try? JSONDecoder().decode(JSONPart.self, from: data) else {
      throw FixtureError(.json)
    }
    guard case .list(let entries) = json else { throw FixtureError(.noList) }
    var samples: [(HKSample, String?)] = []
    for (place, entry) in entries.enumerated() {
      do throws(FixtureError.Problem) {
        samples.append(try JSONEntry(entry).sample())
      } catch {
        throw FixtureError(.entry(place + 1, error))
      }
    }
    return samples
  }
}

/// Any value of JSON.
private enum JSONPart: Decodable {
  case null
  case truth(Bool)
  case number(Double)
  case text(String)
  case list([JSONPart])
  case object([String: JSONPart])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let truth = try? container.decode(Bool.self) {
      self = .truth(truth)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let list = try? container.decode([JSONPart].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: JSONPart].self))
    }
  }
}

/// One sample in JSON.
private struct JSONEntry {
  private let parts: [String: JSONPart]
  private static let keys: Set = ["type", "value", "unit", "start", "end", "metadata", "source"]

  init(_ part: JSONPart) throws(FixtureError.Problem) {
    guard case .object(let parts) = part else { throw .noObject }
    if let other = parts.keys.filter({ !Self.keys.contains($0) }).min() {
      throw .unknownKey(other)
    }
    self.parts = parts
  }

  func sample() throws(FixtureError.Problem) -> (sample: HKSample, app: String?) {
    let app = try optionalText("source")
    let start = try date("start", required: true) ?? .distantPast
    let end = try date("end", required: false) ?? start
    let identifier = try text("type")
    let metadata = try metadata()
    let quantity = HKQuantityTypeIdentifier(rawValue: identifier)
    if let type = HKObjectType.quantityType(forIdentifier: quantity) {
      let quantity = try self.quantity(of: type)
      let sample = try Self.valid { () throws(ObjectError) in
        try HKQuantitySample.validated(
          type: type, quantity: quantity, start: start, end: end, metadata: metadata)
      }
      return (sample, app)
    }
    let category = HKCategoryTypeIdentifier(rawValue: identifier)
    if let type = HKObjectType.categoryType(forIdentifier: category) {
      let value = try self.value(of: type)
      let sample = try Self.valid { () throws(ObjectError) in
        try HKCategorySample.validated(
          type: type, value: value, start: start, end: end, metadata: metadata)
      }
      return (sample, app)
    }
    throw .unknownType(identifier)
  }

  private static func valid<Sample>(
    _ body: () throws(ObjectError) -> Sample
  ) throws(FixtureError.Problem) -> Sample {
    do throws(ObjectError) {
      return try body()
    } catch {
      throw .invalid(error.description)
    }
  }

  private func text(_ key: String) throws(FixtureError.Problem) -> String {
    guard let text = try optionalText(key) else { throw .missing(key) }
    return text
  }

  private func optionalText(_ key: String) throws(FixtureError.Problem) -> String? {
    switch parts[key] {
    case nil, .null: return nil
    case .text(let text): return text
    default: throw .kind(key, "a text")
    }
  }

  private func date(
    _ key: String, required: Bool
  ) throws(FixtureError.Problem) -> Date? {
    guard let text = required ? try text(key) : try optionalText(key) else { return nil }
    let whole = Date.ISO8601FormatStyle()
    let date =
      (try? whole.parse(text))
      ?? (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
    guard let date else {
      throw .kind(key, "a date of ISO 8601 with its offset, such as 2026-03-01T08:00:00Z")
    }
    return date
  }

  private func quantity(of type: HKQuantityType) throws(FixtureError.Problem) -> HKQuantity {
    guard let value = parts["value"] else { throw .missing("value") }
    guard case .number(let number) = value else { throw .kind("value", "a number") }
    let unit = try Self.unit(try text("unit"), "unit")
    guard type.is(compatibleWith: unit) else { throw .unit(type.identifier) }
    return HKQuantity(unit: unit, doubleValue: number)
  }

  private static func unit(
    _ text: String, _ key: String
  ) throws(FixtureError.Problem) -> HKUnit {
    guard let unit = try? HKUnit.parsed(text) else {
      throw .kind(key, "the text of a unit, such as count/min")
    }
    return unit
  }

  private func value(of type: HKCategoryType) throws(FixtureError.Problem) -> Int {
    guard parts["unit"] == nil else { throw .noUnit(type.identifier) }
    switch parts["value"] {
    case nil: throw .missing("value")
    case .number(let number):
      guard let value = Int(exactly: number) else { throw .kind("value", "a whole number") }
      return value
    case .text(let constant):
      guard let value = HKCategorySample.value(of: constant, type) else {
        throw .constant(type.identifier)
      }
      return value
    default: throw .kind("value", "a number or the name of a constant")
    }
  }

  private func metadata() throws(FixtureError.Problem) -> [String: Any]? {
    let given: [String: JSONPart]
    switch parts["metadata"] {
    case nil, .null: return nil
    case .object(let object): given = object
    default: throw .kind("metadata", "an object")
    }
    var metadata: [String: Any] = [:]
    for (key, part) in given.sorted(by: { $0.key < $1.key }) {
      switch part {
      case .truth(let truth): metadata[key] = truth
      case .number(let number): metadata[key] = number
      case .text(let text): metadata[key] = text
      case .object(let object):
        guard case .number(let number) = object["value"], case .text(let text) = object["unit"],
          object.count == 2
        else {
          throw .kind(key, "a text, a number, true, false, or a quantity with value and unit")
        }
        metadata[key] = HKQuantity(unit: try Self.unit(text, key), doubleValue: number)
      case .null, .list:
        throw .kind(key, "a text, a number, true, false, or a quantity with value and unit")
      }
    }
    return metadata
  }
}
#endif
