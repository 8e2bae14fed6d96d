import HealthMerge
public import HealthSamples
import HealthStatistics

/// The style that defines the mean, if it is not the newest style of the type.
public enum StyleChoice: Sendable, Hashable, Codable {
  /// The style of the type in a version of the table.
  case version(Catalogue.Version)
  /// Another style, whatever the type's own.
  case style(AggregationStyle)
}

extension StatisticsPlan {
  /// The type with the chosen style.
  func chosenType() throws(QueryError) -> SampleType {
    guard let own = type.style, let unit = type.canonicalUnit else {
      throw QueryError(.notAQuantity(type))
    }
    let style =
      switch style {
      // Health Connect has no temporally weighted mean.
      case nil:
        policy == .healthConnect && own == .discreteTemporallyWeighted ? .discreteArithmetic : own
      case .version(let version):
        Catalogue.style(
          of: HKQuantityTypeIdentifier(rawValue: type.identifier), version: version) ?? own
      case .style(let style): style
      }
    // A sum cannot replace a mean, and only a level has an energy mean.
    guard style.isCumulative == own.isCumulative,
      style != .discreteEquivalentContinuousLevel || own == style
    else { throw QueryError(.styleDoesNotFit(style, type)) }
    guard
      hold == MeanMethod.standardHold
        || style == .discreteTemporallyWeighted && Self.holdRange.contains(hold)
    else { throw QueryError(.holdDoesNotFit(allowed: Self.holdRange, style)) }
    return SampleType(
      identifier: type.identifier, kind: .quantity(canonicalUnit: unit, style: style))
  }
}

extension StatisticsPlan {
  /// The version of the table from which the style of an answer comes; `nil` when it comes from the
  /// plan itself.
  func styleVersion(of style: AggregationStyle) -> Catalogue.Version? {
    switch self.style {
    case nil: style == type.style ? .newest : nil
    case .version(let version): version
    case .style: nil
    }
  }
}

extension SampleColumns {
  /// The same samples with another type; no column is copied.
  func retyped(as type: SampleType) -> SampleColumns {
    SampleColumns(
      type: type, sources: sources, offsets: offsets, starts: starts, ends: ends, values: values,
      recorded: recorded)
  }
}
