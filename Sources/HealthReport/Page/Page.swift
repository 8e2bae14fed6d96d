import HealthAnswers

/// A page while it is written: what its parts share, and the numbers behind its figures.
struct Page {
  /// Where numbers are read.
  let reader: ReportReader
  /// The numbers behind the figures.
  var payload = Payload()
  /// The measures whose days have reasons.
  let explained: Set<String>
  /// Whether the page is for paper: smaller, without what needs a script.
  let isOnPaper: Bool
  private var tables: [String: String] = [:]

  /// Makes an empty page with the reasons behind days.
  init(
    _ reader: ReportReader, reasons: [(measure: String, reasons: DayReasons)] = [],
    isOnPaper: Bool = false
  ) {
    (self.reader, self.isOnPaper) = (reader, isOnPaper)
    explained = Set(reasons.map(\.measure))
    for (measure, reasons) in reasons { payload.add(reasons, of: measure) }
  }

  /// The id of the table of the days of a measure, which many figures read.
  mutating func table(of answers: MeasureAnswers) -> String {
    let id = tables[answers.measure.id] ?? payload.add(answers.days)
    tables[answers.measure.id] = id
    return id
  }

  /// The height of a figure that has some height on a screen.
  func height(_ onScreen: Double) -> Double {
    isOnPaper ? (onScreen / 2).rounded() : onScreen
  }

  /// The unit of a ring as it is written.
  func unit(of ring: ActivityRing) -> String { name(ofUnit: reader.activityUnits.unit(of: ring)) }

  /// The unit of energies as it is written.
  var energyUnit: String { unit(of: .move) }

  private func name(ofUnit unit: String) -> String {
    UnitNames.name(of: Measure.of(""), in: unit, writer.language.base).other
  }

  /// The name of a figure of the last days, nights or weeks: `Steps, last 28 days`.
  func name(_ subject: String, _ last: String, _ count: Int) -> String {
    subject + words.phrases.comma + TextPattern.counted(last, count, writer.number(count))
  }

  /// The measure of a figure if its days have reasons.
  func explained(_ measure: ReportMeasure) -> String? {
    explained.contains(measure.id) ? measure.id : nil
  }

  var words: Words { reader.words }
  var writer: NumberWriter { reader.writer }
  var dates: DateWriter { reader.dates }
  var period: ReportPeriod { reader.period }
}

/// A section of the page: it reads what it shows, then writes it.
protocol PageSection {
  /// The section.
  static var section: ReportSection { get }

  /// Writes the content of the section.
  func write(to markup: inout Markup, _ page: inout Page)
}

/// A number of the page with the question that it answers.
struct AskedNumber {
  /// The question.
  let ask: Ask
  /// Where the number stands in the answer: `intervals[start=2026-10-31].sum`.
  let place: String
  /// The number with the digits that are shown.
  let text: String

  /// Writes the number in bold, so that a test can ask again.
  ///
  /// Inside of an element that has the question, the number need not repeat it.
  func write(
    to markup: inout Markup, _ name: StaticString = "b", style: String? = nil,
    isInside: Bool = false
  ) {
    markup.element(
      name,
      [
        "class": style, "dir": "ltr", "data-ask": isInside ? nil : ask.text, "data-at": place,
      ], text)
  }
}

extension Markup {
  /// Writes a card with its head.
  mutating func card(
    _ title: String, family: Measure.Family, isWide: Bool = false,
    _ content: (inout Markup) -> Void
  ) {
    card(family, isWide) { markup in
      markup.element("h3", [:], title)
    } _: { markup in
      content(&markup)
    }
  }

  /// Writes a card with its head and a summary beside it.
  mutating func card(
    _ title: String, family: Measure.Family, isWide: Bool = false,
    aside: (inout Markup) -> Void, _ content: (inout Markup) -> Void
  ) {
    card(family, isWide) { markup in
      markup.element("h3", [:], title)
      markup.element("p", ["class": "aside"], aside)
    } _: { markup in
      content(&markup)
    }
  }

  private mutating func card(
    _ family: Measure.Family, _ isWide: Bool, _ head: (inout Markup) -> Void,
    _ content: (inout Markup) -> Void
  ) {
    element("article", ["class": "card \(family.style)\(isWide ? " w2" : "")"]) { markup in
      markup.element("header", ["class": "card-top"], head)
      content(&markup)
    }
  }

  /// Writes a key: for each item its mark, in a square of 14 pixels, and its words.
  ///
  /// - Parameters:
  ///   - items: the items
  ///   - plot: the drawing; what is not in it has no item
  ///   - note: words at the end
  ///   - form: the form of the explorer that it is the key of, which the script shows
  ///   - style: a further class
  mutating func key(
    _ items: [(mark: (inout Plot) -> Void, text: String)], of plot: Plot? = nil,
    note: String? = nil, form: String? = nil, style: String? = nil
  ) {
    let swatches = items.map { mark, text in
      var swatch = Plot(height: 14, top: 0, bottom: 0, range: 0...1)
      mark(&swatch)
      return (swatch: swatch, text: text)
    }.filter { plot?.marks.isSuperset(of: $0.swatch.marks) ?? true }
    guard !swatches.isEmpty || note != nil else { return }
    element(
      "p",
      [
        "class": style.map { "key \($0)" } ?? "key", "data-form": form,
        "hidden": form == nil ? nil : "",
      ]
    ) { markup in
      for (swatch, text) in swatches {
        markup.element("span", ["class": "key-item"]) { markup in
          markup.element(
            "svg",
            ["class": "swatch", "width": "14", "height": "14", "aria-hidden": "true"]
          ) { $0.append(swatch.drawing) }
          markup.write(text)
        }
      }
      if let note { markup.element("span", [:], note) }
    }
  }

  /// Writes the place of a table of something, which is built on opening; none on paper.
  mutating func table(_ id: String, _ summary: String, of subject: String, _ page: Page) {
    guard !isOnPaper else { return }
    element("details", ["class": "table", "data-t": id]) { markup in
      markup.element("summary", [:], summary)
      markup.element(
        "div",
        [
          "class": "scroll", "role": "region", "tabindex": "0",
          "aria-label": TextPattern.filled(page.words.patterns.labelled, subject, summary),
        ],
        "")
    }
  }

  /// Writes a phrase: its places are filled by functions, and what stands between `*` is bold.
  mutating func write(_ pattern: String, _ arguments: [(inout Markup) -> Void]) {
    var isBold = false
    for piece in TextPattern.pieces(of: pattern) {
      switch piece {
      case .text(let text): write(text)
      case .place(let index): if arguments.indices.contains(index) { arguments[index](&self) }
      case .bold:
        if isBold { close("b") } else { open("b") }
        isBold.toggle()
      }
    }
    if isBold { close("b") }
  }

  /// Writes a caption.
  mutating func caption(_ text: String) { element("p", ["class": "caption"], text) }
}

extension Measure.Family {
  /// The class that gives marks their colour.
  var style: String { "f-\(rawValue)" }
}
