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

extension ExportPlan {
  /// About how many bytes the export will have, judged by some of its days.
  func estimatedCount(days: Int = 365) throws(OutputError) -> Int {
    let step = max(1, timeline.count / days)
    let sampled = Array(stride(from: step / 2, to: timeline.count, by: step))
    var writer = ExportWriter(plan: self, sink: CountingSink())
    try writer.writeElements(ofDays: sampled)
    let share = Double(timeline.count) / Double(max(1, sampled.count))
    return Int(Double(writer.finish().count) * share)
  }

  /// How often devices may record: from hardly ever to every second.
  static let densities = 0.01...100.0

  /// The same plan with the density at which the export has about `count` bytes, or nothing when
  /// none of ``densities`` gives so many.
  func scaled(toBytes count: Int) throws(OutputError) -> ExportPlan? {
    var plan = self
    var before: (density: Double, missing: Double)?
    var best: (plan: ExportPlan, missing: Double)?
    for _ in 0..<8 {
      let estimate = Double(try plan.estimatedCount())
      let missing = Double(count) - estimate
      if abs(missing) < best?.missing ?? .infinity { best = (plan, abs(missing)) }
      if abs(missing) < 0.002 * Double(count) { break }
      let density = plan.density
      // Part of an export does not depend on the density, so the secant through two of them is
      // right where their ratio is not.
      let next =
        before.map { density - missing * (density - $0.density) / (missing - $0.missing) }
        ?? density * Double(count) / estimate
      guard next.isFinite else { break }
      before = (density, missing)
      let bounds = Self.densities.clamped(to: density / 10...density * 10)
      plan.density = min(max(next, bounds.lowerBound), bounds.upperBound)
    }
    return best.flatMap { $0.missing < 0.01 * Double(count) ? $0.plan : nil }
  }
}
