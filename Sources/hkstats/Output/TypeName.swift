import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport
import HealthSamples
import HealthUnits

/// Names of types for display.
enum TypeName {
  /// The Swift name, which the command line accepts: `stepCount` for
  /// `HKQuantityTypeIdentifierStepCount`.
  static func short(_ identifier: String) -> String {
    guard !identifier.isEmpty else { return "(no type)" }
    for prefix in ["HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKDataType"]
    where identifier.hasPrefix(prefix) && identifier.count > prefix.count {
      return Catalogue.swiftName(of: identifier.dropFirst(prefix.count)).printable
    }
    return identifier.printable
  }
}

extension TypeName {
  /// The name for people, as the page has it: `Steps`.
  static func title(_ identifier: String) -> String {
    let name = short(identifier)
    guard Catalogue.type(identifier) != nil else { return name }
    return Marks.drawn(Vocabulary.current.type(name))
  }

  /// The unit after a number of a type, as the page has it: `bpm`; empty for a plain count.
  static func unit(_ unit: UnitExpression, of type: SampleType?) -> String {
    let name = DisplayUnit(unit).name
    guard !name.isEmpty else { return "" }
    return Marks.drawn(
      Vocabulary.current.unit(name, of: type.map { short($0.identifier) }))
  }

  /// A recorded unit of a type, or a noun for what is counted: `steps`.
  static func unit(_ label: String, of type: SampleType) -> String {
    let unit = DisplayUnit(label: label)?.unit.shortDescription ?? label
    let name = Vocabulary.current.unit(unit, of: short(type.identifier))
    return Marks.drawn(name.isEmpty ? label.printable : name)
  }

  /// The name of what a question asks of a type, `heartRate.max`, as people read it.
  static func title(_ name: String, of type: SampleType) -> String {
    let head = name.prefix { $0 != "." }
    let isNights = head.lowercased() == "sleep"
    guard isNights || (try? Catalogue.type(named: String(head))) == type else {
      return name.printable
    }
    let title = Marks.drawn(
      Vocabulary.current.type(isNights ? "sleep" : short(type.identifier)))
    guard head.count < name.count else { return title }
    let part = String(name.dropFirst(head.count + 1))
    guard !isNights || part != NightPart.asleep.rawValue else { return title }
    return "\(title): \(isNights ? SleepCaptions.part(part) : Vocabulary.current.word(part))"
  }
}

extension LocalTime {
  /// The date with its day of the week: `Mon 2024-03-05`.
  var dayText: String { "\(Vocabulary.current.weekday(weekday)) \(dateText)" }
}

/// Names of kinds of workout for display.
enum ActivityTitle {
  /// The name for people, as the page has it: `Running`.
  static func of(_ activity: String) -> String {
    Vocabulary.current.activity(activity)?.printable ?? ActivityName.short(activity)
  }

  /// The Swift name of the kind that a person means; the text itself where the page has no such name.
  static func swiftName(_ text: String) -> String {
    Vocabulary.activity(named: text) ?? text
  }
}
