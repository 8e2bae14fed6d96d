import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport

/// The places of routes as a view, a row each.
struct WorkoutPlacesView {
  let places: [RoutePlace]
  /// Whether there are workouts at all.
  let hasWorkouts: Bool
  let units: ActivityUnits
  let zones: ZoneTimeline

  var answerView: AnswerView {
    var view = AnswerView(.places(places, in: units, zones: zones))
    view.emptySentence = hasWorkouts ? "No workout here has a route." : "No workouts."
    view.page = { AnswerView.Page(table: table) }
    return view
  }

  /// The routes of each place as a bar.
  func chart(width: Int, style: TextStyle) -> [String] {
    BarChart(
      bars: places.map { place in
        BarChart.Bar(
          label: label(place), value: Double(place.count), text: NumberText.grouped(place.count))
      }
    ).lines(width: width, style: style)
  }

  private func label(_ place: RoutePlace) -> String {
    // As they are typed.
    ShownLanguage.speaking(.english) {
      [place.latitude, place.longitude].map { NumberText.rounded($0, decimals: 2) }
        .joined(separator: ", ")
    }
  }

  private var table: Table {
    var table = Table(
      columns: [
        .words("about"), .numbers("routes"), .numbers(units.title(of: .distance)),
        .words("first"), .words("last"),
      ])
    for place in places {
      table.add([
        label(place), NumberText.grouped(place.count),
        units.text(place.distance, of: .distance),
        LocalTime(place.first, in: zones).dateText, LocalTime(place.last, in: zones).dateText,
      ])
    }
    return table
  }
}
