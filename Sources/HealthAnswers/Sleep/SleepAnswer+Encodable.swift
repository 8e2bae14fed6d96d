import HealthQuery
import HealthSamples

extension SleepStage {
  /// The name of the stage for programs.
  package var key: String { self == .inBed ? "inBed" : String(describing: self) }

  /// The stages that a night is told in.
  package static let told = asleep + [.awake]
}

extension SleepAnswer: Encodable {
  /// Encodes an object with the rules that were applied, `means` over all nights, and `nights`;
  /// durations are in seconds, `efficiency` is a share of the time in bed.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: AnyKey.self)
    try members.put(SleepPlan.type.identifier, "type")
    try members.put("s", "unit")
    try members.put(zones: timeZone)
    try members.put(longestGap, "gap")
    try members.put(priority.map(\.description), "priority")
    let averages = averages()
    if averages.count > 0 {
      var means = members.object("means")
      for (name, member) in zip(SleepAverages.memberNames, averages.members(0)) {
        switch member {
        case .count(let count): try means.put(count, name)
        case .number(let number): try means.put(number: number, name)
        case .clock(let time): try means.put(time.map(SleepAverages.clockText), name)
        }
      }
    }
    var offsets = OffsetCache(timeZone)
    var list = members.nestedUnkeyedContainer(forKey: AnyKey("nights"))
    for row in 0..<nights.count {
      var object = list.nestedContainer(keyedBy: AnyKey.self)
      try encode(row, to: &object, &offsets)
    }
  }

  private func encode(
    _ row: Int, to object: inout KeyedEncodingContainer<AnyKey>, _ offsets: inout OffsetCache
  ) throws {
    let (span, asleep) = (nights.spans[row], nights.sleepSpans[row])
    try object.put(LocalTime(nights.days[row], in: timeZone).dateText, "night")
    try object.put(instant: span?.lowerBound, "start", &offsets)
    try object.put(instant: span?.upperBound, "end", &offsets)
    try object.put(instant: asleep?.lowerBound, "asleepFrom", &offsets)
    try object.put(instant: asleep?.upperBound, "asleepTo", &offsets)
    try object.put(number: nights.asleep[row], "asleep")
    for stage in SleepStage.told { try object.put(number: nights.stages[row][stage], stage.key) }
    try object.put(number: nights.inBed[row], "inBed")
    try object.put(number: nights.efficiency(row), "efficiency")
    var naps = object.nestedUnkeyedContainer(forKey: AnyKey("naps"))
    for nap in nights.naps[row] {
      var each = naps.nestedContainer(keyedBy: AnyKey.self)
      try each.put(instant: nap.span.lowerBound, "start", &offsets)
      try each.put(instant: nap.span.upperBound, "end", &offsets)
      try each.put(nap.asleep, "asleep")
    }
    var sources = object.nestedUnkeyedContainer(forKey: AnyKey("sources"))
    for source in nights.sources[row] {
      var each = sources.nestedContainer(keyedBy: AnyKey.self)
      try each.put(source.source.description, "source")
      try each.put(source.asleep, "asleep")
      try each.put(source.inBed, "inBed")
      try each.put(source.masked, "masked")
    }
  }
}
