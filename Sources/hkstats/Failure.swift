import ArgumentParser
import Foundation
import HealthAnswers
import HealthExchange
import HealthImport
import HealthMerge
import HealthQuery
import HealthReport
import HealthSamples
import HealthStatistics
import HealthStore
import HealthUnits

/// An error as a sentence for a person and an exit code for a script.
///
/// The sentences are those of the libraries' errors; here they get the code, and the command-line
/// options that help. No sentence contains a measured value.
struct Failure: Error {
  /// A full sentence that says what happened and, if possible, what to do.
  let message: String
  let exitCode: Code

  /// The exit codes of the contract.
  typealias Code = FailureCode

  init(_ message: String, _ exitCode: Code) {
    self.message = message
    self.exitCode = exitCode
  }

  /// Prints the error, and for arguments that a command refuses what is meant; ends the process.
  static func end(after error: any Error, of arguments: [String]) -> Never {
    // The reader has closed the pipe, as `head` does: end by SIGPIPE like other programs.
    if let error = error as? OutputError, error.reason == .notWritable(errno: EPIPE) {
      signal(SIGPIPE, SIG_DFL)
      raise(SIGPIPE)
    }
    guard let failure = Failure(error, of: arguments) else {
      let code = Program.exitCode(for: error)
      guard code != .success else { Program.show(Program.fullMessage(for: error)) }
      let lines = StandardError.shortened(Program.fullMessage(for: error))
        .split(separator: "\n", omittingEmptySubsequences: false)
      let hint =
        FirstWords.hint(after: arguments, refused: String(lines.first ?? ""))
        .map { ["Hint:  \($0)"] } ?? []
      StandardError.write((lines.map(String.init) + hint).map { $0.printable + "\n" }.joined())
      exit(code.rawValue)
    }
    let hint =
      failure.exitCode == .usage
      ? FirstWords.hint(after: arguments, refused: failure.message) : nil
    StandardError.note(([failure.message] + [hint].compactMap(\.self)).joined(separator: " "))
    // As in shells: 128 plus the number of the signal.
    let isInterrupted = failure.exitCode == .interrupted && Interruption.isRequested
    exit(isInterrupted ? 128 + Interruption.signal : failure.exitCode.rawValue)
  }

