import Foundation
import GRDB
import HealthSamples
import HealthUnits
import _HealthTestSupport

@testable import HealthStore

/// A store in which a history of ``History`` happens, in the words of the history.
final class StoreReplica: HistoryReplica {
  /// A command that the store does not have.
  struct Unsupported: Error {
    let what: String

    init(_ what: String) { self.what = what }
  }

  private let store: SampleStore
  private let clock: HistoryClock
  /// The UUIDs that elements of files have had.
  private var seen: [History.ElementKey: Set<UUID>] = [:]

  init(_ name: String, _ clock: HistoryClock) throws {
    store = try SampleStore.temporary()
    self.clock = clock
  }

  /// Checks the store.
  func verify() throws { try store.verify() }
  /// The digest of all rows of all tables.
  func digest() throws -> Int64 {
    try store.read {
      try Int64.fetchOne($0, sql: "SELECT digest FROM digests WHERE name = 'root'") ?? 0
    }
  }

  // MARK: Names

  private static let types: [String: SampleType] = {
    let names = [
      "steps": "HKQuantityTypeIdentifierStepCount", "hr": "HKQuantityTypeIdentifierHeartRate",
      "energy": "HKQuantityTypeIdentifierActiveEnergyBurned",
      "flights": "HKQuantityTypeIdentifierFlightsClimbed",
      "mass": "HKQuantityTypeIdentifierBodyMass",
      "cat.sleep": "HKCategoryTypeIdentifierSleepAnalysis",
    ]
    return names.compactMapValues(Catalogue.type)
  }()

  private static let kinds: [String: ElementKind] = [
    "workout": .workout, "route": .route, "food": .correlation, "me": .characteristics,
    "rings": .activitySummary, "beats": .beatList, "ecg": .electrocardiogram,
    "hearing": .audiogram, "glasses": .visionPrescription, "record": .clinicalRecord,
    "mood": .savedObject,
  ]

  private static let links: [String: HealthStore.Association.Kind] = [
    "workout": .workout, "correlation": .correlation, "measurements": .measurements,
  ]

  private static func source(_ name: String) -> Source {
    Source(name: name, bundleIdentifier: "com.example.\(name.lowercased())")
  }

  private static func type(_ name: String) throws -> SampleType {
    guard let type = types[name] else { throw Unsupported(name) }
    return type
  }

  private static func label(_ type: SampleType) -> String {
    type.canonicalUnit?.text(in: .healthKit) ?? "HKCategoryValueSleepAnalysisAsleep"
  }

  private static func metadata(_ word: String) -> Metadata {
    word.isEmpty ? Metadata() : Metadata([.init(key: "word", value: word)])
  }

  private func word(_ metadata: Metadata) -> String {
    metadata.entries.first { $0.key == "word" }?.value ?? ""
  }

  /// The UUID that a name stands for.
  private func uuid(_ name: String) -> UUID {
    var bytes = [UInt8](repeating: 0, count: 16)
    for (index, byte) in name.utf8.prefix(15).enumerated() { bytes[index + 1] = byte }
    bytes[0] = 0xAA
    return bytes.withUnsafeBytes { UUID(uuid: $0.load(as: uuid_t.self)) }
  }

