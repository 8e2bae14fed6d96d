public import HealthQuery
import HealthSamples
public import HealthStore
import HealthUnits

/// A question about food: what was eaten, and the nutrients of each.
public struct FoodPlan: Sendable, Hashable, Codable {
  /// The period in which it was eaten; its interval is ignored.
  public var period: ElementPeriod

  /// Makes a plan.
  public init(_ period: ElementPeriod) { self.period = period }
}

extension SampleStore {
  /// Lists food: a row for each correlation of nutrients, with `food` and `source`, and a column for
  /// each nutrient, the most frequent first, in the unit in which `statistics(_:)` answers for it, else
  /// that in which it was first recorded.
  ///
  /// Nutrients that no correlation names are in no row; `statistics(_:)` of their types has all.
  ///
  /// - Throws: `QueryError`, with `QueryError.Reason.store` for errors of the store
  public func food(_ plan: FoodPlan) throws(QueryError) -> ElementColumns {
    let period = ElementPeriod(
      timeZone: plan.period.timeZone, from: plan.period.from, to: plan.period.to)
    let range = try period.range()
    var rows: [Correlations.Row] = []
    try each(of: .correlation, in: range) { batch in
      guard case .correlations(let columns) = batch else { return }
      rows += columns.rows.filter {
        $0.type == "HKCorrelationTypeIdentifierFood" && range.contains($0.facts.start)
      }
    }
    var answer = ElementColumns(
      "food", rows: .elements, in: period.timeZone, starts: rows.map(\.facts.start),
      ends: rows.map(\.facts.time.upperBound))
    answer.add(
      "food",
      .texts(
        rows.map { row in
          row.facts.metadata.entries.first { $0.key == "HKFoodType" }?.value ?? ""
        }))
    answer.add("source", .texts(rows.map(\.facts.source.name)))
    var nutrients: [String: (count: Int, label: String)] = [:]
    for member in rows.flatMap(\.members) {
      nutrients[member.type, default: (0, member.label)].count += 1
    }
    let order = nutrients.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    for (type, nutrient) in order {
      let known = Catalogue.type(type)
      let canonical = known?.canonicalUnit
      var label = nutrient.label
      if let known, let chosen = try stored({ () throws(StoreError) in try outputUnit(of: known) })
      {
        label = chosen
      }
      let recorded = try? UnitExpression(label)
      var conversion: UnitConversion?
      if let canonical, let recorded {
        conversion = try? UnitConversion(from: canonical, to: recorded)
      }
      let unit =
        conversion == nil ? canonical?.description ?? label : label
      let amounts = rows.map { row -> Double? in
        let values = row.members.filter { $0.type == type }.map(\.value)
        guard !values.isEmpty else { return nil }
        let sum = values.reduce(0, +)
        return conversion.map { $0(sum) } ?? sum
      }
      answer.add(Self.nutrientName(type), unit: unit, .numbers(amounts))
    }
    return answer
  }

  /// `protein` for `HKQuantityTypeIdentifierDietaryProtein`.
  private static func nutrientName(_ type: String) -> String {
    let prefixes = ["HKQuantityTypeIdentifierDietary", "HKQuantityTypeIdentifier"]
    let prefix = prefixes.first { type.hasPrefix($0) && type.count > $0.count } ?? ""
    let name = type.dropFirst(prefix.count)
    return name.prefix(1).lowercased() + name.dropFirst()
  }
}
