package import HealthQuery
public import HealthSamples
package import HealthStore

/// A named part of a store: the samples of a type, or elements of a kind.
public enum StoredSelection: Sendable, Hashable {
  /// Quantities or categories of one type.
  case samples(SampleType)
  /// Elements, all of a kind or of one type: blood pressures are correlations.
  case elements(ElementKind, type: String?)
}

extension ElementKind {
  /// The name of one element in objects, after HealthKit's names.
  package var word: String {
    switch self {
    case .workout: "workout"
    case .route: "workoutRoute"
    case .correlation: "correlation"
    case .activitySummary: "activitySummary"
    case .beatList: "heartbeatSeries"
    case .electrocardiogram: "electrocardiogram"
    case .audiogram: "audiogram"
    case .visionPrescription: "visionPrescription"
    case .clinicalRecord: "clinicalRecord"
    case .characteristics: "characteristic"
    case .savedObject: "savedObject"
    }
  }

  /// Other common names.
  private var otherWords: [String] {
    switch self {
    case .route: ["route"]
    case .activitySummary: ["ring", "summary", "summaries", "activitySummaries"]
    case .beatList: ["heartbeat", "beat"]
    case .electrocardiogram: ["ecg", "ekg"]
    case .visionPrescription: ["prescription"]
    case .characteristics: ["me"]
    default: []
    }
  }

  /// Every kind by each of its names.
  fileprivate static let named: [String: ElementKind] = {
    let pairs = allCases.flatMap { kind in
      ([kind.word] + kind.otherWords).map(\.nameKey).flatMap { [($0, kind), ($0 + "s", kind)] }
    }
    return Dictionary(pairs) { first, _ in first }
  }()

  /// Every type within a kind by its identifier and by the name after its prefix.
  fileprivate static let typesWithin: [String: (kind: ElementKind, type: String)] = {
    let correlations = Catalogue.correlationTypes.map {
      (ElementKind.correlation, $0.identifier.rawValue, "HKCorrelationTypeIdentifier")
    }
    let prefix = "HKClinicalTypeIdentifier"
    let documents = Catalogue.otherTypes.compactMap(\.identifier).filter { $0.hasPrefix(prefix) }
      .map { (ElementKind.clinicalRecord, $0, prefix) }
    let resources = ClinicalRecords.typesOfResources.map {
      (ElementKind.clinicalRecord, $0.resource, "")
    }
    let pairs = (correlations + documents + resources).flatMap { kind, type, prefix in
      [type, String(type.dropFirst(prefix.count))].map { ($0.nameKey, (kind, type)) }
    }
    return Dictionary(pairs) { first, _ in first }
  }()
}

extension StoredSelection {
  /// The names of all kinds of elements, for messages.
  package static let kinds = ElementKind.allCases.map(\.word).joined(separator: ", ")

  /// The selection of a name such as `steps`, `workouts` or `bloodPressure`.
  ///
  /// - Parameters:
  ///   - name: a name in any style of capitals
  ///   - others: types that the catalogue does not have, such as those of a store
  /// - Throws: `CatalogueError` with similar names
  public init(named name: String, besides others: [SampleType] = []) throws(CatalogueError) {
    let key = name.nameKey
    if let kind = ElementKind.named[key] {
      self = .elements(kind, type: nil)
    } else if let found = ElementKind.typesWithin[key] {
      self = .elements(found.kind, type: found.type)
    } else {
      do throws(CatalogueError) {
        self = .samples(try Catalogue.type(named: name, besides: others))
      } catch {
        let words = ElementKind.named.keys.sorted { ($0.count, $0) < ($1.count, $1) }
        let kinds = NearNames.of(name, among: ElementKind.allCases.map(\.word) + words)
        throw CatalogueError(
          name: name, suggestions: Array((kinds + error.suggestions).prefix(3)))
      }
    }
  }

  /// The kind of elements; `nil` for samples.
  package var kind: ElementKind? {
    if case .elements(let kind, _) = self { kind } else { nil }
  }

  /// Whether only one type within a kind is selected.
  package var isOneType: Bool {
    if case .elements(_, .some) = self { true } else { false }
  }

  /// All contents of a store: its samples by type, then its elements by kind.
  package static func all(in store: SampleStore) throws(StoreError) -> [StoredSelection] {
    let counts = try store.elementCounts()
    return try store.types().map { .samples($0.type) }
      + ElementKind.allCases.filter { counts[$0, default: 0] > 0 }
      .map { .elements($0, type: nil) }
  }
}

extension ImportBatch {
  /// Whether it has an element of a type within its kind.
  private func isOf(type: String) -> Bool {
    switch self {
    case .correlations(let columns): columns.rows.contains { $0.type == type }
    case .clinicalRecords(let columns):
      columns.rows.contains { $0.type == type || $0.typeIdentifier == type }
    default: false
    }
  }

  /// Whether it is selected by type and period.
  package func isWanted(type: String?, in period: StoredPeriod) -> Bool {
    guard type.map(isOf) ?? true else { return false }
    guard case .activitySummaries(let columns) = self else { return true }
    return columns.rows.contains { period.days.contains($0.day) }
  }
}

extension ElementKind {
  /// Whether elements have no instant, as days and characteristics.
  fileprivate var isTimeless: Bool { self == .activitySummary || self == .characteristics }
}

extension ElementReader {
  /// Begins to read the elements that may be in a period; see ``ImportBatch/isWanted(type:in:)``.
  package convenience init(
    of kind: ElementKind, in period: StoredPeriod, isNewestFirst: Bool,
    from snapshot: StoreSnapshot
  ) throws(StoreError) {
    try self.init(
      of: kind, in: kind.isTimeless ? nil : period.range, isNewestFirst: isNewestFirst,
      from: snapshot)
  }
}

/// The selected period.
package struct StoredPeriod {
  /// Instants, in seconds since 2001-01-01 UTC.
  package let range: Range<Double>
  package let zones: ZoneTimeline

  package init(range: Range<Double>, zones: ZoneTimeline) {
    self.range = range
    self.zones = zones
  }

  /// The local dates, as days since 2001-01-01; a partly covered day is included.
  package var days: ClosedRange<Int> {
    let first =
      range.lowerBound.isFinite
      ? LocalTime(range.lowerBound, in: zones).date.dayNumber : Int.min
    let last =
      range.upperBound.isFinite
      ? LocalTime(range.upperBound.nextDown, in: zones).date.dayNumber : Int.max
    return first...max(first, last)
  }
}

extension SampleStore {
  /// Visits the elements of a selection in order of time.
  package func forEachElement(
    of kind: ElementKind, type: String?, in period: StoredPeriod, isNewestFirst: Bool = false,
    _ body: (ImportBatch) throws -> Bool
  ) throws {
    try forEachElement(
      of: kind, in: kind.isTimeless ? nil : period.range, isNewestFirst: isNewestFirst
    ) { batch in
      try batch.isWanted(type: type, in: period) ? body(batch) : true
    }
  }
}

extension String {
  /// The text in lower case, with letters and digits only.
  fileprivate var nameKey: String { lowercased().filter { $0.isLetter || $0.isNumber } }
}
