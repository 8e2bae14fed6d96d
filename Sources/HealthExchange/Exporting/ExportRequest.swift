public import Foundation
public import HealthMerge
public import HealthQuery
package import HealthSamples
package import HealthStore

/// What leaves a store, and in which form.
public struct ExportRequest: Sendable {
  /// The form.
  public var format: ExportFormat
  /// What leaves; `nil` for everything that the form can hold.
  public var selections: [StoredSelection]?
  /// When it was, in seconds since 2001-01-01 UTC: what ends at or after the lower bound and starts
  /// before the upper one.
  public var range: Range<Double> = -.infinity ..< .infinity
  /// The zones of dates.
  public var zones: ZoneTimeline
  /// The unit of quantities, as people write it; `nil` for that in which each was recorded.
  public var unit: String?
  /// When given, only the quantities that count where sources overlap, in the canonical unit.
  public var merging: MergePolicy?
  /// Names of sources that rank above all others, the highest first, when merging.
  public var preferredSources: [String] = []
  /// Whether comma-separated texts that a spreadsheet would run as a formula get an apostrophe.
  public var isSafeForSpreadsheets = false

  /// Makes a request for all that a store has of some things, or of everything.
  public init(
    format: ExportFormat, selections: [StoredSelection]? = nil,
    zones: ZoneTimeline = ZoneTimeline(.gmt)
  ) {
    self.format = format
    self.selections = selections
    self.zones = zones
  }
}

extension ExportRequest {
  /// What leaves a store, each once, and kinds of elements that were not asked for by name and that
  /// the form leaves out.
  ///
  /// - Parameters:
  ///   - store: the store
  ///   - destination: where it goes; `nil` for a writer that takes everything
  /// - Returns: what leaves, and what is left out
  /// - Throws: ``OutputError`` when what was asked for does not fit the form or the destination
  package func resolved(
    in store: SampleStore, to destination: ExportDestination?
  ) throws(OutputError) -> (selections: [StoredSelection], leftOut: [ElementKind]) {
    var isOneTable = format == .csv && destination != nil
    if case .folder = destination { isOneTable = false }
    let isOfRoutes = format.isOfRoutes && destination != nil
    var chosen = selections ?? []
    var leftOut: [ElementKind] = []
    if selections == nil {
      do throws(StoreError) {
        chosen = try StoredSelection.all(in: store)
      } catch {
        throw OutputError(.store(error))
      }
      if isOfRoutes { chosen = [.elements(.route, type: nil)] }
      if merging != nil || isOneTable {
        leftOut = merging == nil ? chosen.compactMap(\.kind) : []
        chosen = chosen.filter { $0.kind == nil }
      }
    }
    if isOfRoutes, chosen.contains(where: { $0.kind != .route }) {
      throw OutputError(.routesOnly(format))
    }
    if isOneTable, Set(chosen.map(\.kind)).count > 1 { throw OutputError(.severalKinds) }
    if merging != nil, chosen.contains(where: { $0.kind != nil }) {
      throw OutputError(.notMergeable)
    }
    var seen: Set<StoredSelection> = []
    let distinct = chosen.filter { selection in
      let isPart = selection.kind.map { chosen.contains(.elements($0, type: nil)) } ?? false
      return seen.insert(selection).inserted && !(isPart && selection.isOneType)
    }
    return (distinct, leftOut)
  }

  /// What writes the form: the registry of writers.
  ///
  /// - Parameters:
  ///   - destination: where it goes
  ///   - chosen: what leaves
  ///   - panelMembers: records that leave as parts of a panel, for FHIR
  /// - Returns: a writer that has not begun
  /// - Throws: ``OutputError`` when the file cannot be made, or the form has no such destination
  func writer(
    to destination: ExportDestination, of chosen: [StoredSelection],
    panelMembers: Set<RecordLink>
  ) throws(OutputError) -> any ExportWriter {
    switch (format, destination) {
    case (.csv, .folder(let path, let replacing)):
      return try CommaSeparatedFolder(
        path: path, replacing: replacing, csv: CommaSeparated(isSafe: isSafeForSpreadsheets),
        zone: zones)
    case (.sqlite, .file(let path, let replacing)):
      return try TableExport(path: path, replacing: replacing, zone: zones)
    case (.sqlite, _), (_, .folder):
      throw OutputError(.destinationDoesNotFit(format), path: destination.path)
    default: break
    }
    let output = try output(to: destination)
    switch format {
    case .csv:
      let tables = chosen.compactMap(\.kind).map(OutputTable.table)
      return CommaSeparatedExport(
        to: output, of: chosen.count == tables.count ? tables.first : nil, in: zones)
    case .json: return JSONArrayExport(to: output, in: zones)
    case .ndjson: return JSONLinesExport(to: output, in: zones)
    case .fhir, .fhirLines:
      return FHIRExport(
        to: output, in: zones, isBundle: format == .fhir, panelMembers: panelMembers)
    case .gpx: return GPXExport(to: output, in: zones)
    case .geojson: return GeoJSONExport(to: output, in: zones)
    case .sqlite: throw OutputError(.destinationDoesNotFit(format), path: destination.path)
    }
  }

  /// One text.
  private func output(to destination: ExportDestination) throws(OutputError) -> TextOutput {
    switch destination {
    case .file(let path, let replacing), .folder(let path, let replacing):
      try TextOutput(
        path: path, replacing: replacing, csv: CommaSeparated(isSafe: isSafeForSpreadsheets))
    case .stream(let handle): TextOutput(handle, isSafeForSpreadsheets: isSafeForSpreadsheets)
    }
  }
}
