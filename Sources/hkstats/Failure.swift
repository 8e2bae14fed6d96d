import ArgumentParser
import Foundation
import HealthAnalysis
import HealthExport
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import HealthUnits

/// What went wrong, as a sentence for a person and an exit code for a script.
///
/// The libraries carry cases and data; this is the one place where they become prose. No measured
/// value stands in any sentence.
struct Failure: Error {
  /// A whole sentence that says what happened and, where one can, what to do.
  let message: String
  let exitCode: Code

  /// The exit codes of the contract, as in `sysexits.h`.
  enum Code: Int32 {
    case failed = 1
    case usage = 64
    case badData = 65
    case noInput = 66
    case inputOutput = 74
    case busy = 75
    /// 128 and the number of SIGINT, as shells count.
    case interrupted = 130
  }

  init(_ message: String, _ exitCode: Code) {
    self.message = message
    self.exitCode = exitCode
  }

  /// Says what went wrong and ends the process.
  static func end(after error: any Error) -> Never {
    guard let failure = Failure(error) else { Program.exit(withError: error) }
    StandardError.note(failure.message)
    // Shells count 128 and the number of the signal; a polite kill is not Ctrl-C.
    let isKilled = failure.exitCode == .interrupted && Interruption.signal == SIGTERM
    exit(isKilled ? 128 + SIGTERM : failure.exitCode.rawValue)
  }

  /// The sentence for an error of any module; `nil` for what the argument parser says itself.
  init?(_ error: any Error) {
    switch error {
    case let error as Failure: self = error
    case let error as ExportError: self.init(error)
    case let error as StoreError: self.init(error)
    case let error as QueryError: self.init(error)
    case let error as CatalogueError: self.init(error)
    case let error as AnalysisError: self.init(error)
    default: return nil
    }
  }
}

// MARK: - The program's own

extension Failure {
  static func interrupted(path: String) -> Failure {
    Failure(
      "Stopped as you asked: nothing of \(path.printable) was imported, the store is as it was "
        + "before.", .interrupted)
  }

  static let exportStopped = Failure("Stopped as you asked: no file was written.", .interrupted)

  static func fileExists(path: String) -> Failure {
    Failure(
      "\(path.printable): there is a file already; it was not touched. --force replaces it.",
      .usage)
  }

  static func cannotWrite(path: String, _ number: Int32) -> Failure {
    Failure(
      "\(path.printable) cannot be written: \(systemText(number)).",
      number == ENOENT ? .noInput : .inputOutput)
  }

  static func outputFailed(_ number: Int32) -> Failure {
    Failure("Cannot write the results: \(systemText(number)).", .inputOutput)
  }

  static func cutExport(path: String, at offset: Int) -> Failure {
    Failure(
      "\(path.printable) ends too early, at byte \(NumberText.grouped(offset)): what is complete "
        + "before it was read, the rest is missing. Export again if you can.", .badData)
  }

  static func unreadableFiles(_ count: Int, first: String, in path: String) -> Failure {
    Failure(
      "\(path.printable): \(AmountText.count(count, "file")) beside the text cannot be read, "
        + "\(count == 1 ? "" : "the first is ")\(first.printable). All else was imported, and what "
        + "the store had of \(count == 1 ? "it" : "them") stays. Export again if you can.", .badData
    )
  }

  static func cutReplacement(path: String, at offset: Int) -> Failure {
    Failure(
      "\(path.printable) ends too early, at byte \(NumberText.grouped(offset)), so nobody can say "
        + "what it lacks: nothing was imported or deleted. Import it without --replace, or export "
        + "again.", .badData)
  }

  static func noStore(path: String) -> Failure {
    Failure(
      "There is no store at \(path.printable). Make one with: hkstats import export.zip. Or query "
        + "an export directly with --export.", .noInput)
  }

  fileprivate static func systemText(_ number: Int32) -> String {
    String(cString: strerror(number))
  }
}

// MARK: - Units and names

