/// The activity rings of days; a date may come twice, and goals of the first days may be zero.
public struct ActivitySummaries: Elements {
  public static let kind = ElementKind.activitySummary
  public var rows: [Row] = []
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
    public var moveMinutesGoal: Double?
    public var exerciseMinutes: Double?
    public var exerciseMinutesGoal: Double?
    /// Hours with at least a minute of standing.
    public var standHours: Double?
    public var standHoursGoal: Double?

    public init() {}
  }
}
