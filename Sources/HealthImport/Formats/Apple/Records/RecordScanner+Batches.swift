import HealthSamples

extension RecordScanner {
  /// Removes the rows of a stream as a batch, with tables of only the texts that its rows use.
  mutating func batch(_ stream: Int) -> RecordColumns {
    let info = rows.streams[stream]
    // The type is known before the first row of a stream is added.
    let entry = types.entries[info.type]
    let type = entry.type ?? SampleType(identifier: entry.identifier, kind: .category)
    var batch = RecordColumns(
      type: type,
      source: Source(name: texts.sources[info.source], isUserEntered: info.isUserEntered))
    types.deliver(info.count, type: info.type)

    var labels = IndexRemap(count: texts.labels.count)
    var origins = IndexRemap(count: texts.origins.count)
    var metadata = IndexRemap(count: texts.metadata.count)
    _ = metadata.compact(0)
    batch.starts = rows.column(of: stream, \.start)
    batch.ends = rows.column(of: stream, \.end)
    batch.created = rows.column(of: stream, \.created)
    batch.values = rows.column(of: stream, \.value)
    batch.labels = rows.column(of: stream) { UInt16(labels.compact(Int($0.label))) }
    batch.origins = rows.column(of: stream) { origins.compact(Int($0.origin)) }
    batch.metadata = rows.column(of: stream) { metadata.compact(Int($0.metadata)) }
    rows.empty(stream)
    batch.copies = Array(repeating: info.isNested ? 0 : 1, count: info.count)
    batch.labelTable = labels.used.map { texts.labels[$0] }
    batch.originTable = origins.used.map { texts.origins[$0] }
    batch.metadataTable = metadata.used.map { texts.metadata[$0] }
    return batch
  }
}
