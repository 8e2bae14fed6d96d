/// The activity rings of days; a date may occur twice, and goals of the first days may be zero.
public struct ActivitySummaries: Elements {
  /// The kind of all rows.
  public static let kind = ElementKind.activitySummary
  /// The elements.
  public var rows: [Row] = []
  /// No days.
  public init() {}

  /// One day.
  ///
  /// Values that are not recorded are `nil`.
  public struct Row: Sendable, Hashable {
    /// The local date, as days since 2001-01-01; it belongs to no time zone.
    public var day = 0
    /// Active energy, in kcal.
    public var activeEnergy: Double?
    /// The goal, in kcal.
    public var activeEnergyGoal: Double?
    /// The unit in which the export wrote energies.
    public var recordedEnergyUnit = ""
    /// Minutes of moving, for people who track time instead of energy.
    public var moveMinutes: Double?
    /// The goal, in minutes.
    public var moveMinutesGoal: Double?
    /// Minutes of exercise.
    public var exerciseMinutes: Double?
    /// The goal, in minutes.
    public var exerciseMinutesGoal: Double?
    /// Hours with at least a minute of standing.
    public var standHours: Double?
    /// The goal, in hours.
    public var standHoursGoal: Double?

    /// A day without values.
    public init() {}
  }
}

extension ActivitySummaries {
  /// One row for each date, ascending: of several the last, which has the goals that came later.
  ///
  /// - Complexity: O(*n* log *n*)
  public var byDay: [Row] {
    Dictionary(rows.map { ($0.day, $0) }, uniquingKeysWith: { $1 }).values
      .sorted { $0.day < $1.day }
  }
}
