public import Foundation
public import HealthMerge
public import HealthQuery
package import HealthSamples
package import HealthStore

/// The contents and the format of an export.
public struct ExportRequest: Sendable {
  /// The format.
  public var format: ExportFormat
  /// The contents; `nil` for everything that the format supports.
  public var selections: [StoredSelection]?
  /// The period, in seconds since 2001-01-01 UTC: items that end at or after the lower bound and
  /// start before the upper one.
  public var range: Range<Double> = -.infinity ..< .infinity
  /// The time zones of dates.
  public var zones: ZoneTimeline
  /// The unit of quantities, as people write it; `nil` for the recorded ones.
  public var unit: String?
  /// If set, only the quantities that count where sources overlap, in the canonical unit.
  public var merging: MergePolicy?
  /// Names of sources that rank above all others, the highest first, when merging.
  public var preferredSources: [String] = []
  /// Whether comma-separated texts that a spreadsheet would evaluate as formulas get an apostrophe.
  public var isSafeForSpreadsheets = false
  /// Whether numbers of comma-separated text have decimal commas, and semicolons separate its fields.
  public var hasDecimalCommas = false
  /// The version of the resources of FHIR formats.
  public var fhirVersion = FHIRVersion.r5

  /// Makes a request for some or all contents of a store.
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
  /// The contents of the export, each once, and kinds of elements that were not requested by name
  /// and that the format does not support.
  ///
  /// - Parameters:
  ///   - store: the store
  ///   - destination: the destination; `nil` for a writer that accepts everything
  /// - Returns: the contents, and the omitted kinds
  /// - Throws: ``OutputError`` if the request does not fit the format or the destination
  package func resolved(
    in store: SampleStore, to destination: ExportDestination?
  ) throws(OutputError) -> (selections: [StoredSelection], leftOut: [ElementKind]) {
    if let merging, merging.choosesSourceOfInterval {
      throw OutputError(.policyNeedsIntervals(merging))
    }
    var isOneTable = format.isOfTables && destination != nil
    if case .folder = destination { isOneTable = false }
    let isOfRoutes = format.isOfRoutes && destination != nil
    let isTraining = format == .tcx && destination != nil
    var chosen = selections ?? []
    var leftOut: [ElementKind] = []
    if selections == nil {
      do throws(StoreError) {
        chosen = try StoredSelection.all(in: store)
      } catch {
        throw OutputError(.store(error))
      }
      if isOfRoutes { chosen = [.elements(.route, type: nil)] }
      if isTraining { chosen = [.elements(.workout, type: nil)] }
      if merging != nil || isOneTable {
        leftOut = merging == nil ? chosen.compactMap(\.kind) : []
        chosen = chosen.filter { $0.kind == nil }
      }
    }
    var allowed: Set<ElementKind> = [.route]
    // Each file is of a workout and has its routes.
    if case .folder = destination { allowed.insert(.workout) }
    if isOfRoutes, !chosen.allSatisfy({ $0.kind.map(allowed.contains) ?? false }) {
      throw OutputError(.routesOnly(format))
    }
    if isTraining, chosen.contains(where: { $0.kind != .workout }) {
      throw OutputError(.workoutsOnly(format))
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

  /// The writer of the format: the registry of writers.
  ///
  /// - Parameters:
  ///   - destination: the destination
  ///   - chosen: the contents
  ///   - panelMembers: records that are written as parts of a panel, for FHIR
  /// - Returns: a writer that has not begun
  /// - Throws: ``OutputError`` if the file cannot be created, or the format does not support the
  ///   destination
  func writer(
    to destination: ExportDestination, of chosen: [StoredSelection],
    panelMembers: Set<RecordLink>
  ) throws(OutputError) -> any ExportWriter {
    switch (format, destination) {
    case (.csv, .folder(let path, let replacing)), (.tsv, .folder(let path, let replacing)):
      return try CommaSeparatedFolder(path: path, replacing: replacing, csv: csv, zone: zones)
    case (.fhirLines, .folder(let path, let replacing)):
      return fhirExport(to: try ResourceFolder(path: path, replacing: replacing), panelMembers)
    case (.sqlite, .file(let path, let replacing)):
      return try TableExport(path: path, replacing: replacing, zone: zones)
    case (.sqlite, _), (_, .folder):
      throw OutputError(.destinationDoesNotFit(format), path: destination.path)
    default: break
    }
    let output = try output(to: destination)
    switch format {
    case .csv, .tsv:
      let tables = chosen.compactMap(\.kind).map(OutputTable.table)
      return CommaSeparatedExport(
        to: output, of: chosen.count == tables.count ? tables.first : nil, in: zones)
    case .json: return JSONArrayExport(to: output, in: zones)
    case .ndjson: return JSONLinesExport(to: output, in: zones)
    case .fhir: return fhirExport(to: BundleText(to: output), panelMembers)
    case .fhirLines: return fhirExport(to: ResourceLines(to: output), panelMembers)
    case .gpx: return GPXExport(to: output, in: zones)
    case .geojson: return GeoJSONExport(to: output, in: zones)
    case .sqlite, .tcx:
      throw OutputError(.destinationDoesNotFit(format), path: destination.path)
    }
  }

  /// The writer of FHIR resources.
  private func fhirExport(
    to output: any ResourceOutput, _ panelMembers: Set<RecordLink>
  ) -> FHIRExport {
    FHIRExport(to: output, as: fhirVersion, in: zones, panelMembers: panelMembers)
  }

  /// A single text.
  private func output(to destination: ExportDestination) throws(OutputError) -> TextOutput {
    switch destination {
    case .file(let path, let replacing), .folder(let path, let replacing):
      try TextOutput(path: path, replacing: replacing, csv: csv)
    case .stream(let handle): TextOutput(handle, csv: csv)
    }
  }

  /// How comma-separated text is written.
  private var csv: CommaSeparated {
    CommaSeparated(
      isSafe: isSafeForSpreadsheets, hasTabs: format == .tsv, hasDecimalCommas: hasDecimalCommas)
  }
}
