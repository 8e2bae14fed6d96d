import HealthExchange
import HealthSamples

extension Source {
  /// The name for display, no wider than a table column: sources have arbitrary names.
  var shortName: String { description.printable.truncated(to: 40) }
}
