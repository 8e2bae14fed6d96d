import GRDB
public import HealthSamples

/// The samples of a type as the store packs them, in memory: 3 to 4 bytes for most samples, where
/// `SampleColumns` take 24.
///
/// It is for whoever has many questions about the same samples, and answers most of them in less
/// time than the unpacked numbers could be read in.
///
/// ```swift
/// let steps = try store.packedSamples(of: SampleType(.stepCount))
/// ```
public struct PackedSamples: Sendable {
  /// The type of every sample.
  public let type: SampleType
  private let path: String
  private let groups: [(source: Source, segments: [Int64])]
  private let segments: [Int64: PackedSegment]

  /// One segment whose checksum holds.
  private struct PackedSegment: Sendable {
    let summary: SegmentSummary
    let core: CoreReader
  }

  init(
    _ groups: [(source: Source, segments: [Int64])], of type: SampleType, in database: Database,
    path: String
  ) throws {
    self.type = type
    self.path = path
    self.groups = groups
    let room = RowBlock()
    var segments: [Int64: PackedSegment] = [:]
    for segment in groups.flatMap(\.segments) {
      let core = try database.core(of: segment)
      let summary = try database.summary(of: segment) ?? SegmentSummary(core: core, room: room)
      segments[segment] = PackedSegment(summary: summary, core: core)
    }
    self.segments = segments
  }

  /// The sources in the order of columns.
  public var sources: [Source] { groups.map(\.source) }

  /// The number of samples, with all of a segment that can overlap the range.
  public var count: Int { segments.values.reduce(0) { $0 + $1.summary.count } }

  /// The bytes that the samples take.
  public var byteCount: Int { segments.values.reduce(0) { $0 + $1.core.byteCount } }

  /// The samples one by one; parameters as for `SampleStore.samples(of:in:)`.
  ///
  /// - Throws: ``StoreError``; ``StoreError/Reason/damaged`` names the segment
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

  /// The earliest start, the latest start and the latest end of the blocks that can overlap a range,
  /// which are those of its samples on a side where it is open; `nil` without any.
  package func span(
    in range: Range<Double>
  ) -> (firstStart: Double, lastStart: Double, lastEnd: Double)? {
    var span: (firstStart: Double, lastStart: Double, lastEnd: Double)?
    for segment in segments.values {
      for block in segment.summary.blocks
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

  /// The samples of one question; parameters as for
  /// `SampleStore.summarisedSamples(of:in:by:whereAlone:)`.
  package func summarisedSamples(
    in range: Range<Double>, by groups: SampleGroups, whereAlone alone: Bool
  ) throws(StoreError) -> SummarisedSamples {
    do {
      var reading = SummaryReading(of: type, in: range, by: groups, from: self)
      return try reading.samples(self.groups, whereAlone: alone)
    } catch {
      throw StoreError(error, path: path)
    }
  }
}

extension PackedSamples: SegmentBytes {
  func summary(of segment: Int64) throws -> SegmentSummary? { segments[segment]?.summary }

  func core(of segment: Int64) throws -> CoreReader {
    guard let core = segments[segment]?.core else { throw SegmentDamage(segment: segment) }
    return core
  }
}

extension SampleStore {
  /// The samples of a type as they are packed, checked against their checksums.
  ///
  /// - Parameters:
  ///   - type: as for ``samples(of:in:)``
  ///   - range: keeps the segments that can overlap it, whole
  /// - Returns: the samples, none when the store has no such sample
  /// - Throws: ``StoreError``; ``StoreError/Reason/damaged`` names the segment
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
