/// The tracks of workouts; an interval workout has one route per part.
public struct Routes: Elements {
  /// The kind of all rows.
  public static let kind = ElementKind.route
  /// The elements.
  public var rows: [Row] = []
  /// No routes.
  public init() {}

  /// One route.
  public struct Row: Sendable, Hashable {
    /// Source, times and metadata.
    public var facts = ElementFacts()
    /// The file of the locations, relative to the export; empty when they are in the export itself.
    public var path = ""
    /// The locations; none when the file is missing.
    public var locations = LocationColumns()
    /// The activity of the workout that the route belongs to, as written.
    public var activity = ""
    /// The start of that workout, in seconds since 2001-01-01 UTC.
    public var workoutStart = 0.0
    /// The end of that workout.
    public var workoutEnd = 0.0

    /// A route without locations.
    public init() {}
  }
}
