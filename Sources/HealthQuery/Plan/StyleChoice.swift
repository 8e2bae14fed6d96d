import HealthMerge
public import HealthSamples
import HealthStatistics

/// By whose rule means are computed, where that is not the newest style of the type.
public enum StyleChoice: Sendable, Hashable, Codable {
  /// The style that the type had in a version of the table.
  case version(Catalogue.Version)
  /// The rule of one style, whatever the type's own.
  case style(AggregationStyle)
}

extension StatisticsPlan {
  /// The type with the style by which it is asked.
  func chosenType() throws(QueryError) -> SampleType {
    guard let own = type.style, let unit = type.canonicalUnit else {
      throw QueryError(.notAQuantity(type))
    }
    let style =
      switch style {
      // Health Connect knows no mean over time.
      case nil:
        policy == .healthConnect && own == .discreteTemporallyWeighted ? .discreteArithmetic : own
      case .version(let version):
        Catalogue.style(
          of: HKQuantityTypeIdentifier(rawValue: type.identifier), version: version) ?? own
      case .style(let style): style
      }
    // Sums and means are different questions, and only a level has an energy.
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
  /// The same samples under what is asked of their type; no column is copied.
  func retyped(as type: SampleType) -> SampleColumns {
    SampleColumns(
      type: type, sources: sources, offsets: offsets, starts: starts, ends: ends, values: values,
      recorded: recorded)
  }
}
