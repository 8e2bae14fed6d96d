// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of hkstats.h.

public import CHKStats
import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthStore

// The functions of hkstats.h, against which the compiler checks each.

enum Handle {
  static let stores = Handles<SampleStore>("store")
  static let tables = Handles<Table>("table")
  static let conversions = Handles<Conversion>("conversion")
}

// MARK: - The library

/// The version of the interface; see hkstats.h, as for all functions of this file.
@c @implementation public func hkstats_abi_version() -> Int32 { Int32(HKSTATS_ABI_VERSION) }

/// The version of the library.
@c @implementation public func hkstats_version() -> UnsafePointer<CChar>? { versionText }

private nonisolated(unsafe) let versionText = UnsafePointer<CChar>(strdup(EngineVersion.text))

/// Frees a text that a function gave.
@c @implementation public func hkstats_free(_ text: UnsafeMutablePointer<CChar>?) { free(text) }

/// How many handles, streams, schemas and arrays are alive.
@c @implementation public func hkstats_live_objects() -> Int64 { Int64(LiveObjects.number) }

/// An empty stream for a capsule of Python.
@c @implementation public func hkstats_stream_allocate() -> UnsafeMutablePointer<ArrowArrayStream>?
{
  calloc(1, MemoryLayout<ArrowArrayStream>.size)?
    .bindMemory(to: ArrowArrayStream.self, capacity: 1)
}

/// An empty schema for a capsule of Python.
@c @implementation public func hkstats_schema_allocate() -> UnsafeMutablePointer<ArrowSchema>? {
  calloc(1, MemoryLayout<ArrowSchema>.size)?.bindMemory(to: ArrowSchema.self, capacity: 1)
}

// MARK: - Stores

/// Opens the store at a path.
@c @implementation public func hkstats_store_open(
  _ path: UnsafePointer<CChar>?, _ mode: Int32, _ keyKind: Int32, _ key: UnsafePointer<CChar>?,
  _ store: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  Calls.run(error) {
    let store = try place(store, "store")
    let path = try text(path, "path")
    let access: SampleStore.Mode =
      switch UInt32(bitPattern: mode) {
      case HKSTATS_READ_ONLY.rawValue: .readOnly
      case HKSTATS_READ_WRITE.rawValue: .readWrite
      default: throw CallError.argument("mode", .isUnknown)
      }
    let secret: StoreKey? =
      switch UInt32(bitPattern: keyKind) {
      case HKSTATS_NO_KEY.rawValue: nil
      case HKSTATS_PASSPHRASE.rawValue: .passphrase(try text(key, "key"))
      case HKSTATS_KEY_FILE.rawValue: .keyFile(try text(key, "key"))
      default: throw CallError.argument("key_kind", .isUnknown)
      }
    FileLocks.install()
    store.pointee = Handle.stores.open(try SampleStore(path: path, mode: access, key: secret))
  }
}

/// Makes an empty store that no path leads to.
@c @implementation public func hkstats_store_temporary(
  _ store: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  Calls.run(error) {
    let store = try place(store, "store")
    FileLocks.install()
    store.pointee = Handle.stores.open(try SampleStore.temporary())
  }
}

/// Sets what now is for a store.
@c @implementation public func hkstats_store_set_now(
  _ store: OpaquePointer?, _ now: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  Calls.run(error) {
    let opened = try Handle.stores[store]
    let moment: Now = if now == nil { .system } else { try Now(stated: text(now, "now")) }
    try Handle.stores.replace(store, with: opened.at(moment))
  }
}

/// Closes a store.
@c @implementation public func hkstats_store_close(
  _ store: OpaquePointer?, _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  Calls.run(error) { try Handle.stores.close(store) }
}

/// Imports an export, completely or not at all.
@c @implementation public func hkstats_import(
  _ store: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?,
  _ progress: hkstats_progress?, _ context: UnsafeMutableRawPointer?,
  _ report: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  Calls.run(error) {
    report?.pointee = nil
    guard !ReportingThreads.hasThisOne else { throw CallError.withinProgress }
    let store = try Handle.stores[store]
    let found = try ImportRequest(json: json(options, "options"))
      .run(path: text(path, "path"), into: store, Progress(progress, context))
    if let report { report.pointee = try copied(found) }
  }
}