extension Failure {
  /// A text of the command line that is no unit.
  init(_ error: UnitError, in unit: String) {
    self.init(
      "\"\(unit.printable)\" is no unit, from byte \(error.offset) on: "
        + "\(UnitSentence.text(error, in: unit).printable).", .usage)
  }

  /// Two units of the command line that do not convert.
  init(_ error: UnitError, from: String, to: String) {
    self.init(
      "Cannot convert: \(UnitSentence.text(error, from: from, to: to).printable).", .usage)
  }

  fileprivate init(_ error: CatalogueError) {
    let suggestions = error.suggestions.joined(separator: ", ")
    let advice =
      suggestions.isEmpty ? "hkstats types lists what is there." : "Did you mean: \(suggestions)?"
    self.init("There is no type \"\(error.name.printable.truncated(to: 80))\". \(advice)", .usage)
  }
}

// MARK: - Exports and stores

extension Failure {
  fileprivate init(_ error: ExportError) {
    let place = error.entry.map { "\(error.path): \($0)" } ?? error.path
    let byte = error.offset.map { " at byte \(NumberText.grouped($0))" } ?? ""
    let (text, code): (String, Code) =
      switch error.reason {
      case .notFound: ("there is no such file", .noInput)
      case .notReadable(let number): ("cannot be read (\(Self.systemText(number)))", .noInput)
      case .notAFile: ("is neither a file nor a folder nor a pipe", .noInput)
      case .notSeekable:
        (
          "this kind of file cannot be read through a pipe, only an xml can; save it and give its "
            + "name", .badData
        )
      case .empty: ("is empty", .badData)
      case .notAnExport:
        ("is not an export of the Health app: neither a zip nor an xml with HealthData", .badData)
      case .noExportInside:
        ("holds no export of the Health app: no xml file in it has HealthData", .badData)
      case .truncatedArchive:
        ("is a zip without its end: it was cut while it was copied; copy it again", .badData)
      case .damagedArchive: ("is damaged\(byte)", .badData)
      case .unsupportedCompression(let method):
        ("is compressed in a way this program does not read (method \(method))", .badData)
      case .unsupportedPacking(let packing):
        (
          "is packed with \(Self.name(of: packing)), which this program does not read; unpack it, "
            + "or hand it over with: \(Self.unpacking(packing)) | hkstats import -", .badData
        )
      case .checksumMismatch: ("is damaged: its checksum does not match", .badData)
      case .tooLarge(let limit):
        ("unpacks to more than \(AmountText.bytes(limit)), which no export does", .badData)
      }
    let isFull = [ExportError.Reason.notReadable(errno: ENOSPC), .notReadable(errno: EFBIG)]
      .contains(error.reason)
    self.init(
      "\(place.printable): \(text). Nothing was imported from it.", isFull ? .inputOutput : code)
  }

  private static func name(of packing: ExportError.Packing) -> String {
    switch packing {
    case .bzip2: "bzip2"
    case .lz4: "lz4"
    case .rar: "RAR"
    case .sevenZip: "7-Zip"
    case .xz: "xz"
    case .zstandard: "Zstandard"
    }
  }

  private static func unpacking(_ packing: ExportError.Packing) -> String {
    switch packing {
    case .bzip2: "bzip2 -dc FILE"
    case .lz4: "lz4 -dc FILE"
    case .rar: "unrar p -inul FILE"
    case .sevenZip: "7z x -so FILE"
    case .xz: "xz -dc FILE"
    case .zstandard: "zstd -dc FILE"
    }
  }

