/// Everything that decides the text of an export.
struct ExportPlan {
  let person: Person
  /// How often devices record, 1 being as often as real ones.
  var density: Double
  /// Decides the memory addresses in device descriptions.
  let deviceSeed: UInt64
  let offset: UTCOffset
  let documentType: DocumentType
  let preference: RecordUnit.Preference

  /// The days of the export.
  var timeline: Timeline { person.timeline }

  /// When the export was made: the morning after its last day.
  var exported: Int { (timeline.midnights.last ?? 0) + 9 * 3_600 }
}

/// A measure of length: the bytes of some days of every stream, scaled to all days.
extension ExportPlan {
  /// About how many bytes the export will have; right within a percent or so.
  ///
  /// - Parameter days: how many days to write for the estimate
  func estimatedCount(days: Int = 90) throws(OutputError) -> Int {
    let step = max(1, timeline.count / days)
    let sampled = Array(stride(from: step / 2, to: timeline.count, by: step))
    var writer = ExportWriter(plan: self, sink: CountingSink())
    try writer.writeElements(ofDays: sampled)
    let share = Double(timeline.count) / Double(max(1, sampled.count))
    return Int(Double(writer.finish().count) * share)
  }

  /// The same plan with the density at which the export has about `count` bytes.
  func scaled(toBytes count: Int) throws(OutputError) -> ExportPlan {
    var plan = self
    for _ in 0..<6 {
      let estimate = try plan.estimatedCount()
      let ratio = Double(count) / Double(max(1, estimate))
      if abs(ratio - 1) < 0.002 { break }
      plan.density *= ratio
    }
    return plan
  }
}
