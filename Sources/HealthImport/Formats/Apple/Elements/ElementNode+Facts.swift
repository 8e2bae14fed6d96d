import HealthSamples

extension ElementNode {
  /// Source, times and metadata; `nil` if the start or the end is missing or invalid.
  var facts: ElementFacts? {
    guard let start = date("startDate"), let end = date("endDate") else { return nil }
    var facts = ElementFacts()
    facts.metadata = metadata
    facts.source = Source(
      name: text("sourceName") ?? "", isUserEntered: facts.metadata.isUserEntered)
    facts.origin = Origin(
      sourceVersion: text("sourceVersion") ?? "",
      device: Device.withoutEnvelope(text("device") ?? ""))
    facts.created = date("creationDate") ?? RecordColumns.notRecorded
    (facts.start, facts.end) = (start, end)
    return facts
  }

  /// The duration in an attribute and its unit in seconds; `nil` if missing or on overflow.
  func seconds(_ name: String) -> Double? {
    guard let value = number(name) else { return nil }
    let unit = text(name + "Unit")
    var span: Double?
    if unit == nil, let start = date("startDate"), let end = date("endDate") { span = end - start }
    return WorkoutDuration.seconds(value, unit: unit, span: span)
  }
}
