import GRDB
import HealthLedger
import HealthSamples

extension ImportSession {
  /// What has the rows of a session: a file, or what names them.
  enum Member {
    case file(Int64)
    case name(Provenance.Referrer)

    var file: Int64? { if case .file(let id) = self { id } else { nil } }
    var name: Provenance.Referrer? { if case .name(let name) = self { name } else { nil } }
  }

  /// Merges all records, and counts those that the file lacks.
  ///
  /// Without `writes` they are only counted, as far as that is possible without writing.
  func mergeRecords(_ member: Member, _ history: StoreHistory, writes: Bool) throws {
    for key in pending.keys {
      guard var series = pending.removeValue(forKey: key) else { continue }
      try encode(&series)
      pending[key] = series
    }
    let encoded = try encoder.finish()
    let sets = try transaction.run { try Provenances($0, history) }
    var absent: [SeriesKey: StoredSeries] = [:]
    for series in try transaction.run({ try $0.allSeries() }) {
      absent[SeriesKey(type: series.type.identifier, source: series.source)] = series
    }
    let order = pending.keys.sorted { ($0.type, $0.source) < ($1.type, $1.source) }
    for key in order {
      guard let series = pending.removeValue(forKey: key) else { continue }
      absent[key] = nil
      for number in series.runs {
        summary.types[key.type, default: .init()].repeating += encoded[number].repeating
      }
      let runs = series.runs.flatMap { encoded[$0].runs }
      let mayHaveIdentities = series.runs.contains { encoded[$0].mayHaveIdentities }
      let counts = try transaction.run { database in
        try merge(
          series, runs, member, sets, mayHaveIdentities: mayHaveIdentities, writes: writes,
          in: database)
      }
      summary.types[key.type, default: .init()] += counts
    }
    for series in absent.values where member.file != nil {
      var counts = ImportSummary.Counts()
      counts.onlyInStore = try transaction.run { database in
        let files = try database.files(of: series)
        let isOfFormat = files.contains {
          history.files[$0].map { $0.isPresent && $0.format == format } ?? false
        }
        return isOfFormat ? series.count : 0
      }
      summary.types[series.type.identifier, default: .init()] += counts
    }
    if writes { try transaction.run { try sets.write(to: $0) } }
  }

  /// Takes away what only replaced files have, in series that the file may lack.
  func removeReplaced(_ replaced: Set<Int64>, _ history: StoreHistory) throws {
    try transaction.run { database in
      let sets = try Provenances(database, history)
      for series in try database.allSeries() {
        let files = try database.files(of: series)
        guard !replaced.isDisjoint(with: files) else { continue }
        let outcome = try database.replay(
          series.type, series.source, SeriesFiles(sets, files), revision: transaction.revision)
        let gone = outcome.dropped + outcome.retold
        summary.types[series.type.identifier, default: .init()].deleted += gone
        summary.types[series.type.identifier, default: .init()].onlyInStore -= gone
      }
      for kind in ElementKind.allCases {
        guard try !replaced.isDisjoint(with: database.files(of: kind)) else { continue }
        var replay = try ElementReplay(
          kind, sets, in: database, revision: transaction.revision)
        let gone = try replay.decideAll().deleted
        summary.elements[kind, default: .init()].deleted += gone
        summary.elements[kind, default: .init()].onlyInStore -= gone
      }
      try sets.write(to: database)
    }
  }

