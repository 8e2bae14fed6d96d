/// When a person sleeps, on a circle of 24 hours: onset, midpoint and wake-up, and social jet lag.
///
/// ```swift
/// let timing = try SleepTiming(
///   onsets: [23, 23.5, 23, 23.5, 0.5, 1, 23], wakes: [7, 7, 6.5, 7, 9, 9.5, 7],
///   weekdays: [2, 3, 4, 5, 6, 7, 1], freeDays: [1, 7])
/// timing.midpoint.mean      // 3.60 hours after midnight
/// timing.socialJetLag       // 0.73 hours
/// ```
///
/// The midpoint of a night is half way around the clock from its onset on to its wake-up. Social jet
/// lag is the shortest distance between the circular means of the midpoints of free days and of work
/// days (Wittmann, Dinich, Merrow and Roenneberg, *Chronobiology International* 23, 2006, 497–509),
/// as it is, not corrected for sleep that was made up for. ``correctedFreeMidpoint`` is.
public struct SleepTiming: Sendable, Hashable {
  /// The times at which sleep begins, in hours of the clock.
  public let onset: CircularSummary
  /// The times half way between onset and wake-up.
  public let midpoint: CircularSummary
  /// The times at which sleep ends.
  public let wake: CircularSummary
  /// The midpoints of nights that end on a free day; `nil` without any.
  public let freeMidpoint: CircularSummary?
  /// The midpoints of nights that end on a work day; `nil` without any.
  public let workMidpoint: CircularSummary?
  /// The distance of both means, from 0 to 12 hours; `nil` when one of them is missing.
  public let socialJetLag: Double?

  /// The same with its direction: how many hours the midpoint of free days is later than that of work
  /// days, negative where it is earlier.
  public var freeDayShift: Double? {
    guard let shift = socialJetLag, let free = freeMidpoint?.mean, let work = workMidpoint?.mean
    else { return nil }
    return (free - work).remainder(dividingBy: 24) < 0 ? -shift : shift
  }

  /// SDf: the mean time from onset to wake-up of nights that end on a free day, in hours; `nil` without
  /// any.
  public let freeDuration: Double?
  /// SDw: that of nights that end on a work day; `nil` without any.
  public let workDuration: Double?
  /// SDweek: (SDw·WD + SDf·FD)/7, the mean of a week with *FD* free days and *WD* work days; `nil` when
  /// one of both is missing, or for a week without free days or without work days.
  ///
  /// How many nights of each kind there are does not matter: a weekend that was not recorded does not
  /// shift it.
  public let weekDuration: Double?

  /// MSFsc: the midpoint of free days, corrected for the sleep that work days leave to make up for, in
  /// hours of the clock; `nil` when ``weekDuration`` is, or when the midpoints of free days cancel out.
  ///
  /// MSF − (SDf − SDweek)/2 when sleep is longer on free days than on work days, else MSF
  /// (``freeMidpoint``): T. Roenneberg and others, Current Biology 14: R1038 (2004) and 22: 939 (2012), the
  /// Munich Chronotype Questionnaire. There it is the chronotype of people who wake up without an alarm on
  /// free days, and sleep is from falling asleep to waking up.
  public var correctedFreeMidpoint: Double? {
    guard let midpoint = freeMidpoint?.mean, let free = freeDuration, let work = workDuration,
      let week = weekDuration
    else { return nil }
    return free > work ? Phase.wrapped(midpoint - (free - week) / 2, period: 24) : midpoint
  }

  /// Summarises nights: one row for the main sleep of each.
  ///
  /// - Parameters:
  ///   - onsets: the clock times at which sleep begins, in local hours
  ///   - wakes: those at which it ends
  ///   - weekdays: the number of the weekday on which it ends, in any numbering
  ///   - freeDays: the numbers of the days without work; how many they are of seven is *FD*
  /// - Throws: `AnalysisError` without nights, for columns of different length, or for a number that
  ///   is not finite
  /// - Complexity: O(*n*)
  public init(
    onsets: [Double], wakes: [Double], weekdays: [Int], freeDays: Set<Int>
  ) throws(AnalysisError) {
    guard onsets.count == wakes.count else {
      throw AnalysisError(.lengthsDiffer(x: onsets.count, y: wakes.count))
    }
    guard onsets.count == weekdays.count else {
      throw AnalysisError(.lengthsDiffer(x: onsets.count, y: weekdays.count))
    }
    onset = try CircularSummary(onsets)
    wake = try CircularSummary(wakes)
    let midpoints = zip(onsets, wakes).map(Self.midpoint)
    midpoint = try CircularSummary(midpoints)
    func summary(isFree: Bool) throws(AnalysisError) -> CircularSummary? {
      let chosen = midpoints.indices.filter { freeDays.contains(weekdays[$0]) == isFree }
      return chosen.isEmpty ? nil : try CircularSummary(chosen.map { midpoints[$0] })
    }
    freeMidpoint = try summary(isFree: true)
    workMidpoint = try summary(isFree: false)
    func duration(isFree: Bool) -> Double? {
      let chosen = onsets.indices.filter { freeDays.contains(weekdays[$0]) == isFree }
      return chosen.isEmpty
        ? nil : chosen.map { Self.duration(onset: onsets[$0], wake: wakes[$0]) }.compensatedMean
    }
    let (freeTime, workTime) = (duration(isFree: true), duration(isFree: false))
    (freeDuration, workDuration) = (freeTime, workTime)
    if let freeTime, let workTime, (1...6).contains(freeDays.count) {
      let share = Double(freeDays.count)
      weekDuration = (workTime * (7 - share) + freeTime * share) / 7
    } else {
      weekDuration = nil
    }
    guard let free = freeMidpoint?.mean, let work = workMidpoint?.mean else {
      socialJetLag = nil
      return
    }
    socialJetLag = CircularSummary.distance(free, work)
  }

  /// Half way around the clock from the onset on to the wake-up.
  ///
  /// - Precondition: both are finite.
  public static func midpoint(onset: Double, wake: Double) -> Double {
    Phase.wrapped(
      Phase.wrapped(onset, period: 24) + duration(onset: onset, wake: wake) / 2, period: 24)
  }

  /// From the onset on around the clock to the wake-up, below 24 hours.
  private static func duration(onset: Double, wake: Double) -> Double {
    Phase.wrapped(Phase.wrapped(wake, period: 24) - Phase.wrapped(onset, period: 24), period: 24)
  }
}
