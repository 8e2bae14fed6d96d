extension SleepAverages {
  /// A number of a period, as programs read it.
  package enum Member: Sendable, Hashable {
    case count(Int)
    /// Seconds, or a share; `nil` where it is unknown.
    case number(Double?)
    /// A time of day in seconds since midnight; `nil` where it is unknown.
    case clock(Double?)
  }

  /// What a number of a period is, whatever the nights.
  package enum MemberForm: Sendable, Hashable {
    case count, seconds, share, clock
  }

  /// The forms of the numbers of a period, in the order of ``memberNames``.
  package static let memberForms: [MemberForm] =
    [.count, .clock, .clock, .seconds] + SleepStage.told.map { _ in .seconds }
    + [.seconds, .share, .seconds, .count, .count, .count, .count, .count, .clock, .clock]

  /// The names of the numbers of a period in JSON, in order.
  package static let memberNames =
    ["nights", "bedtime", "wake", "asleep"]
    + SleepStage.told.map(\.key)
    + [
      "inBed", "efficiency", "napAsleep", "naps", "asleepNights", "stageNights", "inBedNights",
      "efficiencyNights", "asleepFromMedian", "asleepToMedian",
    ]

  /// The numbers of a period, in the order of ``memberNames``.
  package func members(_ row: Int) -> [Member] {
    [
      .count(nightCounts[row]), .clock(bedtimes[row]), .clock(wakes[row]), .number(asleep[row]),
    ] + SleepStage.told.map { .number(stages[row][$0]) } + [
      .number(inBed[row]), .number(efficiencies[row]), .number(napAsleep[row]),
      .count(napCounts[row]), .count(asleepCounts[row]), .count(stageCounts[row]),
      .count(inBedCounts[row]), .count(efficiencyCounts[row]),
      .clock(medianSleepStarts[row]), .clock(medianSleepEnds[row]),
    ]
  }

  /// A time of day to the minute, given in seconds since midnight: `23:05`.
  package static func clockText(_ seconds: Double) -> String {
    let minutes = Int((seconds / 60).rounded()) % 1440
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(minutes / 60)):\(two(minutes % 60))"
  }
}
