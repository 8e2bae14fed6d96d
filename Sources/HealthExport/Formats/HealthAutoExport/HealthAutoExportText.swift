/// Walks along the frame of a file of Health Auto Export, from one array of data to the next.
///
/// `{"data": {"metrics": [{"name": …, "units": …, "data": […]}], "workouts": […], …}}`, all of it
/// optional and in any order.
struct HealthAutoExportText: ~Copyable {
  /// What the walk has come to.
  enum Step {
    case name(String, metric: Int)
    case units(String, metric: Int)
    /// The data of a metric stand next.
    case data(metric: Int)
    /// What stands beside the metrics stands next, most often an array.
    case array(String)
    /// A member that such files are not known to have, which was gone over.
    case unknown(String)
  }

  private enum Level { case root, data, metrics, metric }

  var json: JSONReader
  /// Whether the file has the form of the app, as far as it has been walked along.
  private(set) var isExport = false
  private var level = Level.root
  private var metric = -1

  /// Begins at the first byte of a source.
  init(source: any ByteSource) throws(ExportError) {
    var json = try JSONReader(source: source)
    _ = try json.enterObject()
    self.json = json
  }

  /// The next step; `nil` at the end of the file and where it is damaged.
  ///
  /// What stands next after ``Step/data(metric:)`` and ``Step/array(_:)`` is for the caller to go
  /// over.
  mutating func next() throws(ExportError) -> Step? {
    while json.damagedAt == nil {
      if level == .metrics {
        if try json.nextElement() {
          guard try json.enterObject() else { return nil }
          level = .metric
          metric += 1
        } else {
          level = .data
        }
        continue
      }
      guard let key = try json.nextKey() else {
        guard level != .root, json.damagedAt == nil else { return nil }
        level = level == .metric ? .metrics : .root
        continue
      }
      if let step = try step(key) { return step }
    }
    return nil
  }

  private mutating func step(_ key: String) throws(ExportError) -> Step? {
    switch (level, key) {
    case (.root, "data"):
      isExport = try json.enterObject()
      level = .data
    case (.data, "metrics"): if try json.enterArray() { level = .metrics }
    case (.data, _): return .array(key)
    case (.metric, "name"): return try json.string().map { .name($0, metric: metric) }
    case (.metric, "units"): return try json.string().map { .units($0, metric: metric) }
    case (.metric, "data"): return .data(metric: metric)
    default:
      try json.skipValue()
      return .unknown(key)
    }
    return nil
  }
}
