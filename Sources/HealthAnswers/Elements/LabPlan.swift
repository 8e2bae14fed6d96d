import Foundation
public import HealthQuery
public import HealthSamples
public import HealthStore

/// A question about lab results: the Observations in the documents of health care providers.
public struct LabPlan: Sendable, Hashable, Codable {
  /// The period in which they were taken; its interval is ignored.
  public var period: ElementPeriod
  /// Only results whose name or code contains this text, in whatever capitals; all when `nil`.
  public var name: String?

  /// Makes a plan.
  public init(_ period: ElementPeriod) { self.period = period }
}

/// One lab result, as a document says it.
public struct LabResult: Sendable, Hashable {
  /// What was measured, in the words of the provider.
  public var name = ""
  /// The code, such as LOINC's `4548-4`; empty without one.
  public var code = ""
  /// When it was taken, in seconds since 2001-01-01 UTC; else when the phone received it.
  public var date = 0.0
  /// The number; `nil` of a result in words.
  public var value: Double?
  /// The result in words, or the sign before a number that is only a bound: `<`.
  public var text = ""
  /// The unit as written.
  public var unit = ""
  /// The lower end of the reference range.
  public var low: Double?
  /// The upper end of the reference range.
  public var high: Double?
  /// The reference range in words.
  public var range = ""
  /// What kind of observation it is, as written; empty where the document does not say.
  public var category = ""
  /// The provider.
  public var source = ""

  /// A result without values.
  public init() {}

  /// `low` or `high` where the number is outside of the reference range; empty otherwise, and where
  /// the number is a bound that leaves this open.
  public var flag: String {
    guard let value else { return "" }
    if let low, !text.hasPrefix(">"), value < low || text == "<" && value == low { return "low" }
    if let high, !text.hasPrefix("<"), value > high || text == ">" && value == high {
      return "high"
    }
    return ""
  }
}

extension LabPlan {
  /// Documents that are larger are counted as unreadable: no single result is.
  public static let largestDocument = 1 << 20

  /// The results in a document; `nil` if it cannot be read.
  ///
  /// It is FHIR DSTU2 or R4: an Observation, or a resource that contains some. Results that were
  /// entered in error or cancelled are left out, and so are observations that are not of a
  /// laboratory, where the document says of what they are.
  static func results(
    in record: ClinicalRecords.Row, zones: ZoneTimeline
  ) -> [LabResult]? {
    guard record.resource.count <= largestDocument else { return nil }
    guard !record.resource.isEmpty else { return [] }
    guard let resource = try? JSONDecoder().decode(FHIRResource.self, from: Data(record.resource))
    else { return nil }
    return resource.results.map { found in
      var result = found.result
      result.source = record.source.name
      result.date = FHIRResource.instant(of: found.dates, in: zones) ?? record.received
      return result
    }
  }

  /// Answers from documents.
  ///
  /// The columns are `name`, `value`, `text`, `unit`, `low`, `high`, `range`, `flag`, `category`,
  /// `code` and `source`.
  ///
  /// - Throws: `QueryError` for an invalid period
  public func answer(_ records: [ClinicalRecords.Row]) throws(QueryError) -> ElementColumns {
    let range = try ElementPeriod(timeZone: period.timeZone, from: period.from, to: period.to)
      .range()
    var unreadable = 0
    var results: [LabResult] = []
    for record in records {
      if let found = Self.results(in: record, zones: period.timeZone) {
        results += found
      } else {
        unreadable += 1
      }
    }
    let wanted = name?.lowercased()
    results = results.filter { result in
      range.contains(result.date)
        && (wanted.map { wanted in
          result.name.lowercased().contains(wanted) || result.code.lowercased() == wanted
        } ?? true)
    }
    results.sort { ($0.date, $0.name, $0.code) < ($1.date, $1.name, $1.code) }
    var answer = ElementColumns(
      "labResults", rows: .elements, in: period.timeZone, starts: results.map(\.date),
      ends: results.map(\.date))
    answer.add("name", .texts(results.map(\.name)))
    answer.add("value", .numbers(results.map(\.value)))
    answer.add("text", .texts(results.map(\.text)))
    answer.add("unit", .texts(results.map(\.unit)))
    answer.add("low", .numbers(results.map(\.low)))
    answer.add("high", .numbers(results.map(\.high)))
    answer.add("range", .texts(results.map(\.range)))
    answer.add("flag", .texts(results.map(\.flag)))
    answer.add("category", .texts(results.map(\.category)))
    answer.add("code", .texts(results.map(\.code)))
    answer.add("source", .texts(results.map(\.source)))
    answer.unreadable = unreadable
    return answer
  }
}

extension SampleStore {
  /// Answers a question about lab results.
  ///
  /// - Throws: `QueryError`, with `QueryError.Reason.store` for errors of the store
  /// - Complexity: O(*n*) for all documents, since the date of a result is inside
  public func labResults(_ plan: LabPlan) throws(QueryError) -> ElementColumns {
    var records: [ClinicalRecords.Row] = []
    try each(of: .clinicalRecord, in: -.infinity ..< .infinity) { batch in
      if case .clinicalRecords(let columns) = batch { records += columns.rows }
    }
    return try plan.answer(records)
  }
}
