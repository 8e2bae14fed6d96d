import HealthAnswers
import HealthQuery
import HealthSamples

/// The rings of the last day that counts, and how many of the last seven closed them all.
struct RingCard {
  /// The last seven days that count, of which the last is drawn, and the seven before; `nil` outside the
  /// period.
  let week: (ask: Ask, answer: RingAnswer)
  let weekBefore: (ask: Ask, answer: RingAnswer)?

  func write(to markup: inout Markup, _ page: Page) {
    guard let day = week.answer.days.last else { return }
    let words = page.words.overview
    let date = CivilDate(dayNumber: day.day)
    markup.element("article", ["class": "card rings f-activity"]) { markup in
      markup.element("p", ["class": "card-head"]) { markup in
        markup.element("span", ["class": "dot"], "")
        markup.write(TextPattern.filled(words.rings, page.dates.day(date)))
      }
      markup.element("p", ["class": "number"]) { markup in
        markup.element("b", ["dir": "ltr"]) { markup in
          markup.write(words.closed, Self.counts(week, page))
        }
        markup.element("span", ["class": "unit"], words.closedUnit)
      }
      if let weekBefore {
        markup.element("p", ["class": "verdict"]) { markup in
          markup.write(words.closedBefore, Self.counts(weekBefore, page))
        }
      }
      let shares = Rings.shown(week.answer.rings).map { ($0, $0.share(of: day)) }
      let rings = Rings(shares: shares)
      rings.write(to: &markup, size: 92, text: rings.text(page), style: "ring-large")
      markup.element("dl", ["class": "rows"]) { markup in
        for ring in Rings.shown(week.answer.rings) { row(ring, day, to: &markup, page) }
      }
    }
  }

  /// On how many days all were closed, and how many days there are.
  private static func counts(
    _ asked: (ask: Ask, answer: RingAnswer), _ page: Page
  ) -> [(inout Markup) -> Void] {
    [("closedAll", asked.answer.closedAll), ("dayCount", asked.answer.counted.count)].map {
      place, count in
      {
        AskedNumber(ask: asked.ask, place: place, text: page.writer.number(count))
          .write(to: &$0, "span")
      }
    }
  }

  private func row(
    _ ring: ActivityRing, _ day: ActivitySummaries.Row, to markup: inout Markup, _ page: Page
  ) {
    let words = page.words.overview
    let place = "days[day=\(LocalTime.text(of: CivilDate(dayNumber: day.day)))].\(ring.rawValue)"
    let units = page.reader.activityUnits
    func number(_ member: String, _ value: Double?, percent: Bool = false) -> AskedNumber? {
      guard let value else { return nil }
      let text =
        percent
        ? Rings.percent(value, page)
        : ScaledNumber.scaled(units.value(value, of: ring), digits: 0)
          .map { page.writer.number($0) }
      return text.map { AskedNumber(ask: week.ask, place: "\(place).\(member)", text: $0) }
    }
    markup.element("div") { markup in
      markup.element("dt") { markup in
        markup.element("span", ["class": "key r-\(Rings.style(of: ring))"], "")
        markup.write(words.name(of: ring))
      }
      markup.element("dd", ["dir": "ltr"]) { markup in
        let numbers = [
          number("share", ring.share(of: day), percent: true), number("value", ring.value(of: day)),
          number("goal", ring.goal(of: day)),
        ]
        markup.write(
          words.goal,
          numbers.map { number in { number?.write(to: &$0, "span") } })
        markup.write("\u{A0}\(page.unit(of: ring))")
      }
    }
  }
}

/// Three rings: the share of each goal clockwise from the top, move outside and stand inside.
struct Rings {
  let shares: [(ring: ActivityRing, share: Double?)]

  /// The three rings of a person: minutes of moving stand in place of energy where they have goals.
  static func shown(_ rings: [ActivityRing]) -> [ActivityRing] {
    rings.contains(.moveTime) ? rings.filter { $0 != .move } : rings
  }

  /// The class of a ring: minutes of moving stand where energy does.
  static func style(of ring: ActivityRing) -> String {
    ring == .moveTime ? ActivityRing.move.rawValue : ring.rawValue
  }

  /// Writes the rings; those of small size without a second lap.
  func write(to markup: inout Markup, size: Double, text: String, style: String) {
    markup.element(
      "svg",
      [
        "class": style, "role": "img", "aria-label": text, "width": Plot.pixel(size),
        "height": Plot.pixel(size), "viewBox": "0 0 100 100",
      ]
    ) { markup in
      var radius = 43.0
      for (ring, share) in shares {
        draw(Self.style(of: ring), share ?? 0, radius: radius, isLarge: size > 60, to: &markup)
        radius -= 14.5
      }
    }
  }

  /// The shares of goals that are known, as text.
  func text(_ page: Page) -> String {
    shares.compactMap { ring, share in
      share.flatMap { Self.percent($0, page) }
        .map { "\(page.words.overview.name(of: ring)) \($0)" }
    }.joined(separator: page.words.phrases.comma)
  }

  /// A share of a goal as text; what is not reached is not written as if it were.
  static func percent(_ share: Double, _ page: Page) -> String? {
    let whole = ScaledNumber.scaled(share, digits: 0, percent: true)
    guard share < 1, whole == 100 else { return whole.map { page.writer.percent($0) } }
    let tenths = ScaledNumber.scaled(share, digits: 1, percent: true)
    return tenths.map { page.writer.percent(min($0, 999), digits: 1) }
  }

