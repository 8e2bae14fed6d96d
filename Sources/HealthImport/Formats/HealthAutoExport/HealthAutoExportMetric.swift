import HealthSamples

/// A metric of Health Auto Export with its type and unit, resolved once for all of its data.
struct HealthAutoExportMetric {
  /// The app's name, such as `step_count`.
  private(set) var name = ""
  /// The unit as written.
  private(set) var units = ""
  /// The type of its records; `nil` when unknown.
  private(set) var type: SampleType?
  /// The unit in which the app says the numbers: 97 for HealthKit's 0.97 %.
  private(set) var unit = EverydayUnits.Unit()

  /// More than the app has.
  private static let mostMetrics = 1 << 12

  init() {}

  /// The metrics of a file, in its order.
  static func all(in source: any ByteSource) throws(ExportError) -> [HealthAutoExportMetric] {
    var text = try HealthAutoExportText(source: source)
    var metrics: [HealthAutoExportMetric] = []
    var units = EverydayUnits()
    while let step = try text.next() {
      switch step {
      case .name(let name, let metric): at(metric, in: &metrics) { $0.name = name }
      case .units(let units, let metric): at(metric, in: &metrics) { $0.units = units }
      case .data, .array: try text.json.skipValue()
      case .unknown: break
      }
    }
    for metric in metrics.indices {
      metrics[metric].type = HealthAutoExportNames.type(ofMetric: metrics[metric].name)
      metrics[metric].unit = units.unit(metrics[metric].units)
    }
    return metrics
  }

  private static func at(
    _ metric: Int, in metrics: inout [HealthAutoExportMetric],
    _ change: (inout HealthAutoExportMetric) -> Void
  ) {
    guard metric < mostMetrics else { return }
    while metrics.count <= metric { metrics.append(HealthAutoExportMetric()) }
    change(&metrics[metric])
  }
}
