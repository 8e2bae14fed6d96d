import HealthQuery

/// What is read of a FHIR resource, DSTU2 (https://hl7.org/fhir/DSTU2/observation.html) or R4
/// (https://hl7.org/fhir/R4/observation.html).
///
/// Members of another form than either version has are treated as missing.
struct FHIRResource: Decodable {
  private var type = ""
  private var status = ""
  private var code = Concept()
  private var categories: [Concept] = []
  private var dates: [String] = []
  private var measure = Measure()
  private var components: [Component] = []
  private var contained: [FHIRResource] = []

  /// More than any panel has.
  private static let mostParts = 1000
  /// Longer texts are cut.
  private static let longestText = 300

  fileprivate enum Key: String, CodingKey {
    case resourceType, status, code, category, component, contained
    case effectiveDateTime, effectivePeriod, effectiveInstant, issued
    case valueQuantity, valueString, valueCodeableConcept, valueInteger, valueBoolean
    case referenceRange
  }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    type = members.text(.resourceType)
    status = members.text(.status)
    code = members.value(.code) ?? Concept()
    // One concept in DSTU2, several in R4.
    categories = members.value(.category) ?? [members.value(.category)].compactMap(\.self)
    let period: Period? = members.value(.effectivePeriod)
    dates = [
      members.text(.effectiveDateTime), period?.start ?? "", members.text(.effectiveInstant),
      members.text(.issued),
    ].filter { !$0.isEmpty }
    measure = Measure(members)
    components = Array((members.value(.component) ?? []).prefix(Self.mostParts))
    contained = Array((members.value(.contained) ?? []).prefix(Self.mostParts))
  }

  /// The results of a laboratory in it, with the text of each date.
  var results: [(result: LabResult, dates: [String])] {
    let inside = contained.flatMap { one in
      one.results.map { ($0.result, $0.dates.isEmpty ? dates : $0.dates) }
    }
    guard type == "Observation", !["entered-in-error", "cancelled"].contains(status), isOfLaboratory
    else { return inside }
    let measures = [(code, measure)] + components.map { ($0.code, $0.measure) }
    return measures.filter { $0.1.isKnown }.map { code, measure in
      var result = measure.result
      result.name = code.words
      result.code = code.code
      result.category = categories.first?.words ?? ""
      return (result, dates)
    } + inside
  }

  private var isOfLaboratory: Bool {
    categories.isEmpty
      || categories.contains { concept in
        (concept.codes + [concept.words]).contains { $0.lowercased().hasPrefix("lab") }
      }
  }

  /// A text of bounded length.
  fileprivate static func bounded(_ text: String) -> String { String(text.prefix(longestText)) }

  /// The instant of the first date that can be read.
  static func instant(of dates: [String], in zones: ZoneTimeline) -> Double? {
    dates.lazy.compactMap { text -> Double? in
      // Relative dates are no dates of documents.
      guard text.count <= 40, text.first?.isNumber == true else { return nil }
      return try? QueryDate(text, in: zones, now: 0).instant
    }.first
  }
}

