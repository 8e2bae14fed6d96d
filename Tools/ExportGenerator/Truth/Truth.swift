import Foundation

/// What an export holds, counted while writing it by code that knows nothing of any engine.
struct Truth: Encodable {
  /// How much is worth counting.
  enum Detail {
    /// Elements and bytes.
    case counts
    /// Every type on every day too.
    case days
  }

  /// Records of one type.
  struct Records: Encodable {
    /// Lines at top level, copies included.
    var records = 0
    var copies = 0
    var userEntered = 0
    /// Records that stand inside a correlation or a workout alone.
    var nestedOnly = 0
    /// Metadata entries of all measurements, copies left out; of iOS 8 the attributes in their
    /// place.
    var metadata = 0
    /// The unit of the type's numbers in this file, escapes and all; none for a category.
    var unit: String?
    /// The unit in which all numbers of the type stand in the truth, whatever the file has.
    var truthUnit: String?
  }

  /// How two exports of one phone differ, in measurements without copies.
  struct Changes: Encodable {
    var both = 0
    var onlyEarlier = 0
    var onlyLater = 0
    /// Those of ``both`` whose numbers the later export replaces.
    var replaced = 0
  }

  var bytes = 0
  /// The name of the version, as `--dtd` has it.
  var version: String
  var profile: String
  /// The instant of the export, in seconds since 1970-01-01 UTC, as all instants here.
  var exported: Int
  /// The name of the main file.
  var mainFile: String
  var records: [String: Records] = [:]
  /// Elements that are not records at top level.
  var elements: [String: Int] = [:]
  /// Counting types by day.
  var sums: [String: [String: DaySum]] = [:]
  /// Other quantities by day.
  var values: [String: [String: DayValues]] = [:]
  /// Categories: how often each constant, and for how long in all.
  var labels: [String: [String: LabelTime]] = [:]
  /// What is told of the person once, as written.
  var characteristics: [String: String] = [:]
  var correlations: [Correlation] = []
  var workouts: [Workout] = []
  /// The routes whose places were written: into the main file, or into files of their own.
  var routes: [Route] = []
  var summaries: [Summary] = []
  /// The beats behind heart rate variabilities, without those of copies.
  var beatLists: [BeatList] = []
  var electrocardiograms: [Electrocardiogram] = []
  var audiograms: [Audiogram] = []
  var prescriptions: [Prescription] = []
  var clinicalRecords: [ClinicalRecord] = []
  /// By type of record, and under `Workout`, what an earlier export of the phone had.
  var changes: [String: Changes]?
  /// What happens beside what the profile tells, as `--with` has it.
  var with: [String]?
  /// Which of two watches counts.
  var mergeRule: String?
  var unfinished: Unfinished?
  var cycles: [Cycle]?
  /// Doses by day, medication and what became of them.
  var doses: [String: [String: [String: Int]]]?
  /// How pleasant states of mind were, by day.
  var valences: [String: DayValues]?

  init(plan: ExportPlan) {
    version = plan.version.name
    profile = plan.person.profile.rawValue
    exported = plan.exported
    mainFile = plan.language.mainFile
    if plan.earlier != nil { changes = [:] }
    if !plan.additions.isEmpty { with = plan.additions.map(\.rawValue).sorted() }
    if plan.additions.contains(.watches) { mergeRule = DaySums.rule }
    if let day = plan.unfinishedDay {
      unfinished = Unfinished(
        date: CivilDate(day: plan.timeline.firstDay + day).description, wholeDays: day)
    }
  }
}

extension Truth {
  /// Counts what iOS 8 says of an hour beside its value.
  mutating func add(_ hours: [HourOfRows], of stream: RecordStream) {
    records[stream.type]?.metadata += hours.reduce(0) { $0 + $1.attributeCount(of: stream) }
  }

  mutating func add(
    _ rows: [Row], of stream: RecordStream, in version: ExportVersion, unit: String?
  ) {
    guard !rows.isEmpty else { return }
    var counts =
      records[stream.type]
      ?? Records(unit: unit, truthUnit: stream.unit?.plainText)
    counts.records += rows.count { !$0.isNestedOnly }
    counts.copies += rows.count(where: \.isCopy)
    counts.nestedOnly += rows.count(where: \.isNestedOnly)
    if version.hasOtherElements {
      counts.userEntered += rows.count(where: \.extra.isUserEntered)
      counts.metadata += rows.reduce(0) { $0 + ($1.isCopy ? 0 : $1.extra.metadataCount) }
    }
    records[stream.type] = counts
  }

  /// Compares the measurements of a day with those that an earlier export had.
  mutating func compare(_ rows: [Row], withEarlier earlier: [Row], of stream: RecordStream) {
    var counts = changes?[stream.type] ?? Changes()
    var rest: [Row.Measurement: Int] = [:]
    for row in earlier where !row.isCopy { rest[row.measurement, default: 0] += 1 }
    for row in rows where !row.isCopy {
      if let count = rest[row.measurement], count > 0 {
        rest[row.measurement] = count - 1
        counts.both += 1
      } else {
        counts.onlyLater += 1
      }
    }
    counts.onlyEarlier += rest.values.reduce(0, +)
    if counts.both + counts.onlyLater + counts.onlyEarlier > 0 { changes?[stream.type] = counts }
  }
}

extension Truth {
  /// The truth as JSON, keys in order.
  func json() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(self)) + [UInt8(ascii: "\n")]
  }
}
