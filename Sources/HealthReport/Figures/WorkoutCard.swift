import HealthAnswers
import HealthQuery
import HealthSamples

/// One workout in full: its route, its kilometres or miles, its time in heart rate zones.
struct WorkoutCard {
  let workout: OneWorkout
  let units: ActivityUnits

  /// How many splits have a row.
  private static let mostSplits = 42
  /// The drawing of a bar.
  private static let barHeight = 12.0

  private var facts: WorkoutFacts { workout.facts }
  private var unit: SplitLength { units.splitLength }

  private func ask(_ options: KeyValuePairs<String, String?> = [:]) -> Ask {
    var ask = Ask(["workouts"], options)
    ask.add(["from": workout.period.from, "to": workout.period.to, "unit": units.text])
    return ask
  }

  /// Writes the card.
  func write(to markup: inout Markup, _ page: inout Page) {
    let start = LocalTime(facts.workout.facts.start, in: page.reader.zones)
    // The name keeps its direction to itself.
    let name = "\u{2068}\(page.words.name(ofWorkout: facts.workout.activity))\u{2069}"
    let title = TextPattern.filled(
      page.words.workouts.title, name, page.dates.day(start.date),
      page.dates.clock(minutes: start.hour * 60 + start.minute))
    let map = RouteMap(
      workout.shapes, height: RouteMap.low, isOfOne: true, unit: unit.metres)
    let splits = splits(&page)
    let hasZones = workout.zones.contains { $0.seconds > 0 }
    let count = [map != nil, splits != nil, hasZones].count { $0 }
    let style = count == 3 ? "split three" : count == 2 ? "split even" : nil
    markup.card(title, family: .heart, isWide: true) { aside in
      summary(to: &aside, page)
    } _: { markup in
      guard count > 0 else { return }
      markup.element("div", ["class": style]) { markup in
        map?.write(to: &markup, name: title)
        splits.map { markup.append($0) }
        if hasZones { zones(to: &markup, page) }
      }
      if let map { caption(map, to: &markup, page) }
      let words = page.words.workouts
      var lines = [workout.shapes.isEmpty ? words.lastWithHeartRate : words.lastWithRoute]
      if hasZones, isLongerThanZones { lines.append(words.outsideZones) }
      markup.caption(lines.joined(separator: page.words.phrases.space))
    }
  }

  /// Whether the times in zones, as shown, do not add up to the time of the workout.
  private var isLongerThanZones: Bool {
    let seconds = workout.zones.reduce(0) { $0 + $1.seconds }
    // Each time is rounded for itself.
    return (facts.value(.duration) ?? 0) - seconds > Double(workout.zones.count)
  }

  /// Distance, time, energy, heart rates in one line.
  private func summary(to markup: inout Markup, _ page: Page) {
    let words = page.words.workouts
    let base = page.writer.language.base
    let prefix = "workouts[\(workout.place)]"
    let ask = ask()
    func number(
      _ value: Double?, _ place: String, digits: Int = 0, _ text: ((Int) -> String)? = nil
    ) -> ((inout Markup) -> Void)? {
      guard let shown = PageTable.Form.number(digits).shown(value) else { return nil }
      let text = text?(shown) ?? page.writer.number(shown, digits: digits)
      return {
        AskedNumber(ask: ask, place: "\(prefix).\(place)", text: text).write(to: &$0, "span")
      }
    }
    var parts: [(inout Markup) -> Void] = []
    let pattern = page.words.patterns.numberAndUnit
    func add(_ number: ((inout Markup) -> Void)?, _ unit: String) {
      guard let number else { return }
      parts.append { markup in
        markup.element("span", ["dir": "ltr"]) { markup in
          markup.write(
            pattern,
            [{ $0.element("b", [:], number) }, { $0.write(unit) }])
        }
      }
    }
    add(number(unit(facts.value(.distance)), "distance", digits: 2), unit.rawValue)
    add(
      number(facts.value(.duration), "duration") { page.writer.stopwatch(seconds: $0) },
      UnitNames.name(of: Measure.of(""), in: "min", base).other)
    add(
      number(facts.value(.energy).map { units.value($0, of: .energy) }, "energy"),
      page.energyUnit)
    if let mean = number(facts.value(.heartRate), "heartRate.mean"),
      let most = number(facts.value(.heartRateMax), "heartRate.max")
    {
      let beats = UnitNames.name(of: Measure.of("heartRate"), base).other
      parts.append { $0.write(words.heart, [mean, most, { $0.write(beats) }]) }
    }
    for (place, part) in parts.enumerated() {
      if place > 0 { markup.write(page.words.page.separator) }
      part(&markup)
    }
  }

  private func caption(_ map: RouteMap, to markup: inout Markup, _ page: Page) {
    let hidden = page.writer.withUnit(
      page.writer.number(Int(RouteShape.hidden)), "m")
    markup.element("p", ["class": "caption"]) { markup in
      markup.write(
        page.words.workouts.routeCaption,
        [
          { $0.element("code", ["dir": "ltr"], "--with-samples") },
          { $0.element("span", ["dir": "ltr"], hidden) },
          { $0.element("span", ["dir": "ltr"], map.scaleLine.text(page.writer, unit)) },
        ])
    }
  }

  // MARK: - Splits

