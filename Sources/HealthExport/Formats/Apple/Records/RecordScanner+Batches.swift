import HealthSamples

extension RecordScanner {
  /// Takes the rows of a stream as a batch, with tables of just the texts that its rows name.
  mutating func batch(_ stream: Int) -> RecordColumns {
    let info = rows.streams[stream]
    // The type is decided before the first row of a stream is added.
    let entry = types.entries[info.type]
    let type = entry.type ?? SampleType(identifier: entry.identifier, kind: .category)
    var batch = RecordColumns(
      type: type,
      source: Source(name: texts.sources[info.source], isUserEntered: info.isUserEntered))
    types.deliver(info.count, type: info.type)

    var labels = Renumbering(count: texts.labels.count)
    var origins = Renumbering(count: texts.origins.count)
    var metadata = Renumbering(count: texts.metadata.count)
    _ = metadata.number(of: 0)
    batch.starts = rows.column(of: stream, \.start)
    batch.ends = rows.column(of: stream, \.end)
    batch.created = rows.column(of: stream, \.created)
    batch.values = rows.column(of: stream, \.value)
    batch.labels = rows.column(of: stream) { UInt16(labels.number(of: $0.label)) }
    batch.origins = rows.column(of: stream) { origins.number(of: $0.origin) }
    batch.metadata = rows.column(of: stream) { metadata.number(of: $0.metadata) }
    rows.empty(stream)
    batch.copies = Array(repeating: info.isNested ? 0 : 1, count: info.count)
    batch.labelTable = labels.used.map { texts.labels[Int($0)] }
    batch.originTable = origins.used.map { texts.origins[Int($0)] }
    batch.metadataTable = metadata.used.map { texts.metadata[Int($0)] }
    return batch
  }
}

/// New numbers for those of a large table, in the order in which they are asked for.
private struct Renumbering {
  /// The old numbers, by the new ones.
  private(set) var used: [UInt32] = []
  private var new: [UInt32]

  init(count: Int) { new = Array(repeating: .max, count: count) }

  mutating func number(of old: UInt32) -> UInt32 {
    let known = new[Int(old)]
    if known != .max { return known }
    let number = UInt32(used.count)
    new[Int(old)] = number
    used.append(old)
    return number
  }
}
