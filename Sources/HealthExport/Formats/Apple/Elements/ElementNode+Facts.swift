import HealthSamples

extension ElementNode {
  /// Source, times and metadata; `nil` if the start or the end is missing or invalid.
  var facts: ElementFacts? {
    guard let start = date("startDate"), let end = date("endDate") else { return nil }
    var facts = ElementFacts()
    facts.metadata = metadata
    facts.source = Source(
      name: text("sourceName") ?? "", isUserEntered: facts.metadata.saysUserEntered)
    facts.origin = Origin(
      sourceVersion: text("sourceVersion") ?? "",
      device: Device.withoutEnvelope(text("device") ?? ""))
    facts.created = date("creationDate") ?? RecordColumns.notRecorded
    (facts.start, facts.end) = (start, end)
    return facts
  }

  /// The duration in an attribute and its unit in seconds; old exports have seconds without a unit.
  ///
  /// `nil` on overflow.
  func seconds(_ name: String) -> Double? {
    guard let value = number(name) else { return nil }
    let seconds =
      switch text(name + "Unit") {
      case "min": value * 60
      case "hr": value * 3600
      case "ms": value / 1000
      case "d": value * 86_400
      default: value
      }
    return seconds.isFinite ? seconds : nil
  }
}
