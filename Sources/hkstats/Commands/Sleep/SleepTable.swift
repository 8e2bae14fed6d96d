import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport

/// Nights as a table for people: columns that no night fills are left out.
struct SleepTable {
  let answer: SleepAnswer

  var page: AnswerView.Page {
    let nights = answer.nights
    let columns = columns.filter { $0.cells.contains { $0 != nil } }
    var table = Table(
      columns: [.words("night")]
        + columns.map { $0.isNumber ? .numbers($0.title) : .words($0.title) })
    for row in 0..<nights.count {
      let day = LocalTime(nights.days[row], in: answer.timeZone)
      table.add([day.dayText] + columns.map { $0.cells[row] ?? "–" })
    }
    let means = answer.averages()
    if means.nightCounts.contains(where: { $0 > 1 }) {
      table.add(
        [Vocabulary.current.caption("mean of {0}", "\(means.nightCounts[0])")]
          + columns.map { $0.mean(means) ?? "" })
    }
    return AnswerView.Page(
      table: table, notes: SleepCaptions.notes(of: answer) + means.markNotes)
  }

  private struct Column {
    let title: String
    var isNumber = true
    let cells: [String?]
    let mean: (SleepAverages) -> String?
  }

  private var columns: [Column] {
    let nights = answer.nights
    let rows = 0..<nights.count
    func clock(_ instant: Double?) -> String? {
      instant.map { LocalTime($0, in: answer.timeZone).minuteText }
    }
    let stages = SleepStage.told.map { stage in
      Column(
        title: SleepCaptions.name(stage),
        cells: nights.stages.map { $0[stage].map(SleepCaptions.time) },
        mean: {
          $0.marked($0.stages.map { $0[stage].map(SleepCaptions.time) }, over: $0.stageCounts)[0]
        })
    }
    return [
      Column(
        title: SleepCaptions.part("asleep"),
        cells: nights.asleep.map { $0.map(SleepCaptions.time) },
        mean: { $0.marked($0.asleep.map { $0.map(SleepCaptions.time) }, over: $0.asleepCounts)[0] })
    ] + stages + [
      Column(
        title: SleepCaptions.part("inBed"), cells: nights.inBed.map { $0.map(SleepCaptions.time) },
        mean: { $0.marked($0.inBed.map { $0.map(SleepCaptions.time) }, over: $0.inBedCounts)[0] }),
      Column(
        title: "efficiency", cells: rows.map { nights.efficiency($0).map(Self.percent) },
        mean: {
          $0.marked($0.efficiencies.map { $0.map(Self.percent) }, over: $0.efficiencyCounts)[0]
        }),
      Column(
        title: "from", cells: nights.spans.map { clock($0?.lowerBound) },
        mean: { $0.bedtimes[0].map(SleepCaptions.clock) }),
      Column(
        title: "to", cells: rows.map { clock(nights.wake($0)) },
        mean: { $0.wakes[0].map(SleepCaptions.clock) }),
      Column(
        title: "naps", isNumber: false,
        cells: nights.naps.map { naps in
          naps.isEmpty
            ? nil
            : naps.map {
              Vocabulary.current.caption(
                "{0} at {1}", SleepCaptions.time($0.asleep), clock($0.span.lowerBound) ?? "")
            }
            .joined(separator: ", ")
        }, mean: { _ in nil }),
      Column(
        title: "counted by", isNumber: false, cells: rows.map(source), mean: { _ in nil }),
    ]
  }

  /// Who counted; with shares where there is more than one.
  private func source(_ row: Int) -> String? {
    let all = answer.nights.sources[row]
    let counted = all.filter { $0.asleep > 0 }
    let names = counted.isEmpty ? all : counted
    guard let total = answer.nights.asleep[row], counted.count > 1 else {
      return names.isEmpty ? nil : names.map(\.source.shortName).joined(separator: ", ")
    }
    return names.map { "\($0.source.shortName) \(Self.percent($0.asleep / total))" }
      .joined(separator: ", ")
  }

  static func percent(_ share: Double) -> String {
    NumberText.rounded(share * 100, decimals: 0) + " %"
  }
}

/// The means of weeks or months as a table for people.
struct SleepAverageTable {
  let answer: SleepAnswer
  let period: SleepAverages.Period
  let means: SleepAverages

  var page: AnswerView.Page {
    let columns = columns(means).filter { $0.cells.contains { $0 != nil } }
    var table = Table(columns: [.words(period.rawValue)] + columns.map { .numbers($0.title) })
    for row in 0..<means.count {
      table.add(
        [means.label(row, period, in: answer.timeZone)] + columns.map { $0.cells[row] ?? "–" })
    }
    return AnswerView.Page(
      table: table, notes: SleepCaptions.notes(of: answer) + means.markNotes)
  }

  private func columns(_ means: SleepAverages) -> [(title: String, cells: [String?])] {
    func times(_ column: [Double?], over counts: [Int]? = nil) -> [String?] {
      means.marked(column.map { $0.map(SleepCaptions.time) }, over: counts ?? means.nightCounts)
    }
    func clocks(_ column: [Double?]) -> [String?] { column.map { $0.map(SleepCaptions.clock) } }
    let stages = SleepStage.told.map { stage in
      (SleepCaptions.name(stage), times(means.stages.map { $0[stage] }, over: means.stageCounts))
    }
    return [
      ("nights", means.nightCounts.map { NumberText.grouped($0) }),
      (SleepCaptions.part("asleep"), times(means.asleep, over: means.asleepCounts)),
    ] + stages + [
      (SleepCaptions.part("inBed"), times(means.inBed, over: means.inBedCounts)),
      (
        "efficiency",
        means.marked(
          means.efficiencies.map { $0.map(SleepTable.percent) }, over: means.efficiencyCounts)
      ),
      ("from", clocks(means.bedtimes)), ("to", clocks(means.wakes)),
      ("naps", means.napCounts.map { $0 == 0 ? nil : NumberText.grouped($0) }),
      ("a nap", times(means.napAsleep)),
    ]
  }
}

extension SleepAverages {
  /// Means with the number of nights in brackets where not all nights recorded them.
  fileprivate func marked(_ cells: [String?], over counts: [Int]) -> [String?] {
    cells.indices.map { row in
      cells[row].map { counts[row] == nightCounts[row] ? $0 : "\($0) (\(counts[row]))" }
    }
  }

  /// What the brackets mean; nothing where there are none.
  fileprivate var markNotes: [String] {
    let all = [asleepCounts, stageCounts, inBedCounts, efficiencyCounts]
    guard all.contains(where: { $0.contains { $0 > 0 } && $0 != nightCounts }) else { return [] }
    return ["A number in brackets: the mean is over so many nights; the others did not record it."]
  }
}
