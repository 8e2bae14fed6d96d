import GRDB
public import HealthSamples

/// The samples of a type in memory as the store encodes them: 3 to 4 bytes for most samples, where
/// `SampleColumns` take 24.
///
/// For callers with many queries of the same samples; most are answered faster than the decoded
/// numbers could be read.
///
/// ```swift
/// let steps = try store.packedSamples(of: SampleType(.stepCount))
/// ```
public struct PackedSamples: Sendable {
  /// The type of every sample.
  public let type: SampleType
  private let path: String
  private let groups: [(source: Source, chunks: [Int64])]
  private let chunks: [Int64: PackedChunk]

  /// One chunk with a verified checksum.
  private struct PackedChunk: Sendable {
    let zoneMap: ZoneMap
    let core: CoreReader
  }

  init(
    _ groups: [(source: Source, chunks: [Int64])], of type: SampleType, in database: Database,
    path: String
  ) throws {
    self.type = type
    self.path = path
    self.groups = groups
    var chunks: [Int64: PackedChunk] = [:]
    for chunk in groups.flatMap(\.chunks) {
      let core = try database.core(of: chunk)
      chunks[chunk] = PackedChunk(zoneMap: try database.zoneMap(of: chunk), core: core)
    }
    self.chunks = chunks
  }

  /// The sources in the order of columns.
  public var sources: [Source] { groups.map(\.source) }

  /// The number of samples, including all of each chunk that can overlap the range.
  public var count: Int { chunks.values.reduce(0) { $0 + $1.zoneMap.count } }

  /// The size of the samples in bytes.
  public var byteCount: Int { chunks.values.reduce(0) { $0 + $1.core.byteCount } }

  /// The decoded samples; parameters as for `SampleStore.samples(of:in:)`.
  ///
  /// - Throws: ``StoreError``; ``StoreError/Reason/damaged`` names the chunk
  /// - Complexity: O(*n*)
  public func samples(in range: Range<Double>? = nil) throws(StoreError) -> SampleColumns {
    try samples(in: range, as: nil)
  }

  /// The same with values of another type; parameters as for `SampleStore.samples(of:in:as:)`.
  package func samples(
    in range: Range<Double>?, as target: SampleType?
  ) throws(StoreError) -> SampleColumns {
    do {
      var columns = GrowingColumns()
      return try columns.read(
        groups, of: target ?? type, in: range, from: self, keepsRecorded: target != nil)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// The earliest start, the latest start and the latest end of the blocks that can overlap a
  /// range, exact on a side where the range is open; `nil` without any.
  package func span(
    in range: Range<Double>
  ) -> (firstStart: Double, lastStart: Double, lastEnd: Double)? {
    var span: (firstStart: Double, lastStart: Double, lastEnd: Double)?
    for chunk in chunks.values {
      for block in chunk.zoneMap.blocks
      where block.lastEnd >= range.lowerBound && block.firstStart < range.upperBound {
        let old = span ?? (block.firstStart, block.lastStart, block.lastEnd)
        span = (
          min(old.firstStart, block.firstStart), max(old.lastStart, block.lastStart),
          max(old.lastEnd, block.lastEnd)
        )
      }
    }
    return span
  }

  /// The samples of one query; parameters as for
  /// `SampleStore.preaggregatedSamples(of:in:by:onlyUncontested:)`.
  package func preaggregatedSamples(
    in range: Range<Double>, by groups: SampleGroups, onlyUncontested: Bool
  ) throws(StoreError) -> PreaggregatedSamples {
    do {
      var reading = PreaggregatedReader(of: type, in: range, by: groups, from: self)
      return try reading.samples(self.groups, onlyUncontested: onlyUncontested)
    } catch {
      throw StoreError(error, path: path)
    }
  }
}

extension PackedSamples: ChunkBytes {
  func zoneMap(of chunk: Int64) throws -> ZoneMap { try packed(chunk).zoneMap }

  func core(of chunk: Int64) throws -> CoreReader { try packed(chunk).core }

  private func packed(_ chunk: Int64) throws(Corruption) -> PackedChunk {
    guard let packed = chunks[chunk] else { throw Corruption(chunk: chunk) }
    return packed
  }
}

extension SampleStore {
  /// The encoded samples of a type, with verified checksums.
  ///
  /// - Parameters:
  ///   - type: as for ``samples(of:in:)``
  ///   - range: keeps whole chunks that can overlap it
  /// - Returns: the samples, empty when the store has none
  /// - Throws: ``StoreError``; ``StoreError/Reason/damaged`` names the chunk
  /// - Complexity: O(bytes)
  public func packedSamples(
    of type: SampleType, in range: Range<Double>? = nil
  ) throws(StoreError) -> PackedSamples {
    try read { database in
      try PackedSamples(
        sources(of: type, in: range, from: database), of: database.resolved(type), in: database,
        path: path)
    }
  }
}
