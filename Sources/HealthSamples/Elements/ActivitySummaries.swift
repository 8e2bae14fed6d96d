/// The activity rings of days; a date may come twice, and goals of the first days may be zero.
public struct ActivitySummaries: Elements {
  /// The kind of all rows.
  public static let kind = ElementKind.activitySummary
  /// The elements.
  public var rows: [Row] = []
  /// No days.
  public init() {}

  /// One day.
  ///
  /// What is not recorded is `nil`.
  public struct Row: Sendable, Hashable {
    /// The local date, as days since 2001-01-01; it belongs to no time zone.
    public var day = 0
    /// Energy burnt, in kcal.
    public var activeEnergy: Double?
    /// The goal, in kcal.
    public var activeEnergyGoal: Double?
    /// The unit in which the export wrote energies.
    public var recordedEnergyUnit = ""
    /// Minutes of moving, for people who count time instead of energy.
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

    /// A day of which nothing is recorded.
    public init() {}
  }
}
