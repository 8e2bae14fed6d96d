import Foundation
import HealthExchange
import HealthImport
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import HealthUnits
import Testing
import _HealthStoreSupport

@testable import ExportGenerator

extension TruthComparison {
  /// Counts, copies, units, what was typed in and metadata of each type.
  func checkRecords() throws {
    let types = Dictionary(uniqueKeysWithValues: try store.types().map { ($0.type.identifier, $0) })
    #expect(Set(types.keys) == Set(truth.records.keys))
    for (identifier, known) in truth.records {
      let counts = ImportCounts(
        export.summary.types[identifier], export.report.types[identifier])
      #expect(counts.read == known.records + known.nestedOnly, "\(identifier)")
      #expect(counts.duplicates == known.copies, "\(identifier)")
      #expect(
        counts.new == known.records - known.copies + known.nestedOnly, "\(identifier)")
      #expect(counts.known == 0 && counts.skipped == 0, "\(identifier)")
      let type = try #require(types[identifier])
      #expect(type.count == counts.new, "\(identifier)")
      let unit = known.unit?.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      #expect(type.recordedUnit == unit, "\(identifier)")
      let records = try export.records(of: type.type)
      #expect(records.reduce(0) { $0 + $1.copies } == counts.read, "\(identifier)")
      let typed = records.filter(\.source.isUserEntered).reduce(0) { $0 + $1.copies }
      #expect(typed == known.userEntered, "\(identifier)")
      let metadata = records.reduce(0) { $0 + $1.metadata.entries.count }
      #expect(metadata == known.metadata, "\(identifier)")
    }
  }

  private func type(_ identifier: String) throws -> SampleType {
    try #require(try store.types().first { $0.type.identifier == identifier }?.type)
  }

  /// The answer of the engine for each day of the export that has something.
  private func days(
    of identifier: String, policy: MergePolicy = .unmerged, separatesSources: Bool = false,
    _ statistics: [Statistic]
  ) throws -> (all: [String: StatisticsRow], sources: [String: [String: StatisticsRow]]) {
    let zone = try #require(TimeZone(identifier: export.plan.timeline.zoneName))
    var plan = StatisticsPlan(type: try type(identifier), timeZone: zone)
    plan.interval = CalendarInterval(.day)
    plan.policy = policy
    plan.statistics = statistics
    plan.separatesSources = separatesSources
    plan.unit = try truth.records[identifier]?.truthUnit.map { try UnitExpression($0) }
    let answer = try store.statistics(plan)
    let dates = Dictionary(
      uniqueKeysWithValues: export.days.map { ($0.range.lowerBound, $0.date) })
    func rows(_ table: StatisticsColumns) -> [String: StatisticsRow] {
      let rows = (0..<table.count).filter { table.hasData[$0] }.compactMap { row in
        dates[table.starts[row]].map { ($0, StatisticsRow(table, row)) }
      }
      return Dictionary(uniqueKeysWithValues: rows)
    }
    var sources: [String: [String: StatisticsRow]] = [:]
    for source in answer.sources {
      // What a person typed in is a source of its own, under the name of the app.
      sources[source.source.name, default: [:]].merge(rows(source.intervals)) { one, two in
        StatisticsRow(
          count: one.count + two.count, sum: (one.sum ?? 0) + (two.sum ?? 0),
          minimum: nil, maximum: nil)
      }
    }
    return (rows(answer.intervals), sources)
  }

  /// Sums of each day: raw, merged, and of each source.
  func checkSums() throws {
    for (identifier, known) in truth.sums {
      let raw = try days(of: identifier, separatesSources: true, [.sum])
      let merged = try days(of: identifier, policy: .healthKit, [.sum]).all
      #expect(Set(raw.all.keys) == Set(known.keys), "\(identifier)")
      for (date, sum) in known {
        #expect(Self.agree(raw.all[date]?.sum, sum.raw), "\(identifier) \(date)")
        #expect(Self.agree(merged[date]?.sum, sum.merged), "\(identifier) \(date)")
        for (source, amount) in sum.sources {
          #expect(
            Self.agree(raw.sources[source]?[date]?.sum, amount), "\(identifier) \(source) \(date)")
        }
      }
    }
  }

  /// Nothing is later than the export of an unfinished day, and whole days have the means told.
  func checkUnfinished() throws {
    let known = try #require(truth.unfinished)
    let whole = export.days.prefix(known.wholeDays).map(\.date)
    #expect(export.days.map(\.date) == whole + [known.date])
    for (identifier, mean) in known.means {
      let days = try days(of: identifier, policy: .healthKit, [.sum]).all
      let sums = whole.compactMap { days[$0]?.sum }
      #expect(Self.agree(sums.reduce(0, +) / Double(sums.count), mean), "\(identifier)")
    }
    let exported = try #require(export.exported)
    for type in try store.types() {
      #expect(try export.records(of: type.type).allSatisfy { $0.end <= exported }, "\(type.type)")
    }
  }

  /// Counts, bounds and totals of what is not added up, by day.
  func checkValues() throws {
    for (identifier, known) in truth.values {
      let unit = try #require(truth.records[identifier]?.truthUnit)
      let found = try days(of: identifier, [.count, .min, .max]).all
      let type = try type(identifier)
      let isOfNights = Catalogue.isMeasuredOverNights(type)
      #expect(isOfNights || Set(found.keys) == Set(known.keys), "\(identifier)")
      let canonical = try #require(type.canonicalUnit?.description)
      let conversion = try conversion(from: canonical, to: unit)
      let samples = try store.samples(of: type)
      for (date, range) in export.days {
        guard let values = known[date] else { continue }
        if isOfNights {
          // A night counts on the date on which it ends, not on both of its dates.
          let nights = samples.values.indices.filter { range.contains(samples.ends[$0].nextDown) }
            .map { conversion(samples.values[$0]) }
          #expect(found[date]?.count ?? 0 == nights.count, "\(identifier) \(date)")
          #expect(Self.agree(found[date]?.minimum, nights.min()), "\(identifier) \(date)")
          #expect(Self.agree(found[date]?.maximum, nights.max()), "\(identifier) \(date)")
        } else {
          let row = try #require(found[date], "\(identifier) \(date)")
          #expect(row.count == values.count, "\(identifier) \(date)")
          #expect(Self.agree(row.minimum, values.minimum), "\(identifier) \(date)")
          #expect(Self.agree(row.maximum, values.maximum), "\(identifier) \(date)")
        }
        let reaching = samples.values.indices.filter { index in
          let isInside = range.contains(samples.starts[index])
          let reaches =
            samples.starts[index] < range.upperBound && samples.ends[index] > range.lowerBound
          return isInside || reaches
        }
        let total = reaching.reduce(0) { $0 + conversion(samples.values[$1]) }
        #expect(Self.agree(total, values.total), "\(identifier) \(date)")
      }
    }
  }

  /// How often each constant of a category stands there, and for how long.
  func checkLabels() throws {
    for (identifier, known) in truth.labels {
      var found: [String: LabelTime] = [:]
      for record in try export.records(of: try type(identifier)) {
        found[record.label, default: LabelTime()].count += 1
        found[record.label, default: LabelTime()].seconds += Int(record.end - record.start)
      }
      #expect(found.count == known.count, "\(identifier)")
      for (current, time) in known {
        let label = try #require(CategoryLabel(rawValue: current))
          .written(in: export.plan.version).rawValue
        #expect(found[label]?.count == time.count, "\(identifier) \(label)")
        #expect(found[label]?.seconds == time.seconds, "\(identifier) \(label)")
      }
    }
  }
}

/// One row of an answer.
private struct StatisticsRow {
  let count: Int
  let sum: Double?
  let minimum: Double?
  let maximum: Double?

  init(count: Int, sum: Double?, minimum: Double?, maximum: Double?) {
    (self.count, self.sum, self.minimum, self.maximum) = (count, sum, minimum, maximum)
  }

  init(_ table: StatisticsColumns, _ row: Int) {
    count = table.counts[row]
    sum = table[.sum]?[row]
    minimum = table[.min]?[row]
    maximum = table[.max]?[row]
  }
}