  /// The sentence for an error of any module; `nil` if the argument parser has its own.
  ///
  /// - Parameters:
  ///   - error: the error
  ///   - arguments: the arguments that it is about
  init?(_ error: any Error, of arguments: [String] = []) {
    switch error {
    case let error as Failure: self = error
    case let error as ImportError: self.init(error)
    case let error as OutputError: self.init(error)
    case let error as ExportError: self.init(error)
    case let error as StoreError: self.init(error)
    case let error as QueryError: self.init(error)
    case let error as ReportError: self.init(error)
    case let error as CatalogueError: self.init(error, of: arguments)
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

  static func notText(_ name: String, _ text: String) -> Failure {
    Failure(
      "\(name), \"\(text.printable.truncated(to: 80))\", is not UTF-8. Rename the file, or make a "
        + "link to it: ln -s FILE NAME.", .usage)
  }

  static func cutExport(path: String, at offset: Int, isReplacing: Bool = false) -> Failure {
    Failure(
      "\(path.printable) ends too early, at byte \(NumberText.grouped(offset)): what is complete "
        + "before it was read, the rest is missing"
        + (isReplacing ? ", so it replaced nothing" : "") + ". Export again if you can.", .badData)
  }

  static func severalRoots(path: String, count: Int) -> Failure {
    Failure(
      "\(path.printable) holds \(AmountText.count(count, "further export")) after the end of the "
        + "first, which is the only one that was read. Split the file where <HealthData begins again, and import "
        + "each part by itself.", .badData)
  }

  static func unreadableFiles(_ count: Int, first: String, in path: String) -> Failure {
    Failure(
      "\(path.printable): \(AmountText.count(count, "file")) other than the text cannot be read, "
        + "\(count == 1 ? "" : "the first is ")\(first.printable). All else was imported, and what "
        + "the store had of \(count == 1 ? "it" : "them") stays. Export again if you can.", .badData
    )
  }

  /// That there is no store, and how the command does without one.
  static func noStore(
    path: String, without: String = "Or query an export directly with --export."
  ) -> Failure {
    Failure(
      "There is no store at \(path.printable). Make one with: hkstats import export.zip. \(without)",
      .noInput)
  }

  /// That there is no export to report; for the names of types, how these are chosen.
  static func noExport(_ path: String) -> Failure {
    guard UnfinishedFile.kind(of: path) != S_IFLNK else {
      return Failure(
        "\(path.printable.truncated(to: 200)) is a link to a file that does not exist.", .noInput)
    }
    let areTypes = AnalysisTypes.names(path).allSatisfy { name in
      (try? TypeQuestion(name)).map { question in
        question.isOfNights || (try? Catalogue.type(named: question.name)) != nil
      } ?? false
    }
    let advice =
      areTypes
      ? "hkstats report takes an export; of your store: hkstats report --types "
        + path.shellWord.printable
      : DidYouMean.advice(
        NearFiles.of(path),
        else: "hkstats report takes an export of the Health app: a zip, a folder or an xml.")
    return Failure(
      "There is no file \"\(path.printable.truncated(to: 200))\". \(advice)", .noInput)
  }

  /// That the folder is missing in which a file is to be made; `nil` where it is there.
  static func noFolder(of path: String) -> Failure? {
    let typed = TypedPath(path)
    var facts = stat()
    guard stat(typed.place, &facts) != 0, errno == ENOENT else { return nil }
    let folder = String(typed.folder.dropLast())
    return Failure(
      "\(path.printable) cannot be written: there is no folder \(folder.printable). Make it with: "
        + "mkdir -p \(folder.shellWord.printable)", .noInput)
  }

  /// A source without samples, with similar names; `type` if none of a type has that name.
  static func noSource(
    _ name: String, among sources: [Source], of type: SampleType? = nil
  ) -> Failure {
    let place = type.map { " of \(TypeName.short($0.identifier))" } ?? ""
    let near = NearNames.of(
      Source.matchingName(of: name), among: sources.map(\.description))
    let advice = DidYouMean.advice(near, else: "hkstats sources lists them.")
    return Failure(
      "There is no source \"\(name.printable)\"\(place). \(advice)", .usage)
  }

  /// An unknown command.
  static func noCommand(_ name: String, of parents: [String], among known: [String]) -> Failure {
    let near = NearNames.of(name, among: known).map { (parents + [$0]).joined(separator: " ") }
    let advice = DidYouMean.advice(
      near, else: "\(parents.joined(separator: " ")) has: \(known.joined(separator: ", ")).")
    return Failure(
      "There is no command \"\((parents + [name.printable]).joined(separator: " "))\". "
        + advice, .usage)
  }

  fileprivate static func systemText(_ number: Int32) -> String {
    String(cString: strerror(number))
  }
}

// MARK: - Units and names

extension Failure {
  /// An invalid unit on the command line.
  init(_ error: UnitError, in unit: String) {
    let sentence = UnitSentence.text(error).printable
    self.init(
      "\"\(unit.printable)\" is no unit, from byte \(error.offset) on: \(sentence)"
        + (sentence.hasSuffix("?") ? "" : "."), .usage)
  }

  /// A unit that does not fit a type, with those that do.
  init(_ error: UnitError, in unit: String, of type: SampleType) {
    let name = TypeName.short(type.identifier)
    let known = type.everydayUnits.joined(separator: ", ")
    let problem: String
    if case .incompatible = error.reason {
      problem =
        "\(name) is measured in \(type.canonicalUnit?.shortDescription ?? "no unit"), which does "
        + "not convert to \(unit.printable)."
    } else {
      problem = Failure(error, in: unit).message
    }
    self.init(known.isEmpty ? problem : "\(problem) For \(name) give one of: \(known).", .usage)
  }

  /// Two units on the command line that do not convert.
  init(_ error: UnitError, from: String, to: String) {
    self.init(
      "Cannot convert: \(UnitSentence.text(error, from: from, to: to).printable).", .usage)
  }

  /// Two units on the command line that convert for a known substance only.
  static func noSubstance(from: String, to: String) -> Failure {
    Failure(
      "Cannot convert \(from.printable) to \(to.printable): how heavy a mole is depends on the "
        + "substance. Name a type that measures one: --type bloodGlucose.", .usage)
  }

  fileprivate init(_ error: CatalogueError, of arguments: [String] = []) {
    let hint = FirstWords.hint(forType: error.name, in: arguments)
    let isKnown = hint == nil && !error.suggestions.isEmpty
    self.init(
      isKnown
        ? error.description.printable
        : "There is no type \"\(error.name.printable.truncated(to: 80))\". "
          + (hint ?? "hkstats types lists what is there."), .usage)
  }
}

// MARK: - Exports and stores

extension Failure {
  fileprivate init(_ error: OutputError) {
    let code = FailureCode(error)
    let path = error.path ?? ""
    switch error.reason {
    case .alreadyThere:
      self.init(
        "\(path.printable): there is a file already; it was not touched. --force replaces it, and "
          + "--out NAME writes another.", code)
    case .notAFile:
      self.init(
        "\(path.printable) is a device, a pipe or a socket; it was not touched. --out needs the name "
          + "of a file.", code)
    case .isInput:
      self.init(
        "\(path.printable) is the store, or what the export comes from; it was not touched. Give "
          + "another --out.", code)
    case .notWritable(let number) where error.path == nil:
      self.init("Cannot write the results: \(Self.systemText(number)).", code)
    case .notWritable(errno: EISDIR):
      self.init(
        "\(path.printable) names a folder, and --out a file: give a name in it.", code)
    case .notWritable(let number):
      self =
        (number == ENOENT ? Self.noFolder(of: path) : nil)
        ?? Failure("\(path.printable) cannot be written: \(Self.systemText(number)).", code)
    case .destinationDoesNotFit: self.init(error.description.printable, code)
    case .routesOnly(let format):
      self.init("\(format.rawValue) is for routes; leave other names out.", code)
    case .workoutsOnly(let format):
      self.init("\(format.rawValue) is for workouts; leave other names out.", code)
    case .severalKinds:
      self.init(
        "One csv holds one kind, and these are several. Give --out FOLDER for a file each.",
        code)
    case .notMergeable: self.init("--merge is for quantities; leave other kinds out.", code)
    case .policyNeedsIntervals: self.init("\(error) Give another --merge.", code)
    case .noUnit(let type):
      self.init(
        "\(TypeName.short(type.identifier)) has categories, which have no unit; leave --unit out.",
        code)
    case .unitDoesNotFit(let error, let unit, let type): self.init(error, in: unit, of: type)
    case .notConvertible(let error, let from, let to): self.init(error, from: from, to: to)
    case .store(let error): self.init(error)
    case .query(let error): self.init(error)
    case .cancelled: self = .stoppedWriting
    }
  }

  /// A file that was not written, because the user asked to stop.
  private static let stoppedWriting = Failure(
    "Stopped as you asked: no file was written.", .interrupted)

  fileprivate init(_ error: ReportError) {
    switch error.reason {
    case .query(let error): self.init(error)
    case .cancelled: self = .stoppedWriting
    case .tooLarge:
      self.init(
        "There are too many numbers for one page. Give --from, or fewer --types.", .failed)
    }
  }

  fileprivate init(_ error: ImportError) {
    switch error.reason {
    case .reading(let error): self.init(error)
    case .storing(let error): self.init(error)
    case .cancelled: self = .interrupted(path: error.path)
    }
  }

  fileprivate init(_ error: ExportError) {
    var text = error.explanation
    if case .unsupportedPacking(let packing) = error.reason {
      text += ", or hand it over with: \(Self.unpacking(packing)) | hkstats import -"
    }
    let near = error.reason == .notFound && error.entry == nil ? NearFiles.of(error.path) : []
    let advice = near.isEmpty ? "" : " " + DidYouMean.advice(near, else: "")
    self.init(
      "\(error.place.printable): \(text.printable). Nothing was imported from it.\(advice)",
      FailureCode(error))
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
    let help =
      switch error.reason {
      case .diskFull: Self.room(at: error.path)
      case .alreadyThere: " --force replaces it."
      default: ""
      }
    self.init(error.description.printable + help, FailureCode(error))
  }

  /// The free space on the disk of a file, if known.
  private static func room(at path: String) -> String {
    var facts = statvfs()
    guard statvfs(TypedPath(path).place, &facts) == 0 else { return "" }
    if facts.f_files > 0, facts.f_favail == 0 { return " It takes no further file." }
    let (bytes, overflow) = facts.f_bavail.multipliedReportingOverflow(by: facts.f_frsize)
    return overflow ? "" : " \(AmountText.bytes(Int(clamping: bytes))) are free."
  }
}

// MARK: - Questions

extension Failure {
  /// The option of a member: `--by-source` of `bySource`.
  private static func option(_ member: String) -> String {
    "--" + AnswerField.words(of: member).replacing("_", with: "-").printable
  }

  init(_ error: QueryError) {
    let code = FailureCode(error)
    switch error.reason {
    case .store(let error): self.init(error)
    case .merge(let error): self.init(error.description.printable, code)
    case .statistics(let error): self.init(error)
    case .analysis(let error): self.init(error)
    case .memberOfAnother(let member, let analysis):
      self.init("\(analysis) has no \(Self.option(member)): leave it out.", code)
    case .timeline, .tooManyValues: self.init(error.description.printable, code)
    case .wrongMember(let member, let form):
      self.init("\(Self.option(member)) is \(form.rawValue).", code)
    case .missingMember(let member): self.init("Give \(Self.option(member)), too.", code)
    case .membersExclude(let one, let other):
      self.init("Give either \(Self.option(one)) or \(Self.option(other)).", code)
    case .needsOneType(let member):
      self.init("\(Self.option(member)) is about one type's own numbers: leave it out here.", code)
    case .notMerged(let type):
      self.init(
        "--explain says whose samples counted where sources overlap. "
          + "\(TypeName.short(type.identifier)) is not merged: all samples of all sources count. "
          + "--by-source gives each source alone.", code)
    case .intervalsTooShort(let unit):
      self.init("--per \(unit.rawValue) divides \(unit.divided): give a longer --by.", code)
    case .memberDoesNotFit(let member, let type):
      self.init(
        "\(TypeName.short(type.identifier)) has no \(member.printable): leave "
          + "\(Self.option(member)) out.", code)
    case .noRecordedZone:
      self.init(
        "No sample names its time zone. Give one with --timezone, or a list with --timezone-file.",
        code)
    case .unreadableDate(let text, let suggestions):
      let advice = DidYouMean.advice(
        suggestions,
        else: "Give one like 2024-03-09, 2024-03, 2024, 2024-03-09T10:00, now, today, yesterday or "
          + "-30d.")
      self.init("\"\(text.printable.truncated(to: 80))\" is no date. \(advice)", code)
    case .sampleOutOfRange:
      self.init(
        "The store is damaged: a sample lies outside of the years 1 to 9999. Give --from and --to, "
          + "or import again into a new store.", code)
    case .emptyPeriod:
      self.init(
        "--to must come after --from: the end is not included, so one day ends on the next.",
        code)
    case .tooManyIntervals(let limit):
      self.init(
        "That would be more than \(NumberText.grouped(limit)) intervals. Give longer ones, or a "
          + "shorter period with --from and --to.", code)
    case .notAQuantity(let type):
      self.init(
        "\(TypeName.short(type.identifier)) has categories, no numbers; hkstats stats says how "
          + "long and how often each was.", code)
    case .averageDoesNotFit(let type):
      self.init(
        "--per divides sums, and \(TypeName.short(type.identifier)) has means: leave it out.",
        code)
    case .holdDoesNotFit(let allowed, let style):
      self.init(
        "--hold is for temporally weighted means, up to "
          + "\(AmountText.duration(allowed.upperBound)); this one is \(style.rawValue).", code)
    case .gapOutOfRange(let allowed):
      self.init(
        "--gap is at most \(AmountText.duration(allowed.upperBound)): two sleeps further apart "
          + "are two.", code)
    case .notExact(let policy):
      self.init(
        "\(policy.rawValue) takes rounded amounts away from one another, so its sums cannot be "
          + "exact. Leave --exact out, or give another --merge.", code)
    case .unit(let error, let name, let type): self.init(error, in: name, of: type)
    case .condition(let name, .noUnit(let error)): self.init(error, in: name)
    case .condition(_, .noUUID):
      self.init("--where: \(error.description.printable) --uuid shows those of samples.", code)
    case .condition, .unknownWord(.condition, _, _, _):
      self.init("--where: \(error.description.printable)", code)
    case .unknownType(let name, let suggestions):
      self.init(CatalogueError(name: name, suggestions: suggestions))
    case .unknownTimeZone, .dateOutOfRange, .notAMoment, .notACategory, .policyDoesNotFit,
      .unknownWord, .unknownSource, .unknownActivity, .unreadableBound, .notJSON,
      .groupDoesNotFit, .nightsNeedDays, .notOfCategories, .styleDoesNotFit, .incompatibleUnit,
      .tooMuchToExplain:
      self.init(error.description.printable, code)
    }
  }

  private init(_ error: StatisticsError) {
    let code = FailureCode(error)
    switch error.reason {
    case .notExact(.mean, _):
      self.init(
        error.description + " Leave --exact out, or give --style arithmetic or another --stat.",
        code)
    case .notExact:
      self.init(error.description + " Leave --exact out, or give another --stat.", code)
    case .notSharedByTime:
      self.init(error.description.printable + " Leave --exact out.", code)
    case .tooManyExactParts:
      self.init(error.description.printable + " Or leave --exact out.", code)
    case .notAvailable, .needsMerging, .tooManyParts, .holdOutOfRange:
      self.init(error.description.printable, code)
    }
  }

  fileprivate init(_ error: AnalysisError) {
    if case .parameter(let name, let range) = error.reason,
      AnalysisMethod.all.contains(where: { $0.facts.contains { $0.name == name } })
    {
      self = .parameter(name, range: range)
    } else {
      self.init(error.description, .failed)
    }
  }

  /// A parameter of an analysis outside of its range, by the name of its option in JSON.
  static func parameter(_ name: String, range: String) -> Failure {
    Failure("\(option(name)) must be \(range).", .failed)
  }
}
