import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples

/// The kilometres or miles of workouts as a view, a row each.
struct WorkoutSplitsView {
  let workouts: [Workouts.Row]
  /// The splits of each workout.
  let splits: [[WorkoutSplit]]
  let length: SplitLength
  /// Units whose distances are in the length of a split.
  let units: ActivityUnits
  let zones: ZoneTimeline

  /// A split with the place of its workout.
  private struct Row {
    let workout: Workouts.Row
    let split: WorkoutSplit
  }

  private var rows: [Row] {
    zip(workouts, splits).flatMap { workout, splits in
      splits.map { Row(workout: workout, split: $0) }
    }
  }

  var answerView: AnswerView {
    var view = AnswerView(.splits(of: workouts, splits, length: length, in: units, zones: zones))
    view.emptySentence =
      workouts.isEmpty ? "No workouts." : "No workout here has a route, which splits need."
    view.page = { AnswerView.Page(table: table(rows), notes: notes) }
    return view
  }

  /// The pace of each split as a bar.
  func chart(width: Int, style: TextStyle) -> [String] {
    BarChart(
      bars: rows.map { row in
        BarChart.Bar(
          label: "\(label(row.workout)) \(row.split.number)", value: row.split.pace,
          text: AmountText.stopwatch(row.split.duration))
      }
    ).lines(width: width, style: style)
  }

  private func label(_ workout: Workouts.Row) -> String {
    LocalTime(workout.facts.start, in: zones).momentText
  }

  private var notes: [String] {
    let without = splits.count(where: \.isEmpty)
    return without == 0
      ? [] : ["\(AmountText.count(without, "workout")) here without a route: no splits."]
  }

  private func table(_ rows: [Row]) -> Table {
    var table = Table(
      columns: [
        .words("start"), .words("activity"), .numbers(length.rawValue), .numbers("time"),
        .numbers(units.title(of: .pace)), .numbers("climb (m)"), .numbers("descent (m)"),
        .numbers("♥ mean"),
      ])
    func whole(_ value: Double?) -> String {
      value.map { NumberText.rounded($0, decimals: 0) } ?? "–"
    }
    for row in rows {
      let split = row.split
      let isFirst = split.number == 1
      let isWhole = split.distance == length.metres
      table.add([
        isFirst ? label(row.workout) : "",
        isFirst ? ActivityTitle.of(row.workout.activity) : "",
        isWhole
          ? "\(split.number)"
          : "+" + units.text(split.distance, of: .distance),
        AmountText.stopwatch(split.duration),
        units.text(split.pace, of: .pace),
        whole(split.elevationGain), whole(split.elevationLoss), whole(split.meanHeartRate),
      ])
    }
    return table
  }
}
