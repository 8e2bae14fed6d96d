import ArgumentParser
import HealthQuery
import HealthSamples
import HealthStatistics

/// The rule of means.
struct StyleOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How means are computed: arithmetic, temporallyWeighted or equivalentContinuousLevel; or sdk18 or sdk26, the type's rule in that version. Else the newest rule of the type.",
      valueName: "style"),
    transform: Self.style)
  var style: StyleChoice?

  @Option(
    help: ArgumentHelp(
      "For how long a lone value counts to either side in a temporally weighted mean, within its interval, such as 90s or 5min; gaps up to twice that are bridged. Else 10min.",
      valueName: "duration"),
    transform: DurationArgument.seconds)
  var hold: Double?

  private static let versions: [(name: String, version: Catalogue.Version)] =
    Catalogue.Version.allCases.map { ("sdk\($0.rawValue)", $0) }

  private static func style(_ text: String) throws -> StyleChoice {
    if let named = versions.first(where: { $0.name == text }) { return .version(named.version) }
    let styles = AggregationStyle.allCases.filter { $0.meanMethod != nil }
    if let style = styles.first(where: { $0.meanMethod?.rawValue == text || $0.rawValue == text }) {
      return .style(style)
    }
    let known = versions.map(\.name) + styles.compactMap(\.meanMethod?.rawValue)
    throw ValidationError("there is no such style; use one of: \(known.joined(separator: ", "))")
  }
}