  /// A row for each whole kilometre or mile: its bar is as long as it took.
  private func splits(_ page: inout Page) -> Markup? {
    let splits = workout.splits
    guard !splits.isEmpty else { return nil }
    let ask = ask(["splits": unit.rawValue])
    // The time of a whole kilometre is its pace.
    let seconds = splits.map { PageTable.Form.number(0).shown($0.duration) }
    let longest = Double(seconds.compactMap(\.self).max() ?? 1)
    let minute = UnitNames.name(of: Measure.of(""), in: "min", page.writer.language.base).other
    let title = TextPattern.filled(page.words.workouts.splits, "\(minute)/\(unit.rawValue)")
    var markup = Markup()
    markup.element("div") { markup in
      markup.element("table", ["class": "data"]) { markup in
        markup.element("caption", [:], title)
        markup.element("tbody") { markup in
          for (row, seconds) in seconds.prefix(Self.mostSplits).enumerated() {
            bar(
              "k1", share: seconds.map { Double(max(0, $0)) / max(longest, 1) } ?? 0,
              head: page.writer.withUnit(page.writer.number(row + 1), unit.rawValue),
              seconds: seconds,
              AskedPlace(ask, "splits[\(workout.firstSplit + row)].duration"), to: &markup, page)
          }
        }
      }
      guard splits.count > Self.mostSplits else { return }
      let summary = TextPattern.filled(
        page.words.table.workouts, page.writer.number(splits.count))
      markup.table(
        page.payload.add(table(splits, seconds, ask, page)), summary,
        of: title, page)
    }
    return markup
  }

  private func table(
    _ splits: [WorkoutSplit], _ seconds: [Int?], _ ask: Ask, _ page: Page
  ) -> PageTable {
    let most = 2000
    return PageTable(
      ask: ask, row: .row, head: unit.rawValue,
      starts: splits.prefix(most).map { "\($0.number)" },
      columns: [
        PageTable.Column(
          stat: "duration", name: page.words.workouts.time,
          texts: seconds.prefix(most).map { $0.map(page.writer.stopwatch) ?? "–" })
      ])
  }

  // MARK: - Zones

  private func zones(to markup: inout Markup, _ page: Page) {
    let words = page.words.workouts
    let beats = UnitNames.name(of: Measure.of("heartRate"), page.writer.language.base).other
    let isOfExport = workout.zones.contains { $0.place.hasPrefix("zoneGroups") }
    let ask = isOfExport ? ask() : ask(["zones": ReportReader.zoneText])
    let longest = max(workout.zones.map(\.seconds).max() ?? 1, 1)
    // In a box of its own, so that its rows are no taller than those beside it.
    markup.element("div") { markup in
      markup.element("table", ["class": "data"]) { markup in
        markup.element("caption", [:], TextPattern.filled(words.zones, beats))
        markup.element("tbody") { markup in
          for (place, zone) in workout.zones.enumerated().reversed() {
            bar(
              "z\(min(place, 4) + 1)", share: zone.seconds / longest, head: head(zone, page),
              seconds: PageTable.Form.number(0).shown(zone.seconds),
              AskedPlace(ask, "workouts[\(workout.place)].\(zone.place)"), to: &markup, page)
          }
        }
      }
    }
  }

  private func head(_ zone: HeartRateZone, _ page: Page) -> String {
    func text(_ bound: Double) -> String {
      PageTable.Form.number(0).shown(bound).map { page.writer.number($0) } ?? "–"
    }
    let words = page.words.workouts
    switch (zone.lower, zone.upper) {
    case (let lower?, let upper?): return "\(text(lower))–\(text(upper))"
    case (let lower?, nil): return TextPattern.filled(words.zoneFrom, text(lower))
    // The first zone ends below the bound that it is shown under.
    case (nil, let upper?):
      let isOfExport = zone.place.hasPrefix("zoneGroups")
      return TextPattern.filled(words.zoneUnder, text(isOfExport ? upper : upper + 1))
    case (nil, nil): return "–"
    }
  }

  /// A row with a bar.
  private func bar(
    _ style: String, share: Double, head: String, seconds: Int?, _ place: AskedPlace,
    to markup: inout Markup, _ page: Page
  ) {
    markup.element("tr") { markup in
      markup.element("th", ["scope": "row"]) { $0.element("span", ["dir": "ltr"], head) }
      markup.element("td", ["class": "bar"]) { markup in
        var plot = Plot(height: Self.barHeight, top: 0, bottom: 0, range: 0...1)
        if share > 0 {
          plot.rectangle(
            style, x: 0, width: min(share, 1), y: 0, height: Self.barHeight, radius: 2)
        }
        markup.element(
          "svg",
          ["width": "100%", "height": Plot.pixel(Self.barHeight), "aria-hidden": "true"]
        ) { $0.append(plot.drawing) }
      }
      markup.element("td", ["class": "n"]) { markup in
        guard let seconds else { return markup.write("–") }
        AskedNumber(
          ask: place.ask, place: place.place, text: page.writer.stopwatch(seconds: seconds)
        ).write(to: &markup, "span")
      }
    }
  }
}

extension RouteMap.ScaleLine {
  /// The length with its unit: `500 m`, `1 km`, `0.5 mi`.
  func text(_ writer: NumberWriter, _ unit: SplitLength) -> String {
    writer.withUnit(writer.number(scaled, digits: digits), isInMetres ? "m" : unit.rawValue)
  }
}
