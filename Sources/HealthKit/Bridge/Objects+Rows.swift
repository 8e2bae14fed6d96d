// Objects as rows of the core.
public import HealthSamples

/// Samples of one type and one source as rows, with their identities.
public struct SampleRows: Sendable {
  /// The rows, in the order of the samples.
  public private(set) var columns: RecordColumns
  /// The identity of each row.
  public private(set) var identities: [UUID]

  /// The quantity and category samples as rows: one batch for each type and source, in the order in
  /// which they first occur.
  ///
  /// A sample that was made from a row becomes the same row. Samples of other classes have tables of
  /// their own, and are left out.
  ///
  /// - Throws: `ColumnError` for a number that is not finite, and for more units than a batch can
  ///   have
  /// - Complexity: O(*n*)
  public static func rows(of samples: some Sequence<HKSample>) throws(ColumnError) -> [SampleRows] {
    var writers: [BatchKey: Int] = [:]
    var batches: [BatchWriter] = []
    var last: (type: ObjectIdentifier, revision: ObjectIdentifier, batch: Int)?
    for sample in samples {
      let type: SampleType
      switch sample {
      case let sample as HKQuantitySample: type = sample.quantityType.core
      case let sample as HKCategorySample: type = sample.categoryType.core
      default: continue
      }
      let revision = sample.sourceRevision
      let key = (ObjectIdentifier(sample.sampleType), ObjectIdentifier(revision))
      let batch: Int
      if let last, last.type == key.0, last.revision == key.1 {
        batch = last.batch
      } else {
        let name = BatchKey(type: type.identifier, source: revision.source.core)
        if let known = writers[name] {
          batch = known
        } else {
          batch = batches.count
          writers[name] = batch
          batches.append(BatchWriter(RecordColumns(type: type, source: revision.source.core)))
        }
        last = (key.0, key.1, batch)
      }
      try batches[batch].append(sample, revision)
    }
    return batches.map { $0.rows() }
  }

  private init(_ columns: RecordColumns, _ identities: [UUID]) {
    self.columns = columns
    self.identities = identities
  }

  private struct BatchKey: Hashable {
    let type: String
    let source: Source
  }

  /// Appends samples to one batch, and finds the entries of its tables by the objects that rows
  /// share.
  private struct BatchWriter {
    var columns: RecordColumns
    private var identities: [UUID] = []
    private var serials: [Int64] = []
    private var labels = EntryIndex<String>()
    private var origins = EntryIndex<Origin>()
    private var metadata = EntryIndex<Metadata>()

    init(_ columns: RecordColumns) {
      self.columns = columns
      _ = metadata.index(of: Metadata())
    }

    mutating func append(_ sample: HKSample, _ revision: HKSourceRevision) throws(ColumnError) {
      let start = sample.startDate.timeIntervalSinceReferenceDate
      let end = sample.endDate.timeIntervalSinceReferenceDate
      let facts = sample.facts
      let value: Double
      var label = facts.row?.label
      switch sample {
      case let sample as HKQuantitySample:
        value = sample.value
        if label == nil { label = sample.unit.unitString }
      case let sample as HKCategorySample:
        value = Double(sample.value)
        if label == nil {
          label = Catalogue.constant(
            ofRawValue: sample.value,
            of: HKCategoryTypeIdentifier(rawValue: columns.type.identifier))
        }
      default: return
      }
      guard start.isFinite, end.isFinite, value.isFinite else {
        throw ColumnError(.rowNotFinite, index: columns.count)
      }
      guard let place = UInt16(exactly: labels.index(of: label ?? "")) else {
        throw ColumnError(.tooManyLabels, index: columns.count)
      }
      let device = sample.device
      let origin = origins.index(
        of: (revision, device, facts.row?.exportSet ?? 0),
        key: .init(revision, device, facts.row?.exportSet)
      ) {
        var origin = Origin(sourceVersion: revision.version ?? "", device: device?.text ?? "")
        origin.exportSet = facts.row?.exportSet ?? 0
        return origin
      }
      columns.starts.append(start)
      columns.ends.append(end)
      columns.values.append(value)
      columns.labels.append(place)
      columns.origins.append(UInt32(origin))
      columns.metadata.append(
        UInt32(
          facts.metadata.map { box in
            metadata.index(of: box, key: .init(box, nil, nil)) { box.columns }
          } ?? 0))
      columns.created.append(facts.row?.created ?? RecordColumns.notRecorded)
      columns.copies.append(facts.row?.copies ?? 1)
      identities.append(sample.uuid)
      if let serial = facts.row?.serial { serials.append(serial) }
    }

    consuming func rows() -> SampleRows {
      columns.labelTable = labels.entries
      columns.originTable = origins.entries
      columns.metadataTable = metadata.entries
      if serials.count == columns.count { columns.serials = serials }
      return SampleRows(columns, identities)
    }
  }
}

/// The entries of a table of a batch, found by the objects from which they come, else by value.
private struct EntryIndex<Entry: Hashable> {
  private(set) var entries: [Entry] = []
  private var places: [Entry: Int] = [:]
  private var placesByObject: [ObjectKey: Int] = [:]
  private var last: (key: ObjectKey, place: Int)?
  private var lastEntry: (entry: Entry, place: Int)?
  /// The objects that keys name: while they live, no other object has their identifiers.
  private var kept: [AnyObject?] = []

  /// Up to two objects and a number.
  struct ObjectKey: Hashable {
    let first: ObjectIdentifier
    let second: ObjectIdentifier?
    let number: UInt32?

    init(_ first: AnyObject, _ second: AnyObject?, _ number: UInt32?) {
      self.first = ObjectIdentifier(first)
      self.second = second.map(ObjectIdentifier.init)
      self.number = number
    }
  }

  mutating func index(of entry: Entry) -> Int {
    if let lastEntry, lastEntry.entry == entry { return lastEntry.place }
    let place: Int
    if let known = places[entry] {
      place = known
    } else {
      place = entries.count
      places[entry] = place
      entries.append(entry)
    }
    lastEntry = (entry, place)
    return place
  }

  mutating func index(of objects: AnyObject, key: ObjectKey, _ make: () -> Entry) -> Int {
    index(of: (objects, nil, 0), key: key, make)
  }

  mutating func index(
    of objects: (AnyObject, AnyObject?, UInt32), key: ObjectKey, _ make: () -> Entry
  ) -> Int {
    if let last, last.key == key { return last.place }
    let place: Int
    if let known = placesByObject[key] {
      place = known
    } else {
      place = index(of: make())
      placesByObject[key] = place
      kept.append(objects.0)
      kept.append(objects.1)
    }
    last = (key, place)
    return place
  }
}