  /// The name that a UUID stands for; `nil` for one that the store gave.
  private func name(_ uuid: UUID) -> String? {
    let bytes = withUnsafeBytes(of: uuid.uuid) { Array($0) }
    let text = bytes.dropFirst().prefix { $0 != 0 }
    guard bytes[0] == 0xAA, text.allSatisfy({ (48..<123).contains($0) }),
      bytes.dropFirst(1 + text.count).allSatisfy({ $0 == 0 })
    else {
      return nil
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func element(
    _ element: History.Element, _ entries: [Metadata.Entry] = []
  ) throws -> ImportBatch {
    var facts = ElementFacts()
    facts.source = source(element.key.source)
    (facts.start, facts.end) = (element.key.start, element.key.end)
    facts.metadata = Metadata(metadata(element.fields).entries + entries)
    switch element.key.kind {
    case "workout":
      var row = Workouts.Row()
      (row.facts, row.activity) = (facts, element.key.name)
      return .workouts(Workouts([row]))
    case "route":
      var row = Routes.Row()
      row.facts = facts
      var random = RandomElements(seed: 1)
      row.locations = random.locations(element.file)
      return .routes(Routes([row]))
    case "food":
      var row = Correlations.Row()
      (row.facts, row.type) = (facts, element.key.name)
      return .correlations(Correlations([row]))
    case "me": return .characteristics(Characteristics([facts.metadata]))
    case "rings":
      var row = ActivitySummaries.Row()
      (row.day, row.recordedEnergyUnit) = (Int(element.key.start), element.fields)
      return .activitySummaries(ActivitySummaries([row]))
    case "beats":
      return .beatLists(
        BeatLists([
          BeatLists.Row(
            record: RecordLink(
              type: "HKQuantityTypeIdentifierHeartRateVariabilitySDNN", source: facts.source,
              start: facts.start, end: facts.end, value: 1, label: element.fields))
        ]))
    case "ecg":
      var row = Electrocardiograms.Row()
      (row.facts, row.classification) = (facts, element.fields)
      return .electrocardiograms(Electrocardiograms([row]))
    case "hearing":
      var row = Audiograms.Row()
      (row.facts, row.type) = (facts, element.key.name)
      return .audiograms(Audiograms([row]))
    case "glasses":
      var row = VisionPrescriptions.Row()
      (row.type, row.source, row.metadata) = (element.key.name, facts.source, facts.metadata)
      (row.issued, row.expires) = (facts.start, facts.end)
      return .visionPrescriptions(VisionPrescriptions([row]))
    case "record":
      var row = ClinicalRecords.Row()
      (row.type, row.identifier, row.source) = (element.key.name, "1", facts.source)
      (row.received, row.sourceURL) = (facts.start, element.fields)
      row.resource = (0..<element.file).map(UInt8.init)
      return .clinicalRecords(ClinicalRecords([row]))
    case "mood":
      var row = SavedObjects.Row()
      (row.facts, row.type) = (facts, element.key.name)
      return .savedObjects(SavedObjects([row]))
    default: throw Unsupported(element.key.kind)
    }
  }

  private func element(_ batch: ImportBatch) -> History.Element? {
    func element(_ kind: String, _ name: String, _ facts: ElementFacts, _ file: Int = 0)
      -> History.Element
    {
      History.Element(
        History.ElementKey(kind, name, facts.source.name, facts.start, facts.end),
        word(facts.metadata), file: file)
    }
    switch batch {
    case .workouts(let rows):
      return rows.rows.first.map { element("workout", $0.activity, $0.facts) }
    case .routes(let rows):
      return rows.rows.first.map { element("route", "", $0.facts, $0.locations.count) }
    case .correlations(let rows):
      return rows.rows.first.map { element("food", $0.type, $0.facts) }
    case .characteristics(let rows):
      return rows.rows.first.map {
        History.Element(History.ElementKey("me", "", "", 0, 0), word($0))
      }
    case .activitySummaries(let rows):
      return rows.rows.first.map {
        let day = Double($0.day)
        return History.Element(
          History.ElementKey("rings", "", "", day, day + 1), $0.recordedEnergyUnit)
      }
    case .beatLists(let rows):
      return rows.rows.first.map {
        let record = $0.record
        return History.Element(
          History.ElementKey("beats", "", record.source.name, record.start, record.end),
          record.label)
      }
    case .electrocardiograms(let rows):
      return rows.rows.first.map {
        History.Element(element("ecg", "", $0.facts).key, $0.classification)
      }
    case .audiograms(let rows):
      return rows.rows.first.map { element("hearing", $0.type, $0.facts) }
    case .visionPrescriptions(let rows):
      return rows.rows.first.map {
        History.Element(
          History.ElementKey(
            "glasses", $0.type, $0.source?.name ?? "", $0.issued, $0.expires ?? $0.issued),
          word($0.metadata))
      }
    case .clinicalRecords(let rows):
      return rows.rows.first.map {
        History.Element(
          History.ElementKey("record", $0.type, $0.source.name, $0.received, $0.received),
          $0.sourceURL, file: $0.resource.count)
      }
    case .savedObjects(let rows):
      return rows.rows.first.map { element("mood", $0.type, $0.facts) }
    default: return nil
    }
  }

  /// A visible sample or element with its UUID.
  private struct Object {
    var uuid: UUID
    var content: History.Content
    var copies = 1
  }

  private func samples() throws -> [Object] {
    var objects: [Object] = []
    for (name, type) in Self.types {
      for batch in try store.records(of: type) {
        let uuids = try store.uuids(of: batch.serials)
        for row in 0..<batch.count {
          var found = History.Row(
            name, batch.source.name, batch.starts[row], batch.ends[row], batch.values[row],
            word(batch.metadataTable[Int(batch.metadata[row])]))
          found.ordinal = Int(batch.originTable[Int(batch.origins[row])].ordinal)
          objects.append(
            Object(uuid: uuids[row], content: .row(found), copies: Int(batch.copies[row])))
        }
      }
    }
    return objects
  }

  private func elements() throws -> [Object] {
    var objects: [Object] = []
    for kind in Self.kinds.values {
      try store.forEachIdentifiedElement(of: kind) { element in
        if let found = self.element(element.element) {
          objects.append(Object(uuid: element.uuid, content: .element(found)))
          if name(element.uuid) == nil { seen[found.key, default: []].insert(element.uuid) }
        }
        return true
      }
    }
    return objects
  }

  private func resolved(_ reference: History.Reference) throws -> UUID {
    switch reference {
    case .object(let name): return uuid(name)
    case .row(let key):
      let found = try samples().first {
        if case .row(let row) = $0.content { row.key.agrees(with: key) } else { false }
      }
      guard let found else { throw Unsupported("a reference to what is not there") }
      return found.uuid
    case .element(let key):
      let found = try elements().first {
        if case .element(let element) = $0.content { element.key == key } else { false }
      }
      guard let found else { throw Unsupported("a reference to what is not there") }
      return found.uuid
    }
  }

  private func reference(_ uuid: UUID, among objects: [Object]) -> History.Reference? {
    if let name = name(uuid) { return .object(name) }
    switch objects.first(where: { $0.uuid == uuid })?.content {
    case .row(let row): return .row(row.key)
    case .element(let element): return .element(element.key)
    case nil: return nil
    }
  }

  // MARK: Commands

  func importFiles(
    _ files: [History.File], replacing: Bool, restoring: Bool
  ) throws {
    var numbers: Set<Int64> = []
    for file in files {
      guard let format = ImportFormat(rawValue: Self.formats[file.format] ?? "") else {
        throw Unsupported(file.format)
      }
      let session = try store.beginImport(from: format)
      for batch in try Self.batches(file) { try session.add(batch) }
      let report = try session.finish(
        replacing: replacing && file.isWhole, sparing: numbers, restoring: restoring,
        file: file.id, exported: file.date,
        incomplete: file.isWhole ? [] : Set(ElementKind.allCases))
      if let number = report.number { numbers.insert(number) }
    }
  }

  private static func batches(_ file: History.File) throws -> [ImportBatch] {
    let rows = try file.rows.map { row in
      guard row.uuid == nil else { throw Unsupported("a file with UUIDs") }
      var batch = RecordColumns(type: try type(row.type), source: source(row.source))
      try batch.append(
        start: row.start, end: row.end, value: row.value, label: label(batch.type),
        metadata: metadata(row.word))
      return ImportBatch.records(batch)
    }
    return try rows + file.elements.map { try element($0) }
  }

  /// The identity that a store gives to a file, by which two of one date are ordered.
  static func identity(_ file: History.File) throws -> String {
    var digest = FileDigest()
    for batch in try batches(file) {
      switch batch {
      case .records(let rows): digest.add(rows)
      case .workouts(let rows): try add(rows, to: &digest)
      case .routes(let rows): try add(rows, to: &digest)
      case .correlations(let rows): try add(rows, to: &digest)
      case .activitySummaries(let rows): try add(rows, to: &digest)
      case .beatLists(let rows): try add(rows, to: &digest)
      case .electrocardiograms(let rows): try add(rows, to: &digest)
      case .audiograms(let rows): try add(rows, to: &digest)
      case .visionPrescriptions(let rows): try add(rows, to: &digest)
      case .clinicalRecords(let rows): try add(rows, to: &digest)
      case .characteristics(let rows): try add(rows, to: &digest)
      case .savedObjects(let rows): try add(rows, to: &digest)
      }
    }
    let format = ImportFormat(rawValue: formats[file.format] ?? "") ?? .appleHealth
    return digest.identity(format, exportedAt: file.date)
      .map { String(UInt16($0) + 256, radix: 16) }.joined()
  }

  private static func add<Columns: StoredElement>(
    _ columns: Columns, to digest: inout FileDigest
  ) throws {
    for row in columns.rows { digest.add(Columns.kind, try Columns.encode(row)) }
  }

  private static let formats = [
    "apple": ImportFormat.appleHealth.rawValue, "csv": ImportFormat.simpleHealthExport.rawValue,
  ]

  func undo(_ file: History.File) throws {
    for known in try store.imports() where known.file == file.id {
      _ = try store.undoImport(known.id)
    }
  }

  func add(_ name: String, _ content: History.Content, _ version: History.Version?) throws {
    var objects = NewObjects()
    var entries: [Metadata.Entry] = []
    if let version {
      entries = [
        .init(key: "HKMetadataKeySyncIdentifier", .string(version.identifier)),
        .init(key: "HKMetadataKeySyncVersion", .number(version.number)),
      ]
    }
    switch content {
    case .row(let row):
      let type = try Self.type(row.type)
      objects.samples = [
        NewSample(
          type: type, source: Self.source(row.source), start: row.start, end: row.end,
          value: row.value, label: Self.label(type),
          metadata: Metadata(Self.metadata(row.word).entries + entries), uuid: uuid(name))
      ]
    case .element(let element):
      objects.elements = [NewElement(try Self.element(element, entries), uuid: uuid(name))]
    }
    try store.save(objects)
  }

  func delete(_ selection: History.Selection) throws -> Int64? {
    let before = try lastAct()
    try deleteChosen(selection)
    let last = try lastAct()
    return last == before ? nil : last
  }

  /// The number of the last act.
  private func lastAct() throws -> Int64? {
    try store.read { try StoredAct.all(in: $0).map(\.id).max() }
  }

  /// The period of a selection in the words of the command.
  private func range(_ selection: History.Selection) -> Range<Double>? {
    guard selection.from != nil || selection.to != nil else { return nil }
    // Rings are of days.
    let scale = selection.kind == "rings" ? 86_400.0 : 1
    return scale * (selection.from ?? -.infinity)..<scale * (selection.to ?? .infinity)
  }

  /// The objects of a selection without a row, an element or a UUID.
  private func objects(_ selection: History.Selection) throws -> ObjectSelection {
    if let kind = selection.kind {
      guard let kind = Self.kinds[kind] else { throw Unsupported(kind) }
      return .elements(kind)
    }
    return try selection.type.map { .samples(try Self.type($0)) } ?? .all
  }

  /// The store as a selection sees it.
  private func chosen(_ selection: History.Selection) -> SampleStore {
    selection.source.map { store.choosing(SourceSelection(only: [$0])) } ?? store
  }

  private func deleteChosen(_ selection: History.Selection) throws {
    guard selection.row != nil || selection.uuid != nil || selection.element != nil else {
      try chosen(selection).delete(
        objects(selection), in: range(selection),
        where: selection.minimum.map { least in { batch, row in batch.values[row] >= least } })
      return
    }
    let chosen = try (samples() + elements()).filter { object in
      let name = self.name(object.uuid)
      if let uuid = selection.uuid, name != uuid { return false }
      switch object.content {
      case .row(let row):
        return selection.row.map { row.key.agrees(with: $0) } ?? (selection.element == nil)
      case .element(let element):
        return selection.row == nil
          && (selection.element.map { $0 == element.key && name == nil } ?? true)
      }
    }
    try store.delete(chosen.map(\.uuid))
  }

  func restore(_ selection: History.Selection) throws {
    if let name = selection.uuid {
      try store.restore([uuid(name)])
      return
    }
    if let key = selection.element {
      try store.restore(seen[key] ?? [])
      return
    }
    let hasCondition = selection.row != nil || selection.minimum != nil
    try chosen(selection).restore(
      objects(selection), in: range(selection),
      where: hasCondition
        ? { [self] sample in
          key(sample).map { key in
            (selection.row?.agrees(with: key) ?? true)
              && key.value >= selection.minimum ?? -.infinity
          } ?? false
        } : nil)
  }

  func restore(_ deletion: Int64?) throws {
    if let deletion { _ = try store.restoreDeletion(deletion) }
  }

  private func key(_ sample: KeptOutSample) -> History.RowKey? {
    let name = Self.types.first { $0.value == sample.type }?.key
    return name.map {
      var row = History.Row($0, sample.source.name, sample.start, sample.end, sample.value)
      row.ordinal = Int(sample.ordinal)
      return row.key
    }
  }

  private func association(_ link: History.Link) throws -> HealthStore.Association {
    guard let kind = Self.links[link.kind] else { throw Unsupported(link.kind) }
    return HealthStore.Association(try resolved(link.owner), try resolved(link.member), kind)
  }

  func associate(_ link: History.Link) throws {
    var objects = NewObjects()
    objects.associations = [try association(link)]
    try store.save(objects)
  }

  func dissociate(_ link: History.Link) throws { try store.dissociate([association(link)]) }

  func attach(_ name: String, to object: History.Reference, name file: String) throws {
    try store.add(
      StoredAttachment(
        uuid: uuid(name), name: file, contentType: "public.data", created: clock.now, size: 0),
      [], to: resolved(object))
  }

  func detach(_ name: String) throws {
    for object in try samples() + elements() {
      _ = try store.removeAttachment(uuid(name), from: object.uuid)
    }
  }

  func set(_ key: String, _ value: String) throws {
    let words = key.split(separator: " ").map(String.init)
    if words.first == "prefer" {
      try store.setPreferredSources([value], of: Self.type(words[1]))
    } else {
      try store.setDefaultZone(value)
    }
  }

  func synchronise(with other: StoreReplica) throws { _ = try store.synchronise(with: other.store) }

  func ownExport() throws -> History.File { throw Unsupported("a file of our own") }

  func answers() throws -> History.Answers { try store.snapshot { try snapshotAnswers() } }

  private func snapshotAnswers() throws -> History.Answers {
    var answers = History.Answers()
    let (samples, elements) = (try samples(), try elements())
    let hasAttachments = try store.read { try !$0.attachments().isEmpty }
    for object in samples + elements {
      switch object.content {
      case .row(let row):
        answers.samples.append(row)
        if name(object.uuid) == nil { answers.samplesOfFiles.append(row) }
        if object.copies > 1 { answers.copies.append(object.copies) }
      case .element(let element):
        answers.elements.append(element)
        if name(object.uuid) == nil { answers.elementKeysOfFiles.insert(element.key) }
      }
      if let name = name(object.uuid) { answers.uuids.insert(name) }
      for attachment in hasAttachments ? try store.attachments(of: object.uuid) : [] {
        guard let reference = reference(object.uuid, among: samples + elements) else { continue }
        answers.attachments.insert(
          History.Attachment(
            uuid: name(attachment.uuid) ?? "", object: reference, name: attachment.name))
      }
    }
    answers.samples.sort()
    answers.samplesOfFiles.sort()
    answers.elements.sort()
    answers.copies.sort()
    for (name, kind) in Self.links {
      for association in try store.associations(kind) {
        guard let owner = reference(association.owner, among: samples + elements),
          let member = reference(association.member, among: samples + elements)
        else { continue }
        answers.links.insert(History.Link(owner, member, name))
      }
    }
    for (name, type) in Self.types {
      let preferred = try store.preferredSources(of: type)
      if !preferred.isEmpty {
        answers.settings["prefer \(name)"] = preferred.joined(separator: " ")
      }
    }
    if let zone = try store.defaultZone() { answers.settings["zone"] = zone }
    answers.out = try store.keptOut().compactMap { sample in
      key(sample).map {
        History.Row($0.series.type, $0.series.source, $0.start, $0.end, $0.value)
      }
    }.sorted()
    answers.imports = Set(try store.imports().filter { !$0.isReplaced }.map(\.file))
    return answers
  }

  func uuids() throws -> [History.RowKey: String] {
    var uuids: [History.RowKey: String] = [:]
    for object in try samples() where name(object.uuid) == nil {
      if case .row(let row) = object.content { uuids[row.key] = object.uuid.uuidString }
    }
    return uuids
  }
}