extension FHIRResource {
  /// A CodeableConcept.
  fileprivate struct Concept: Decodable {
    var text = ""
    var codes: [String] = []
    var names: [String] = []

    private enum Key: String, CodingKey { case text, coding }
    private enum CodingName: String, CodingKey { case code, display }

    private struct Coding: Decodable {
      let code: String
      let display: String

      init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingName.self)
        (code, display) = (members.text(.code), members.text(.display))
      }
    }

    init() {}

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: Key.self)
      text = members.text(.text)
      let codings: [Coding] = members.value(.coding) ?? []
      codes = codings.map(\.code).filter { !$0.isEmpty }
      names = codings.map(\.display).filter { !$0.isEmpty }
    }

    /// The text, else the name of a code, else the code.
    var words: String { text.isEmpty ? names.first ?? codes.first ?? "" : text }
    var code: String { codes.first ?? "" }
  }

  fileprivate struct Period: Decodable {
    let start: String?
  }

  fileprivate struct Quantity: Decodable {
    var value: Double?
    var unit = ""
    /// The unit's text and code, in small letters.
    var units: Set<String> = []
    var comparator = ""

    private enum Key: String, CodingKey { case value, unit, code, comparator }

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: Key.self)
      value = members.value(.value).flatMap { (number: Double) in number.isFinite ? number : nil }
      let names = [members.text(.unit), members.text(.code)].filter { !$0.isEmpty }
      (unit, units) = (names.first ?? "", Set(names.map { $0.lowercased() }))
      comparator = members.text(.comparator)
    }

    /// Whether its number can be compared with another's: no two units are named.
    func isComparable(with other: Quantity?) -> Bool {
      guard let other, !units.isEmpty, !other.units.isEmpty else { return true }
      return !units.isDisjoint(with: other.units)
    }

    /// The number with its unit; empty without a number.
    var words: String {
      guard let value else { return "" }
      return unit.isEmpty ? value.plainText : "\(value.plainText) \(unit)"
    }
  }

  fileprivate struct ReferenceRange: Decodable {
    var low: Quantity?
    var high: Quantity?
    var text = ""

    private enum Key: String, CodingKey { case low, high, text }

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: Key.self)
      (low, high) = (members.value(.low), members.value(.high))
      text = members.text(.text)
    }

    /// The ends that the number of a result can be compared with.
    func ends(for quantity: Quantity?) -> (low: Double?, high: Double?) {
      func end(_ end: Quantity?) -> Double? {
        end.flatMap { $0.isComparable(with: quantity) ? $0.value : nil }
      }
      return (end(low), end(high))
    }

    /// The range as written, else its ends with their units.
    var words: String {
      guard text.isEmpty else { return text }
      let ends = [low?.words ?? "", high?.words ?? ""]
      switch (ends[0].isEmpty, ends[1].isEmpty) {
      case (false, false): return ends.joined(separator: " – ")
      case (false, true): return "≥ \(ends[0])"
      case (true, false): return "≤ \(ends[1])"
      case (true, true): return ""
      }
    }
  }

  fileprivate struct Component: Decodable {
    var code = Concept()
    var measure = Measure()

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: FHIRResource.Key.self)
      code = members.value(.code) ?? Concept()
      measure = Measure(members)
    }
  }

  /// A value and its reference range.
  fileprivate struct Measure {
    var quantity: Quantity?
    var text = ""
    var range: ReferenceRange?

    init() {}

    fileprivate init(_ members: KeyedDecodingContainer<FHIRResource.Key>) {
      quantity = members.value(.valueQuantity)
      text = members.text(.valueString)
      if text.isEmpty, let concept: Concept = members.value(.valueCodeableConcept) {
        text = concept.words
      }
      if text.isEmpty, let truth: Bool = members.value(.valueBoolean) {
        text = truth ? "true" : "false"
      }
      if text.isEmpty, let number: Int = members.value(.valueInteger) { text = String(number) }
      let ranges: [ReferenceRange] = members.value(.referenceRange) ?? []
      range = ranges.first
    }

    var isKnown: Bool { quantity?.value != nil || !text.isEmpty }

    var result: LabResult {
      var result = LabResult()
      result.value = quantity?.value
      result.text = quantity?.value == nil ? text : quantity?.comparator ?? ""
      result.unit = quantity?.unit ?? ""
      guard let range else { return result }
      (result.low, result.high) = range.ends(for: quantity)
      // Ends of another unit say nothing of the number, and stand as words.
      let isWhole = result.low == range.low?.value && result.high == range.high?.value
      result.range = isWhole ? range.text : range.words
      return result
    }
  }
}

extension KeyedDecodingContainer {
  /// The value of a key; `nil` if it has another form.
  fileprivate func value<Value: Decodable>(_ key: Key) -> Value? {
    try? decode(Value.self, forKey: key)
  }

  /// A text of bounded length; empty without one.
  fileprivate func text(_ key: Key) -> String {
    FHIRResource.bounded(value(key) ?? "")
  }
}
