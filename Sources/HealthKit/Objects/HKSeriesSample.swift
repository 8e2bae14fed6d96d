internal import HealthSamples

/// A sample that is a series: of places, or of heartbeats.
open class HKSeriesSample: HKSample, @unchecked Sendable {
  /// How many places or heartbeats the series has.
  open var count: Int { 0 }
}

/// The places of a workout, which a route query delivers.
open class HKWorkoutRoute: HKSeriesSample, @unchecked Sendable {
  /// The places, in order of time.
  let locations: LocationColumns

  init(_ locations: LocationColumns, start: Date, end: Date, facts: ObjectFacts) {
    self.locations = locations
    super.init(type: HKSeriesType.workoutRoute(), start: start, end: end, facts: facts)
  }

  /// Reads a route from an archive.
  public required init?(coder: NSCoder) {
    guard let columns = coder.decodeColumns(LocationColumns.columnCount, "locations") else {
      return nil
    }
    var locations = LocationColumns()
    locations.columns = columns
    let starts = coder.decodeColumns(1, Self.segmentsKey)?.first ?? []
    locations.segmentStarts = starts.compactMap(Int.init(exactly:))
    guard locations.segmentStarts.count == starts.count, locations.isSound else { return nil }
    self.locations = locations
    super.init(coder: coder)
  }

  /// Writes all places.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encodeColumns(locations.columns, "locations")
    // Most routes have no gaps, and archives of earlier versions know none.
    guard !locations.segmentStarts.isEmpty else { return }
    coder.encodeColumns([locations.segmentStarts.map(Double.init)], Self.segmentsKey)
  }

  private static let segmentsKey = "segments"

  /// How many places the route has.
  open override var count: Int { locations.count }
}

/// The heartbeats of a measurement, which a heartbeat series query delivers.
open class HKHeartbeatSeriesSample: HKSeriesSample, @unchecked Sendable {
  /// Instants of heartbeats, as columns of one length.
  struct Beats: Sendable, Hashable {
    /// Seconds after the start of the series.
    var offsets: [Double] = []
    /// Whether beats before it were not seen.
    var areAfterGaps: [Bool] = []
  }

  let beats: Beats

  init(_ beats: Beats, start: Date, end: Date, facts: ObjectFacts) {
    self.beats = beats
    super.init(type: HKSeriesType.heartbeat(), start: start, end: end, facts: facts)
  }

  /// Reads a series from an archive.
  public required init?(coder: NSCoder) {
    guard let columns = coder.decodeColumns(2, "beats") else { return nil }
    beats = Beats(offsets: columns[0], areAfterGaps: columns[1].map { $0 != 0 })
    super.init(coder: coder)
  }

  /// Writes all heartbeats.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encodeColumns([beats.offsets, beats.areAfterGaps.map { $0 ? 1 : 0 }], "beats")
  }

  /// How many heartbeats the series has.
  open override var count: Int { beats.offsets.count }
}
