/// Menstrual cycles, by the days of flow.
///
/// A cycle begins on the first day of a bleed and ends the day before the next bleed begins (M. G.
/// Munro, H. O. D. Critchley, I. S. Fraser, International Journal of Gynecology and Obstetrics 143:
/// 393, 2018).
///
/// ```swift
/// let cycles = try MenstrualCycles(flowDays: [1, 2, 3, 5, 29, 30, 31, 32])
/// cycles.cycles[0].length      // 28
/// cycles.cycles[0].bleedLength // 5, of which 4 with flow
/// ```
public struct MenstrualCycles: Sendable, Hashable {
  /// One cycle.
  public struct Cycle: Sendable, Hashable {
    /// The first day of flow.
    public let firstDay: Int
    /// The days to the next cycle; `nil` for the last one, which is not over.
    public fileprivate(set) var length: Int?
    /// The last day of flow.
    public fileprivate(set) var lastFlowDay: Int
    /// The number of days with flow.
    public fileprivate(set) var flowDayCount: Int
    /// The days from the first to the last one of the bleed with which the cycle begins: of the flow up
    /// to ``MenstrualCycles/bleedFreeDays`` days in a row without any.
    ///
    /// Later flow in a cycle is not among them.
    public fileprivate(set) var bleedLength: Int
  }

  /// The cycles, in order of time.
  public let cycles: [Cycle]
  /// How many days without flow begin no cycle.
  public let bridging: Int

  /// How many days in a row without flow end a bleed.
  ///
  /// An episode of bleeding is bounded by two bleed-free days on either side, as in trials of
  /// contraceptives (D. R. Mishell, J. Guillebaud, C. Westhoff and others, *Recommendations for
  /// standardization of data collection and analysis of bleeding in combined hormone contraceptive
  /// trials*, Contraception 75: 11, 2007), after the episodes of the WHO (E. M. Belsey, D. Machin, C.
  /// d'Arcangues, Contraception 34: 253, 1986).
  public static let bleedFreeDays = 2

  /// The days without flow that begin no cycle, if not stated otherwise.
  ///
  /// The limit lies between breaks within a period and the 16 days that the shortest normal cycle
  /// leaves after the longest normal period: 24 and 8 days by the definitions of FIGO (2018).
  public static let defaultBridging = 9

  /// Finds the cycles.
  ///
  /// A day of flow begins a cycle when `marks` say so. Where they say nothing, it begins one as the
  /// first day of all, or after more than `bridging` days without flow. Flow before the first cycle,
  /// of which the marks say that it begins none, belongs to no cycle.
  ///
  /// - Parameters:
  ///   - flowDays: the days of flow as numbers from any day, in any order; a day may repeat
  ///   - marks: whether a day begins a cycle, of those whose samples say so
  ///     (`HKMenstrualCycleStart`); other days than those of flow are ignored
  ///   - bridging: how many days without flow begin no cycle
  /// - Throws: `AnalysisError` for a day of more than 10 million, with its row, or a negative number of
  ///   days to bridge
  /// - Complexity: O(*n* log *n*)
  public init(
    flowDays: [Int], marks: [Int: Bool] = [:], bridging: Int = defaultBridging
  ) throws(AnalysisError) {
    guard bridging >= 0, bridging.magnitude <= DayNumber.limit else {
      throw AnalysisError(
        .parameter(name: "number of days to bridge", range: "from 0 to 10,000,000"))
    }
    if let row = flowDays.firstIndex(where: { $0.magnitude > DayNumber.limit }) {
      throw AnalysisError(.outOfRange, row: row)
    }
    var cycles: [Cycle] = []
    var previous: Int?
    var isBleed = false
    for day in Set(flowDays).sorted() {
      let dryDays = previous.map { day - $0 - 1 } ?? .max
      let isBridged = dryDays <= bridging
      previous = day
      if marks[day] ?? !isBridged {
        if let last = cycles.indices.last { cycles[last].length = day - cycles[last].firstDay }
        cycles.append(
          Cycle(firstDay: day, length: nil, lastFlowDay: day, flowDayCount: 1, bleedLength: 1))
        isBleed = true
      } else if let last = cycles.indices.last {
        isBleed = isBleed && dryDays < Self.bleedFreeDays
        cycles[last].lastFlowDay = day
        cycles[last].flowDayCount += 1
        if isBleed { cycles[last].bleedLength = day - cycles[last].firstDay + 1 }
      }
    }
    self.cycles = cycles
    self.bridging = bridging
  }

  /// The cycles that meet a condition, each with the length that it has among all.
  ///
  /// - Complexity: O(*n*)
  public func keeping(_ isKept: (Cycle) -> Bool) -> MenstrualCycles {
    MenstrualCycles(cycles: cycles.filter(isKept), bridging: bridging)
  }

  private init(cycles: [Cycle], bridging: Int) {
    (self.cycles, self.bridging) = (cycles, bridging)
  }
}