  private func draw(
    _ name: String, _ share: Double, radius: Double, isLarge: Bool, to markup: inout Markup
  ) {
    let width = 12.5
    func circle(_ style: String, _ share: Double, width: Double) {
      let length = 2 * Double.pi * radius
      // A round cap reaches half its width beyond the end: an open ring must not look closed.
      let cap = share < 1 ? width / 2 / length : 0
      let drawn = share >= 1 ? 1 : max(min(share - cap, 1 - 3 * cap), 0.001)
      markup.empty(
        "circle",
        [
          "class": style, "cx": "50", "cy": "50", "r": Plot.pixel(radius), "fill": "none",
          "stroke-width": Plot.pixel(width), "pathLength": "1000",
          "stroke-dasharray": share >= 1 ? nil : "\(Int(drawn * 1000)) 1000",
          "stroke-linecap": share >= 1 ? nil : "round", "transform": "rotate(-90 50 50)",
        ])
    }
    circle("track r-\(name)", 1, width: width)
    let bounded = share.isFinite ? min(max(share, 0), 100) : 0
    if bounded > 0 { circle("r-\(name)", min(bounded, 1), width: width) }
    let second = bounded - 1
    if isLarge, second > 0.005 { circle("r-\(name) over", min(second, 0.999), width: 5) }
  }
}

/// The rings of four whole weeks, or of as much of them as the period has.
struct RingCalendar {
  let answer: RingAnswer
  let ask: Ask
  /// The first Monday or Sunday of the four weeks, or the first day of the period.
  let first: CivilDate
  let end: CivilDate
  let isOfFourWeeks: Bool

  func write(to markup: inout Markup, _ page: inout Page) {
    let days = Dictionary(answer.days.map { ($0.day, $0) }, uniquingKeysWith: { $1 })
    let shown = Rings.shown(answer.rings)
    let (writer, closedWords) = (page.writer, page.words.year.closed)
    let title =
      isOfFourWeeks
      ? page.words.year.rings
      : TextPattern.filled(
        page.words.overview.rings, page.dates.range(first, end.adding(days: -1)))
    markup.card(title, family: .activity, isWide: true) { aside in
      let counts =
        shown.map { ring in
          let name = ring.rawValue.prefix(1).uppercased() + ring.rawValue.dropFirst()
          return ("closed\(name)", answer.closed(ring))
        } + [("dayCount", answer.counted.count)]
      aside.write(
        closedWords,
        counts.map { place, count in
          {
            AskedNumber(ask: ask, place: place, text: writer.number(count))
              .write(to: &$0, "span")
          }
        })
    } _: { markup in
      let table = page.payload.add(table(page))
      let rows = Figure.Rows(
        table: table, range: 0..<answer.days.count,
        columns: shown.indices.map { 2 * $0 })
      markup.figure(
        page.words.figure.readable(title), rows, style: "ring-grid"
      ) { markup in
        // Weeks stand below each other from their first day on.
        let lead = (first.weekday + 7 - page.writer.language.firstWeekday) % 7
        for _ in 0..<lead { markup.element("div", ["class": "ring-day"], "") }
        for number in first.dayNumber..<end.dayNumber {
          day(number, days[number], shown, to: &markup, page)
        }
      }
      let keys = page.words.year
      markup.key(
        zip(shown, [keys.keyMove, keys.keyExercise, keys.keyStand]).map { ring, text in
          ({ $0.circle("r-\(Rings.style(of: ring)) ring-mark", x: 0.5, y: 7, radius: 4) }, text)
        }, note: keys.keyFull)
      markup.table(table, page.words.table.rings, of: title, page)
    }
  }

  private func day(
    _ number: Int, _ summary: ActivitySummaries.Row?, _ shown: [ActivityRing],
    to markup: inout Markup, _ page: Page
  ) {
    let date = CivilDate(dayNumber: number)
    let shares = shown.map { ring in (ring: ring, share: summary.flatMap(ring.share)) }
    let rings = Rings(shares: shares)
    let text = rings.text(page)
    let row = answer.days.firstIndex { $0.day == number }
    markup.element("div", ["class": "ring-day", "data-row": row.map(String.init)]) { markup in
      let label = TextPattern.filled(
        page.words.patterns.labelled, page.dates.day(date),
        text.isEmpty ? page.words.states.noData : text)
      rings.write(to: &markup, size: 52, text: label, style: "ring")
      let isFirst = number == first.dayNumber || date.day == 1
      markup.element(
        "p", ["aria-hidden": "true"],
        isFirst
          ? page.dates.dayAndMonth(date) : "\(page.dates.narrowWeekday(date.weekday)) \(date.day)")
    }
  }

  private func table(_ page: Page) -> PageTable {
    let (words, units) = (page.words, page.reader.activityUnits)
    var columns: [PageTable.Column] = []
    for ring in Rings.shown(answer.rings) {
      let unit = page.unit(of: ring)
      for (member, read) in [
        ("value", { ring.value(of: $0) }), ("goal", { ring.goal(of: $0) }),
      ] as [(String, (ActivitySummaries.Row) -> Double?)] {
        columns.append(
          PageTable.Column(
            stat: "\(ring.rawValue).\(member)",
            name: words.overview.name(of: ring)
              + (member == "value" ? "" : ", \(words.overview.ringGoal)"), unit: unit,
            form: .number(0),
            values: answer.days.map { day in
              PageTable.Form.number(0).shown(read(day).map { units.value($0, of: ring) })
            }))
      }
    }
    return PageTable(
      ask: ask, row: .row, head: page.words.table.day,
      starts: answer.days.map { CivilDate(dayNumber: $0.day).text }, columns: columns)
  }
}