  fileprivate init(_ error: StoreError) {
    let place = error.path.isEmpty ? "the temporary store" : error.path
    let segment = error.segment.map { " (segment \($0))" } ?? ""
    let (text, code): (String, Code) =
      switch error.reason {
      case .notFound: ("there is no such store", .noInput)
      case .notAStore: ("this file is not a store of hkstats; it was not touched", .badData)
      case .newerSchema: ("a newer version of hkstats made this store; update hkstats", .badData)
      case .busy: ("another process is using the store; try again when it is done", .busy)
      case .readOnly: ("the store may not be written", .inputOutput)
      case .alreadyThere:
        ("there is a file already; it was not touched. --force replaces it", .usage)
      case .diskFull: ("the disk is full; the store is as it was before", .inputOutput)
      case .permissionDenied: ("permission denied", .inputOutput)
      case .damaged: ("the store is damaged\(segment)", .badData)
      case .unknownUnit(let unit):
        ("the store has values in \"\(unit)\", a unit this version does not know", .badData)
      case .invalidBatch, .sessionEnded: ("the import did not go as planned", .failed)
      case .inputOutput: ("reading or writing failed (code \(error.code))", .inputOutput)
      }
    let room = error.reason == .diskFull ? Self.room(at: error.path) : ""
    self.init("\(place.printable): \(text.printable)\(room).", code)
  }

  /// How much room there is on the disk of a file, if the system tells.
  private static func room(at path: String) -> String {
    var facts = statvfs()
    let folder = (path as NSString).deletingLastPathComponent
    guard statvfs(folder.isEmpty ? "." : folder, &facts) == 0 else { return "" }
    let (bytes, overflow) = facts.f_bavail.multipliedReportingOverflow(by: facts.f_frsize)
    return overflow ? "" : " (\(AmountText.bytes(Int(clamping: bytes))) are free)"
  }
}

// MARK: - Questions

extension Failure {
  fileprivate init(_ error: QueryError) {
    switch error.reason {
    case .unknownTimeZone(let name, let suggestions):
      self.init(Self.unknownTimeZone(name, suggestions), .usage)
    case .timeline(let line, let problem):
      self.init("Line \(line) of the list of zones: \(Self.sentence(problem))", .badData)
    case .noRecordedZone:
      self.init(
        "No sample names its time zone. Give one with --timezone, or a list with --timezone-file.",
        .failed)
    case .unreadableDate(let text):
      self.init(
        "\"\(text.printable)\" is no date. Give one like 2024-03-09, 2024-03-09T10:00, today, "
          + "yesterday or -30d.", .usage)
    case .dateOutOfRange:
      self.init("A date lies outside of the years 1 to 9999.", .usage)
    case .sampleOutOfRange:
      self.init(
        "The store is damaged: a sample lies outside of the years 1 to 9999. Give --from and --to, "
          + "or import again into a new store.", .badData)
    case .emptyPeriod:
      self.init("--to must come after --from.", .usage)
    case .tooManyIntervals(let limit):
      self.init(
        "That would be more than \(NumberText.grouped(limit)) intervals. Give longer ones, or a "
          + "shorter period with --from and --to.", .usage)
    case .notAQuantity(let type):
      self.init(
        "\(TypeName.short(type.identifier)) has categories, no numbers; hkstats stats says how "
          + "long and how often each was.", .usage)
    case .notACategory(let type):
      self.init("\(TypeName.short(type.identifier)) has no categories.", .usage)
    case .policyDoesNotFit(let policy, let type):
      self.init(
        "\(policy.rawValue) merges amounts; \(TypeName.short(type.identifier)) has categories, "
          + "which take hk or none.", .usage)
    case .tooManyValues(let limit):
      self.init(
        "The type has more than \(limit) different values, which no list of categories has.",
        .badData)
    case .styleDoesNotFit(let style, let type):
      self.init(
        "\(style.meanMethod?.rawValue ?? style.rawValue) does not fit "
          + "\(TypeName.short(type.identifier)), which is \(type.style?.rawValue ?? "no quantity").",
        .usage)
    case .holdDoesNotFit(let allowed, let style):
      self.init(
        "--hold is for temporally weighted means, up to "
          + "\(AmountText.duration(allowed.upperBound)); this one is \(style.rawValue).", .usage)
    case .gapOutOfRange(let allowed):
      self.init(
        "--gap is at most \(AmountText.duration(allowed.upperBound)): two sleeps further apart "
          + "are two.", .usage)
    case .incompatibleUnit(let unit, let canonical):
      self.init(
        "The type is measured in \(canonical), which does not convert to \(unit).", .usage)
    case .notExact(let policy):
      self.init(
        "\(policy.rawValue) takes rounded amounts away from one another, so its sums cannot be "
          + "exact. Leave --exact out, or give another --merge.", .usage)
    case .tooMuchToExplain:
      self.init(
        "There are too many sources, samples and intervals to say who masked what. Give a shorter "
          + "period or longer intervals.", .usage)
    case .merge(let error): self.init(error)
    case .store(let error): self.init(error)
    case .statistics(let error): self.init(error)
    }
  }

