import HealthAnswers
import HealthQuery
import HealthSamples

/// Workouts: the hours of each month, one in full, all routes of the year, and a list.
struct WorkoutSection: PageSection {
  static let section = ReportSection.workouts

  let answers: WorkoutAnswers

  /// How many workouts stand in the list.
  private static let listed = 10

  /// Reads the workouts of the period; `nil` without any.
  init?(_ reader: ReportReader) throws(ReportError) {
    guard let answers = try reader.workouts() else { return nil }
    self.answers = answers
  }

  func write(to markup: inout Markup, _ page: inout Page) {
    markup.element("div", ["class": "two"]) { markup in
      if let (ask, answer, first) = answers.months {
        WorkoutMonths(ask: ask, answer: answer, first: first, unit: answers.unit)
          .write(to: &markup, &page)
      }
      if let one = answers.one {
        WorkoutCard(workout: one, units: page.reader.activityUnits).write(to: &markup, &page)
      }
      routes(to: &markup, page)
      list(to: &markup, &page)
    }
  }

  // MARK: - Routes

  /// A map for each place, that with most routes first.
  private func routes(to markup: inout Markup, _ page: Page) {
    guard let places = answers.places else { return }
    let words = page.words.workouts
    func routeCount(_ index: Int, _ count: Int) -> (inout Markup) -> Void {
      let number = AskedNumber(
        ask: places.ask, place: "places[\(index)].routes", text: page.writer.number(count))
      return { $0.write(words.routeCount, [{ number.write(to: &$0, "span") }]) }
    }
    let isOne = places.shown.count == 1
    let title = TextPattern.filled(words.routes, page.reader.ofLastYear)
    markup.card(title, family: .activity) { aside in
      if isOne, let place = places.shown.first {
        routeCount(place.index, place.routeCount)(&aside)
      }
    } _: { markup in
      for place in places.shown {
        let map = RouteMap(
          place.shapes, height: RouteMap.tallest, isOfOne: false, unit: answers.unit.metres)
        guard let map else { continue }
        if !isOne {
          markup.element(
            "p", ["class": "small-head"], routeCount(place.index, place.routeCount))
        }
        map.write(to: &markup, name: title)
        markup.caption(
          TextPattern.filled(
            words.routesCaption, map.scaleLine.text(page.writer, answers.unit)))
      }
      guard places.count > places.shown.count else { return }
      markup.element("p", ["class": "caption"]) { markup in
        let count = AskedNumber(
          ask: places.ask, place: "places#", text: page.writer.number(places.count))
        markup.write(
          words.placesShown,
          [
            { $0.write(page.writer.number(places.shown.count)) },
            { count.write(to: &$0, "span") },
          ])
      }
    }
  }

  // MARK: - The list

  private func list(to markup: inout Markup, _ page: inout Page) {
    let words = page.words.workouts
    let shown = answers.list.prefix(Self.listed)
    let table = page.payload.add(table(page))
    let title = TextPattern.filled(words.last, page.writer.number(shown.count))
    markup.card(title, family: .activity, isWide: answers.places == nil) { markup in
      let beats = UnitNames.name(of: Measure.of("heartRate"), page.writer.language.base).other
      markup.element(
        "div", ["class": "scroll", "role": "region", "tabindex": "0", "aria-label": title]
      ) { markup in
        markup.element("table", ["class": "data stack"]) { markup in
          markup.element("thead") { markup in
            markup.element("tr") { markup in
              for text in [words.day, words.kind] {
                markup.element("th", ["scope": "col"], text)
              }
              for (text, name) in [
                (words.time, nil), (answers.unit.rawValue, words.distance),
                (page.energyUnit, words.energy), (beats, words.meanHeartRate),
              ] {
                markup.element(
                  "th", ["scope": "col", "class": "n", "aria-label": name, "title": name], text)
              }
            }
          }
          markup.element("tbody") { markup in
            for (place, facts) in shown.enumerated() { row(facts, place, to: &markup, page) }
          }
        }
      }
      let count = page.writer.number(answers.list.count)
      markup.table(
        table,
        TextPattern.filled(
          answers.count > answers.list.count ? words.last : page.words.table.workouts, count),
        of: page.words.sections.workouts.head, page)
    }
  }

  private func row(
    _ facts: WorkoutFacts, _ place: Int, to markup: inout Markup, _ page: Page
  ) {
    let prefix = "workouts[\(place)]"
    let date = LocalTime(facts.workout.facts.start, in: page.reader.zones).date
    func cell(
      _ form: PageTable.Form, _ value: Double?, _ name: String, _ unit: String? = nil,
      to markup: inout Markup
    ) {
      markup.cell(form, value, AskedPlace(answers.listAsk, "\(prefix).\(name)"), page, unit: unit)
    }
    markup.element("tr") { markup in
      let day = page.dates.shortDay(date).replacing(" ", with: "\u{A0}")
      markup.element("th", ["scope": "row"], day)
      markup.element("td") { markup in
        markup.element("bdi", [:], page.words.name(ofWorkout: facts.workout.activity))
      }
      cell(.duration, facts.value(.duration), "duration", to: &markup)
      cell(
        .number(1), answers.unit(facts.value(.distance)), "distance", answers.unit.rawValue,
        to: &markup)
      cell(.number(0), energy(facts, page), "energy", page.energyUnit, to: &markup)
      let beats = UnitNames.name(of: Measure.of("heartRate"), page.writer.language.base).other
      cell(.number(0), facts.value(.heartRate), "heartRate.mean", beats, to: &markup)
    }
  }

  /// The energy of a workout in the unit of the page.
  private func energy(_ facts: WorkoutFacts, _ page: Page) -> Double? {
    facts.value(.energy).map { page.reader.activityUnits.value($0, of: .energy) }
  }

  /// All workouts of the list, the first one first, as tables of the payload are.
  private func table(_ page: Page) -> PageTable {
    let words = page.words.workouts
    let list = Array(answers.list.reversed())
    let beats = UnitNames.name(of: Measure.of("heartRate"), page.writer.language.base).other
    func column(
      _ stat: String, _ name: String, unit: String = "", _ form: PageTable.Form,
      _ value: (WorkoutFacts) -> Double?
    ) -> PageTable.Column {
      PageTable.Column(
        stat: stat, name: name, unit: unit, form: form, values: list.map { form.shown(value($0)) })
    }
    var kinds: [String: String] = [:]
    var columns = [
      PageTable.Column(
        stat: "activity", name: words.kind,
        texts: list.map { facts in
          let activity = facts.workout.activity
          if let known = kinds[activity] { return known }
          let name = page.words.name(ofWorkout: activity)
          kinds[activity] = name
          return name
        }),
      column("duration", words.time, .duration) { $0.value(.duration) },
      column("distance", words.distance, unit: answers.unit.rawValue, .number(2)) {
        answers.unit($0.value(.distance))
      },
      column("energy", words.energy, unit: page.energyUnit, .number(0)) { energy($0, page) },
      column("heartRate.mean", words.meanHeartRate, unit: beats, .number(0)) {
        $0.value(.heartRate)
      },
    ]
    if Set(list.map(\.workout.facts.source)).count > 1 {
      columns.append(
        PageTable.Column(
          stat: "source", name: page.words.sources.source,
          texts: list.map { ShownName($0.workout.facts.source.name).whole }))
    }
    return PageTable(
      ask: answers.listAsk, row: .row, head: words.day,
      starts: list.map { LocalTime($0.workout.facts.start, in: page.reader.zones).isoText },
      columns: columns)
  }
}