  private func merge(
    _ series: PendingSeries, _ runs: [Run], _ member: Member, _ sets: Provenances,
    mayHaveIdentities: Bool, writes: Bool, in database: Database
  ) throws -> ImportSummary.Counts {
    let stored = try database.series(of: series.type, series.source)
    let files = try SeriesFiles(
      sets, database.files(of: stored), importing: member.file, naming: member.name)
    var known = units[series.type.identifier] ?? RecordedUnits(of: series.type)
    let runUnits = known
    let hidden = try HiddenRows(
      database.chunks(.hidden, of: series.type, series.source), in: database, units: &known)
    let plan = RunPlan(
      runs, among: stored.chunks, hidden: hidden.chunks, fewestMovedRows: sizes.fewestMovedRows)
    let fresh = RunMerge(
      plan.merged, agreement: ValueAgreement(of: series.type), keepsOrdinals: keepsOrdinals
    ) {
      [spillFile, path = store.path, memberSet = files.fresh] run throws(StoreError) in
      var units = runUnits
      return try StoreError.naming(path) {
        try RowCursor(
          core: try spillFile.bytes(run.core), detail: try spillFile.bytes(run.detail),
          memberSet: memberSet, units: &units)
      }
    }
    let writer =
      writes
      ? try ChunkWriter(
        type: series.type, source: series.source, database: database,
        revision: transaction.revision) : nil
    var merge = SeriesMerge(
      fresh, files: files, hidden: hidden, database: database, writer: writer)
    for run in plan.moved {
      try writer?.move(run, from: spillFile, memberSet: files.fresh)
    }
    try merge.run(into: plan.slots, units: &known)
    try writer?.finish()
    var counts = merge.counts
    for run in plan.moved {
      counts.new += run.count
      counts.duplicates += run.duplicates
    }
    counts.onlyInStore = stored.count - merge.matchedRows
    guard writes else { return counts }
    if let file = member.file {
      try database.record(file, of: database.numbers(of: series.type, series.source))
    }
    let span = plan.moved.reduce(merge.inserted) { $0?.union($1.span) ?? $1.span }
    let matched = hidden.chunks.isEmpty ? nil : merge.hidden.matched
    let naming =
      mayHaveIdentities && member.file != nil
      ? try SampleVersions.naming(
        series.type, series.source, files, matched: matched, units: &known, in: database) : nil
    var replay = try SeriesReplay(
      series.type, series.source, files, units: known, matched: matched, naming: naming,
      in: database, revision: transaction.revision)
    let isTouched =
      span.map { span in
        stored.chunks.contains { $0.firstStart <= span.upperBound && span.lowerBound <= $0.lastEnd }
      } ?? false
    let isPast = !files.isNewest && !stored.chunks.isEmpty || member.name != nil
    guard isTouched || isPast || !hidden.chunks.isEmpty || replay.hasPeriods || naming != nil
    else {
      return counts
    }
    var replayed =
      files.isNewest && naming == nil ? span ?? .infinity ... .infinity : -.infinity ... .infinity
    if let name = member.name {
      // What an act names or means, and what that overlaps.
      let named = runs.map(\.span) + replay.periods(of: name)
      replayed = named.reduce(named.first ?? replayed) { $0.union($1) }
    }
    let outcome = try replay.run(in: replayed)
    counts.superseded = outcome.retold
    // Of files that this one replaces.
    counts.deleted = outcome.dropped
    counts.onlyInStore -= outcome.retold + outcome.reworded + outcome.dropped
    // What counts again is new to whoever reads totals.
    let others = min(outcome.known, counts.new) - outcome.returned
    counts.new -= others
    counts.known += others
    counts.deletedBefore = outcome.keptOut
    return counts
  }
}

extension Database {
  /// Decides anew which rows of a series count, of which some may get other sets.
  func replay(
    _ type: SampleType, _ source: Source, _ files: SeriesFiles,
    naming: SeriesReplay.Naming? = nil, in span: ClosedRange<Double>? = nil, revision: Revision
  ) throws -> SeriesReplay.Outcome {
    var (naming, units) = (naming, RecordedUnits(of: type))
    // Other files may count than before: what they tell otherwise is found out anew.
    if naming == nil, span == nil {
      naming = try SampleVersions.naming(type, source, files, units: &units, in: self)
    }
    var replay = try SeriesReplay(
      type, source, files, units: units, naming: naming, in: self,
      revision: revision)
    return try replay.run(in: span)
  }
}