  private static func unknownTimeZone(_ name: String, _ suggestions: [String]) -> String {
    let advice =
      suggestions.isEmpty
      ? "Give one like Europe/Paris." : "Did you mean: \(suggestions.joined(separator: ", "))?"
    return "There is no time zone \"\(name.printable.truncated(to: 80))\". \(advice)"
  }

  private static func sentence(_ problem: QueryError.TimelineProblem) -> String {
    switch problem {
    case .unknownTimeZone(let name, let suggestions): unknownTimeZone(name, suggestions)
    case .unreadableDate(let text):
      "\"\(text.printable.truncated(to: 80))\" is no date. Write a date like 2024-06-10 or "
        + "2024-06-10T14:05 before the zone."
    case .missingDate: "only the first zone can do without a date."
    case .notAscending: "its moment is not after that of the line before; put the earliest first."
    case .noZone: "no zone stands in it. Write one a line, such as 2024-06-10T14:05 Asia/Tokyo."
    }
  }

  private init(_ error: MergeError) {
    switch error.reason {
    case .tooManySegments:
      self.init(
        "The samples of \(error.source.description.printable) overlap so often that merging has no "
          + "end worth waiting for. Ask for a shorter period.", .failed)
    }
  }

  private init(_ error: StatisticsError) {
    let name = TypeName.short(error.type.identifier)
    switch error.reason {
    case .notAvailable(let statistic, let style):
      let known = style.map { style in
        Statistic.named.filter { $0.isAvailable(for: style) }.map(\.rawValue)
          + (Statistic.median.isAvailable(for: style) ? ["p0 to p100"] : [])
      }
      self.init(
        "\(statistic.rawValue) does not fit \(name), which is \(style?.rawValue ?? "no quantity"); "
          + "it has: \((known ?? []).joined(separator: ", ")).", .usage)
    case .notExact(let statistic, let style):
      let known = Statistic.named.filter { $0.isExactlyAvailable(for: style) }.map(\.rawValue)
      let other =
        statistic == .mean
        ? "Leave --exact out, or give --style arithmetic or another --stat"
        : "Leave --exact out, or give another --stat"
      self.init(
        "The \(statistic.rawValue) of \(name), which is \(style.rawValue), cannot be correctly "
          + "rounded; --exact has: \(known.joined(separator: ", ")). \(other).", .usage)
    case .tooManyParts:
      self.init(
        "Long samples of \(name) meet too many short intervals. Give longer ones, or a shorter "
          + "period.", .usage)
    }
  }

  fileprivate init(_ error: AnalysisError) {
    switch error.reason {
    case .tooFewPoints(let count, let needed):
      self.init(
        "A trend needs at least \(needed) intervals with data; here \(count == 1 ? "is" : "are") "
          + "\(count). Give shorter intervals or a longer period.", .failed)
    case .singular:
      self.init("All points lie at one moment: any line fits.", .failed)
    case .notFinite, .overflow:
      self.init("The values are too large for a trend.", .failed)
    case .lengthsDiffer, .tooManyPoints, .confidenceOutOfRange, .outOfMemory:
      self.init("The trend could not be computed.", .failed)
    }
  }
}