/// Whether this library's SQLite takes locks of open files.
enum FileLocks {
  /// Locks that another SQLite library in the process cannot drop; the usual ones where the system
  /// has none.
  static func install() { _ = hki_install_file_locks() }
}

/// How an export is imported.
struct ImportRequest {
  enum Member: String, RequestMember {
    case jobs, dryRun, replacing, restoring

    var own: MemberFacts? {
      switch self {
      case .jobs: MemberFacts(.count, "On how many threads the export is read.")
      case .dryRun: MemberFacts(.truth, "Counts, and changes nothing.")
      case .replacing:
        MemberFacts(.truth, "Takes out what earlier exports had and this one has not.")
      case .restoring: MemberFacts(.truth, "Brings back what was deleted.")
      }
    }
  }

  private let jobs: Int
  private let isDryRun: Bool
  private let isReplacing: Bool
  private let isRestoring: Bool

  private static let mostJobs = 1024

  init(json: String) throws {
    let members = try QuestionKeys<Member>(json: json)
    jobs = min(
      try members.count(.jobs) ?? ProcessInfo.processInfo.activeProcessorCount, Self.mostJobs)
    isDryRun = try members.truth(.dryRun)
    isReplacing = try members.truth(.replacing)
    isRestoring = try members.truth(.restoring)
  }

  /// Imports, and gives the counts as `hkstats import --json` does.
  func run(path: String, into store: SampleStore, _ progress: Progress) throws -> String {
    let pipeline = ImportPipeline(
      path: path, jobs: jobs, isDryRun: isDryRun, isReplacing: isReplacing,
      isRestoring: isRestoring)
    var latest = ImportProgress.Phase.reading
    var share = -1.0
    let result = try pipeline.run(
      into: { () throws(StoreError) in store },
      isCancelled: {
        // Asked ten times a second, also while no batch arrives.
        progress.report(latest.rawValue, share)
        return progress.isCancelled
      },
      progress: {
        (latest, share) = ($0.phase, $0.fraction ?? -1)
        progress.report(latest.rawValue, share)
      })
    return try encoded(result)
  }
}

// MARK: - Tables

/// The number of rows of a table.
@c @implementation public func hkstats_table_rows(
  _ table: OpaquePointer?, _ rows: UnsafeMutablePointer<Int64>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  Calls.run(error) {
    guard let rows else { throw CallError.argument("rows", .isNull) }
    rows.pointee = -1
    rows.pointee = Int64(try Handle.tables[table].rowCount ?? -1)
  }
}

/// The name, the rows and the rules of a table as JSON.
@c @implementation public func hkstats_table_info(
  _ table: OpaquePointer?, _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  Calls.run(error) {
    let place = try place(json, "json")
    place.pointee = try copied(try Handle.tables[table].info)
  }
}

/// The schema of a table.
@c @implementation public func hkstats_table_schema(
  _ table: OpaquePointer?, _ schema: UnsafeMutablePointer<ArrowSchema>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  Calls.run(error) {
    guard let schema else { throw CallError.argument("schema", .isNull) }
    try Handle.tables[table].schema.export(to: schema)
  }
}

/// A new stream of all rows of a table.
@c @implementation public func hkstats_table_stream(
  _ table: OpaquePointer?, _ stream: UnsafeMutablePointer<ArrowArrayStream>?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  Calls.run(error) {
    guard let stream else { throw CallError.argument("stream", .isNull) }
    try Handle.tables[table].exportStream(to: stream)
  }
}

/// Closes a table.
@c @implementation public func hkstats_table_close(
  _ table: OpaquePointer?, _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  Calls.run(error) { try Handle.tables.close(table) }
}

/// A value as JSON with its members in one order.
private func encoded(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return String(decoding: try encoder.encode(value), as: UTF8.self)
}
