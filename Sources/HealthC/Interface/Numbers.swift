// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of hkstats.h.

public import CHKStats
import HealthAnswers
import HealthExchange
import HealthMerge
import HealthQuery
import HealthSamples
import HealthUnits
import _HealthNumerics

/// A conversion that is prepared once.
final class Conversion: Sendable {
  let conversion: UnitConversion

  init(_ conversion: UnitConversion) { self.conversion = conversion }
}

// MARK: - Units

/// A unit, its dimension and size as JSON.
@c @implementation public func hkstats_unit(
  _ unit: UnsafePointer<CChar>?, _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  Calls.run(error) {
    let place = try place(json, "json")
    let unit = try UnitExpression(colloquial: text(unit, "unit"))
    place.pointee = try copied(
      JSON.object([
        .init("unit", .string(unit.description)),
        .init("dimension", .string(unit.dimension.description)),
        .init("factor", .string(unit.exactFactorText)),
        .init("ucum", .optional((try? UnitMapping(of: unit, to: .ucum))?.unit.text(in: .ucum))),
      ]).text)
  }
}

/// Prepares the conversion from one unit to another.
@c @implementation public func hkstats_conversion_open(
  _ from: UnsafePointer<CChar>?, _ to: UnsafePointer<CChar>?, _ type: UnsafePointer<CChar>?,
  _ conversion: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  Calls.run(error) {
    let place = try place(conversion, "conversion")
    let (from, to) = (try text(from, "from"), try text(to, "to"))
    let found: UnitConversion
    if let name = try optionalText(type, "type") {
      let type = try Catalogue.type(named: name)
      found = try UnitConversion(
        from: type.unit(colloquial: from), to: type.unit(colloquial: to))
    } else {
      found = try UnitConversion(
        from: UnitExpression(colloquial: from), to: UnitExpression(colloquial: to))
    }
    place.pointee = Handle.conversions.open(Conversion(found))
  }
}

/// Converts numbers.
@c @implementation public func hkstats_convert(
  _ conversion: OpaquePointer?, _ input: UnsafePointer<Double>?,
  _ output: UnsafeMutablePointer<Double>?, _ count: Int,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  Calls.run(error) {
    let conversion = try Handle.conversions[conversion].conversion
    guard count > 0 else {
      guard count == 0 else { throw CallError.argument("count", .isTooLarge) }
      return
    }
    guard count <= longestColumn else { throw CallError.argument("count", .isTooLarge) }
    guard let input else { throw CallError.argument("input", .isNull) }
    guard let output else { throw CallError.argument("output", .isNull) }
    conversion.apply(
      from: UnsafeBufferPointer(start: input, count: count),
      to: UnsafeMutableBufferPointer(start: output, count: count), on: .best)
  }
}

/// Closes a conversion.
@c @implementation public func hkstats_conversion_close(
  _ conversion: OpaquePointer?, _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  Calls.run(error) { try Handle.conversions.close(conversion) }
}

/// The most numbers of a column: all that addresses can reach.
private let longestColumn = Int.max / MemoryLayout<Double>.stride

// MARK: - Merging

