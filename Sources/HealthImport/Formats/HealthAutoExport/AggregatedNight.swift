/// A night that a program has aggregated: when it was, and how long each stage was.
///
/// The times of the stages are not recorded. They are placed in sequence with equal gaps, from the
/// start to the end of the night, with their durations. Time out of bed lies in a gap, so that the
/// time in bed is as long as recorded.
struct AggregatedNight {
  /// Something with a start and an end.
  struct Span: Equatable {
    var start: Double
    var end: Double

    var length: Double { end - start }
  }

  /// The stages, placed.
  private(set) var stages: [(stage: String, span: Span)] = []
  /// The time in bed, in one or two parts; empty if it is not recorded.
  private(set) var inBed: [Span] = []

  /// Places the stages of a night.
  ///
  /// - Parameters:
  ///   - night: from the first stage to the last
  ///   - bed: from going to bed to getting up; `nil` if not recorded
  ///   - secondsInBed: the time in bed; `nil` if not recorded, which is all of `bed`
  ///   - lengths: the stages in order, with their seconds
  init(
    _ night: Span, bed: Span?, secondsInBed: Double?, lengths: [(stage: String, seconds: Double)]
  ) {
    var night = night
    let asleep = lengths.reduce(0) { $0 + $1.seconds }
    var bed = bed ?? (secondsInBed == nil ? nil : night)
    if secondsInBed == 0 { bed = nil }
    /// The seconds out of bed, before the last stage.
    var away = 0.0
    if let known = bed, let secondsInBed {
      away = known.length - secondsInBed
      if away < 0 || lengths.count < 2 || away > night.length - asleep {
        away = 0
        bed?.end = known.start + secondsInBed
      }
    }
    if let bed, night.start + asleep <= bed.end { night.end = min(night.end, bed.end) }
    let free = night.length - asleep - away
    let gap = lengths.count > 1 ? max(0, (free / Double(lengths.count - 1)).rounded(.down)) : 0
    var start = night.start
    for (place, part) in lengths.enumerated() {
      if place == lengths.count - 1, away > 0, let known = bed {
        inBed.append(Span(start: known.start, end: start))
        start += away
        bed?.start = start
      }
      stages.append((part.stage, Span(start: start, end: start + part.seconds)))
      start += part.seconds + gap
    }
    if let bed { inBed.append(bed) }
    inBed.removeAll { $0.length < 0 }
  }
}
