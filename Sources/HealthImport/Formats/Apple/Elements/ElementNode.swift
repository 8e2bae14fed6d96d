import HealthSamples

/// A decoded element with its contents; only few are in memory at a time.
struct ElementNode {
  let name: String
  /// Names and values in order; repeated names are dropped.
  private(set) var attributes: [(name: String, value: String)] = []
  var children: [ElementNode] = []
  /// Records inside.
  var records: [RecordLink] = []
  /// Locations inside, for a route that contains them itself.
  var locations = LocationColumns()

  /// An element without attributes.
  init(name: String) { self.name = name }

  /// Adds an attribute; returns whether it is the first of its name.
  mutating func add(_ name: String, _ value: String) -> Bool {
    if attributes.contains(where: { $0.name == name }) { return false }
    attributes.append((name, value))
    return true
  }

  /// The value of an attribute; `nil` if missing or empty.
  func text(_ name: String) -> String? {
    attributes.first { $0.name == name && !$0.value.isEmpty }?.value
  }

  /// The value of an attribute as a number.
  func number(_ name: String) -> Double? {
    guard var text = text(name) else { return nil }
    return text.withUTF8 { NumberScanner.number($0) }
  }

  /// The value of an attribute as an instant, in seconds since 2001-01-01 UTC.
  func date(_ name: String) -> Double? {
    guard var text = text(name) else { return nil }
    var dates = DateScanner()
    let date = text.withUTF8 { dates.date($0) }
    return date == DateScanner.invalid ? nil : Double(date)
  }

  /// Why the dates of the element are invalid.
  var objectionToDates: SkipReason {
    let isOutOfRange = attributes.contains { name, value in
      ["Date", "date", "dateComponents"].contains(where: name.hasSuffix) && value.hasPrefix("0000")
    }
    return isOutOfRange ? .dateOutOfRange : .invalidDate
  }

  /// The value of `yes`, `true` or `1` and their opposites.
  func truth(_ name: String) -> Bool? { text(name).flatMap(Bool.init(written:)) }

  /// The children with a name.
  func all(_ name: String) -> [ElementNode] { children.filter { $0.name == name } }

  /// The metadata entries, in order.
  var metadata: Metadata {
    Metadata(
      all("MetadataEntry").compactMap { entry in
        entry.text("key").map { Metadata.Entry(key: $0, value: entry.text("value") ?? "") }
      })
  }
}