/// Merges overlapping samples of several sources into the parts that count.
@c @implementation public func hkstats_merge(
  _ type: UnsafePointer<CChar>?, _ starts: UnsafePointer<Double>?, _ ends: UnsafePointer<Double>?,
  _ values: UnsafePointer<Double>?, _ sources: UnsafePointer<Int32>?, _ count: Int,
  _ names: UnsafePointer<UnsafePointer<CChar>?>?, _ nameCount: Int,
  _ options: UnsafePointer<CChar>?, _ progress: hkstats_progress?,
  _ context: UnsafeMutableRawPointer?, _ table: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  Calls.run(error) {
    let place = try place(table, "table")
    let name = try text(type, "type")
    let request = try MergeRequest(json: json(options, "options"))
    let progress = Progress(progress, context)
    guard (0...Int(UInt32.max) - 1).contains(count) else {
      throw CallError.argument("count", .isTooLarge)
    }
    guard (0...Int(UInt16.max)).contains(nameCount) else {
      throw CallError.argument("name_count", .isTooLarge)
    }
    guard nameCount == 0 || names != nil else { throw CallError.argument("names", .isNull) }
    let texts = try (0..<nameCount).map { try text(names?[$0], "names[\($0)]") }
    guard Set(texts).count == texts.count else { throw CallError.argument("names", .containsTwice) }
    func column<Value>(_ pointer: UnsafePointer<Value>?, _ name: String) throws -> [Value] {
      guard let pointer else {
        if count == 0 { return [] }
        throw CallError.argument(name, .isNull)
      }
      return Array(UnsafeBufferPointer(start: pointer, count: count))
    }
    progress.report("reading", 0)
    if progress.isCancelled { throw CallError.interrupted }
    let sorted = try SampleColumns.sorting(
      type: Catalogue.type(named: name), sources: texts.map { Source(name: $0) },
      indices: column(sources, "sources"), starts: column(starts, "starts"),
      ends: column(ends, "ends"), values: column(values, "values"))
    progress.report("merging", 0.5)
    if progress.isCancelled { throw CallError.interrupted }
    place.pointee = Handle.tables.open(
      try request.table(of: sorted.columns, rows: sorted.rows, ranked: texts))
  }
}

/// How columns are merged.
struct MergeRequest {
  enum Member: String, RequestMember {
    case merge, times

    var own: MemberFacts? {
      switch self {
      case .merge: nil
      case .times:
        MemberFacts(
          oneOf: TimeForm.allCases.map(\.rawValue),
          "The form of times: seconds of any epoch, or seconds since 2001 that come back as "
            + "timestamp.")
      }
    }
  }

  private let policy: MergePolicy
  /// Instants are seconds since 2001-01-01 UTC; seconds are those of the caller's epoch.
  private let times: TimeForm

  init(json: String) throws {
    let members = try QuestionKeys<Member>(json: json)
    policy = try members.word(.merge, QuestionWords.policy) ?? .healthKit
    times = try members.word(.times) { try QuestionWords.word(.times, $0) } ?? .seconds
  }

  /// The parts that count, by the rank of their source, and then by time.
  func table(of samples: SampleColumns, rows: [Int], ranked names: [String]) throws -> Table {
    let priority = SourcePriority(order: names.map { Source(name: $0) })
    let segments = try samples.merged(by: priority, policy: policy)
    let (starts, ends, values, numbers) = (
      segments.starts, segments.ends, segments.values, segments.samples
    )
    var kept: [Int] = []
    kept.reserveCapacity(segments.count)
    for row in 0..<segments.count where numbers[row] != SegmentColumns.masked { kept.append(row) }
    let isWhole = kept.count == segments.count
    func column<Value>(_ values: [Value]) -> [Value] { isWhole ? values : kept.map { values[$0] } }
    var codes: [Int32] = []
    var given: [Int] = []
    codes.reserveCapacity(segments.count)
    given.reserveCapacity(segments.count)
    let codeOfName = Dictionary(uniqueKeysWithValues: zip(names, Int32(0)...))
    let placeOfSource = Dictionary(uniqueKeysWithValues: zip(samples.sources, 0...))
    for (index, source) in segments.sources.enumerated() {
      let code = codeOfName[source.name] ?? -1
      let place = placeOfSource[source] ?? 0
      let first = samples.offsets[place]
      for row in segments.rows(ofSource: index) {
        codes.append(code)
        let number = numbers[row]
        given.append(
          number == SegmentColumns.masked ? -1 : Int(rows[first + Int(number)]))
      }
    }
    func time(_ name: String, _ instants: [Double]) -> Column {
      switch times {
      case .timestamp: Column(Field(name, .instant(zone: "UTC")), .instants(column(instants)))
      case .seconds: Column(.real(name, unit: "s"), .reals(column(instants)))
      }
    }
    return Table(
      "merged",
      [
        time("start", starts), time("end", ends),
        // The unit is the caller's.
        Column(Field("value", .real), .reals(column(values))),
        Column(Field("source", .word), .words(column(codes), of: names)),
        Column(Field("row", .integer), .integers(column(given))),
      ], count: kept.count,
      head: JSON.object([
        .init("type", .string(samples.type.identifier)), .init("merge", .string(policy.rawValue)),
      ]).text)
  }
}
