/// Iterates over the outer structure of a file of Health Auto Export, from one array of data to the
/// next.
///
/// `{"data": {"metrics": [{"name": …, "units": …, "data": […]}], "workouts": […], …}}`, all of it
/// optional and in any order.
struct HealthAutoExportText: ~Copyable {
  /// The result of a step.
  enum Step {
    case name(String, metric: Int)
    case units(String, metric: Int)
    /// The data of a metric follows.
    case data(metric: Int)
    /// Another member than the metrics follows, usually an array.
    case array(String)
    /// An unknown member, which was skipped.
    case unknown(String)
  }

  private enum Level { case root, data, metrics, metric }

  var json: JSONReader
  /// Whether the file has the form of the app, as far as it has been parsed.
  private(set) var isExport = false
  private var level = Level.root
  private var metric = -1

  /// Starts at the first byte of a source.
  init(source: any ByteSource) throws(ExportError) {
    var json = try JSONReader(source: source)
    _ = try json.enterObject()
    self.json = json
  }

  /// The next step; `nil` at the end of the file and where it is damaged.
  ///
  /// After ``Step/data(metric:)`` and ``Step/array(_:)`` the caller must consume the value.
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
