public import HealthImport
public import HealthSamples
public import HealthStore

/// The result of an import: counts by type, and skipped items with reasons.
///
/// It contains counts, names and units, never a measured value.
public struct ImportResult: Sendable, Hashable {
  /// The path of the export.
  public let path: String
  /// The program that wrote it.
  public let format: ImportFormat
  /// The counts of the reader: files that were not read, unknown elements, where the text was
  /// truncated.
  public let summary: ExportSummary
  /// The counts of the store.
  public let report: ImportSummary
  /// The other exports of a folder or an archive whose files tell one time differently.
  ///
  /// Each is an import of its own, as if it were named alone, in the order in which they end.
  /// ``path``, ``format``, ``summary`` and ``report`` are those of the first export; what is counted
  /// below counts all of them.
  public package(set) var others: [ImportResult] = []

  package init(
    path: String, format: ImportFormat, summary: ExportSummary, report: ImportSummary
  ) {
    self.path = path
    self.format = format
    self.summary = summary
    self.report = report
  }

  /// Records by the identifier of their type.
  public var types: [String: ImportCounts] {
    Self.added(each.map { Self.joined($0.summary.types, $0.report.types) })
  }

  /// Elements such as workouts, by kind.
  public var elements: [ElementKind: ImportCounts] {
    Self.added(each.map { Self.joined($0.summary.elements, $0.report.elements) })
  }

  /// The counts of all records.
  public var total: ImportCounts {
    types.values.reduce(into: ImportCounts()) { $0 += $1 }
  }

  /// The skipped items of each type and kind, by reason.
  public var skipped: [String: [SkipReason: Int]] {
    let counts = each.flatMap { result in
      Array(result.summary.types)
        + result.summary.elements.map { (key: $0.key.rawValue, value: $0.value) }
    }
    return counts.reduce(into: [:]) { skipped, named in
      let (name, count) = named
      if !count.skipped.isEmpty {
        skipped[name, default: [:]].merge(count.skipped) { $0.adding($1) }
      }
    }
  }

  /// Other files than the text that were not read, each once, up to a limit.
  public var unreadFiles: [UnreadFile] { each.flatMap(\.summary.unreadFiles) }

  /// The exports one by one.
  package var each: [ImportResult] {
    var first = self
    first.others = []
    return [first] + others
  }

  private static func added<Name: Hashable>(
    _ counts: [[Name: ImportCounts]]
  ) -> [Name: ImportCounts] {
    counts.reduce(into: [:]) { sums, counts in
      for (name, count) in counts { sums[name, default: ImportCounts()] += count }
    }
  }

  private static func joined<Name: Hashable>(
    _ seen: [Name: TypeCount], _ stored: [Name: ImportSummary.Counts]
  ) -> [Name: ImportCounts] {
    Set(seen.keys).union(stored.keys).reduce(into: [:]) {
      $0[$1] = ImportCounts(seen[$1], stored[$1])
    }
  }
}

/// The progress of an import.
public struct ImportProgress: Sendable, Hashable {
  /// What an import does.
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// It reads the export, and packs what it reads.
    case reading
    /// It compares with the store, and commits.
    case storing
  }

  /// What is done now.
  public let phase: Phase
  /// The program that wrote the export.
  public let format: ImportFormat
  /// The number of bytes read.
  public let bytesRead: Int
  /// The size of the data in bytes; 0 when unknown, as for a pipe.
  public let byteCount: Int
  /// The number of samples read.
  public let sampleCount: Int

  package init(
    phase: Phase, format: ImportFormat, bytesRead: Int, byteCount: Int, sampleCount: Int
  ) {
    (self.phase, self.format, self.bytesRead) = (phase, format, bytesRead)
    (self.byteCount, self.sampleCount) = (byteCount, sampleCount)
  }

  /// The share that has been read, from 0 to 1; `nil` when the size is unknown.
  public var fraction: Double? {
    byteCount > 0 ? min(1, Double(bytesRead) / Double(byteCount)) : nil
  }
}
