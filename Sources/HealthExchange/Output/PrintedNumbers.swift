package import HealthAnswers
package import HealthQuery
import HealthSamples

// Values are kept and computed in the canonical unit; the way into another rounds once more, and
// shows digits beyond the measured ones. Programs, files and columns give them without those digits.

extension StatisticsAnswer {
  /// How programs read numbers; what was computed exactly stays as it is.
  package var printing: (Double) -> Double {
    printsAsComputed ? { $0 } : { NumberText.shortest($0) }
  }

  /// Whether programs read numbers as they were computed.
  package var printsAsComputed: Bool { isExact || unit == type.canonicalUnit }
}

extension IntervalSeries {
  /// A number as programs read it.
  package func printing(_ value: Double) -> Double {
    printsAsComputed ? value : NumberText.shortest(value)
  }

  /// Whether programs read numbers as they were computed.
  package var printsAsComputed: Bool { unit == type.canonicalUnit }

  /// The numbers as programs read them.
  package var printed: [Double?] { values.map { $0.map(printing) } }
}
