/// Where workouts led along; an interval workout has one route a part.
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
    /// The file of the places, relative to the export; empty when they stood in the export.
    public var path = ""
    /// The places; none when the file is missing.
    public var locations = LocationColumns()
    /// The activity of the workout that the route belongs to, as written.
    public var activity = ""
    /// The start of that workout, in seconds since 2001-01-01 UTC.
    public var workoutStart = 0.0
    /// The end of that workout.
    public var workoutEnd = 0.0

    /// A route without places.
    public init() {}
  }
}
