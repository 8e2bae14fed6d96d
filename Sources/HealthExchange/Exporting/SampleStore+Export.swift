import Foundation
import HealthMerge
import HealthQuery
import HealthSamples
public import HealthStore
import HealthUnits

/// The progress of an export.
public struct ExportProgress: Sendable, Hashable {
  /// The number of samples and elements written so far.
  public let written: Int
  /// The number of requested ones in the store, regardless of the period.
  public let count: Int
}

/// The result of an export.
public struct ExportResult: Sendable, Hashable {
  /// The number of samples and elements passed to the writer.
  public let written: Int
  /// Items that the format does not support, by name, with counts.
  public let leftOut: [String: Int]
}

extension SampleStore {
  /// Exports the contents of a store in another format, in memory that does not grow with them.
  ///
  /// ```swift
  /// try store.export(ExportRequest(format: .sqlite), to: .file(path: "health.db"))
  /// try store.export(
  ///   ExportRequest(format: .csv, selections: [.samples(SampleType(.stepCount))]),
  ///   to: .stream(.standardOutput))
  /// ```
  ///
  /// A file or folder is written completely or not at all. `progress` and `isCancelled` are called
  /// on the calling thread.
  ///
  /// - Parameters:
  ///   - request: the contents and the format
  ///   - destination: the destination
  ///   - progress: called after each batch
  ///   - isCancelled: whether to stop; by default whether the task is cancelled
  /// - Returns: the number of written items, and those that the format does not support
  /// - Throws: `OutputError`; then no file is created or changed
  @discardableResult
  public func export(
    _ request: ExportRequest, to destination: ExportDestination,
    progress: ((ExportProgress) -> Void)? = nil,
    isCancelled: @escaping () -> Bool = { Task.isCancelled }
  ) throws(OutputError) -> ExportResult {
    let chosen = try request.resolved(in: self, to: destination).selections
    try destination.checkApart(from: self)
    if WorkoutExport.isAsked(by: request, to: destination) {
      return try WorkoutExport(
        request: request, store: self, progress: progress, isCancelled: isCancelled
      ).write(to: destination)
    }
    let run = ExportRun(
      request: request, store: self, chosen: chosen, progress: progress, isCancelled: isCancelled)
    let members = request.format.isClinical ? try run.panelMembers() : []
    return try run.write(
      to: try request.writer(to: destination, of: chosen, panelMembers: members))
  }

  /// The same with your own writer; the format of the request is ignored.
  @discardableResult
  public func export(
    _ request: ExportRequest, through writer: any ExportWriter,
    progress: ((ExportProgress) -> Void)? = nil,
    isCancelled: @escaping () -> Bool = { Task.isCancelled }
  ) throws(OutputError) -> ExportResult {
    let chosen = try request.resolved(in: self, to: nil).selections
    let run = ExportRun(
      request: request, store: self, chosen: chosen, progress: progress, isCancelled: isCancelled)
    return try run.write(to: writer)
  }
}

/// A running export.
private final class ExportRun {
  private let request: ExportRequest
  private let store: SampleStore
  private let chosen: [StoredSelection]
  private let progress: ((ExportProgress) -> Void)?
  private let isCancelled: () -> Bool
  private var written = 0
  private var count = 0

  init(
    request: ExportRequest, store: SampleStore, chosen: [StoredSelection],
    progress: ((ExportProgress) -> Void)?, isCancelled: @escaping () -> Bool
  ) {
    self.request = request
    self.store = store
    self.chosen = chosen
    self.progress = progress
    self.isCancelled = isCancelled
  }

  private var period: StoredPeriod { StoredPeriod(range: request.range, zones: request.zones) }

  func write(to writer: any ExportWriter) throws(OutputError) -> ExportResult {
    if progress != nil { try reading { count = try countedRows() } }
    try writer.begin()
    let form = RecordedForm(unitName: request.unit, zone: request.zones)
    for selection in chosen {
      try reading { try write(selection, as: form, to: writer) }
    }
    try writer.end()
    return ExportResult(written: written, leftOut: writer.leftOut)
  }

  /// The records that are only written as parts of blood pressures.
  func panelMembers() throws(OutputError) -> Set<RecordLink> {
    var members: Set<RecordLink> = []
    for case .elements(.correlation, let type) in chosen {
      try reading {
        try store.forEachElement(of: .correlation, type: type, in: period) { batch in
          guard case .correlations(let columns) = batch else { return true }
          for row in columns.rows { members.formUnion(BloodPressure(row)?.members ?? []) }
          return true
        }
      }
    }
    return members
  }

  private func write(
    _ selection: StoredSelection, as form: RecordedForm, to writer: any ExportWriter
  ) throws {
    func give(_ batch: RecordColumns) throws(OutputError) {
      if isCancelled() { throw OutputError(.cancelled) }
      try writer.write(try RecordedBatch(batch, as: form))
      note(batch.count)
    }
    switch selection {
    case .samples(let type):
      if let policy = request.merging, type.canonicalUnit != nil {
        let segments = try store.mergedSamples(
          of: type, in: request.range, policy: policy, preferred: request.preferredSources)
        for index in segments.sources.indices {
          try give(RecordColumns(segments, ofSource: index))
        }
      } else {
        try store.forEachBatch(of: type, in: request.range, give)
      }
    case .elements(let kind, let type):
      try store.forEachElement(of: kind, type: type, in: period) { batch in
        if isCancelled() { throw OutputError(.cancelled) }
        try writer.write(batch)
        note(1)
        return true
      }
    }
  }

  private func note(_ count: Int) {
    written += count
    progress?(ExportProgress(written: written, count: self.count))
  }

  /// The number of requested samples and elements in the store.
  private func countedRows() throws(StoreError) -> Int {
    let types = Dictionary(try store.types().map { ($0.type, $0.count) }) { $0 + $1 }
    let elements = try store.elementCounts()
    return chosen.reduce(0) { sum, selection in
      switch selection {
      case .samples(let type): sum + types[type, default: 0]
      case .elements(let kind, _): sum + elements[kind, default: 0]
      }
    }
  }

  /// Reads the store, and converts its errors.
  private func reading(_ body: () throws -> Void) throws(OutputError) {
    do {
      try body()
    } catch let error as OutputError {
      throw error
    } catch let error as StoreError {
      throw OutputError(.store(error))
    } catch let error as QueryError {
      throw OutputError(.query(error))
    } catch {
      // The store only throws its own errors and those of the body.
      throw OutputError(.notWritable(errno: EIO))
    }
  }
}

extension RecordColumns {
  /// The counted parts of one source, in the canonical unit; without origins and metadata, which
  /// belong to whole samples.
  fileprivate init(_ segments: SegmentColumns, ofSource index: Int) {
    self.init(type: segments.type, source: segments.sources[index])
    let numbers = segments.samples
    let all = (starts: segments.starts, ends: segments.ends, values: segments.values)
    let rows = segments.rows(ofSource: index).filter {
      numbers[$0] != SegmentColumns.masked
    }
    starts = rows.map { all.starts[$0] }
    ends = rows.map { all.ends[$0] }
    values = rows.map { all.values[$0] }
    created = Array(repeating: Self.notRecorded, count: rows.count)
    labels = Array(repeating: 0, count: rows.count)
    origins = Array(repeating: 0, count: rows.count)
    metadata = Array(repeating: 0, count: rows.count)
    copies = Array(repeating: 1, count: rows.count)
    labelTable = [segments.type.canonicalUnit?.description ?? ""]
    originTable = [Origin()]
  }
}
