import ArgumentParser
import HealthAnalysis
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport

/// `hkstats components`: what many types have in common.
struct ComponentsCommand: AnalysisCommand {
  static let configuration = CommandConfiguration(
    commandName: "components",
    abstract: ComponentsParameters.about,
    discussion: """
      Finds a few columns that hold most of what many types have in common (principal components of \
      their correlations). Each has a weight for every type: types with large weights of one sign \
      rise and fall together, those of the other sign go against them. The sign of a whole \
      component means nothing.

      Only days with a number of every type count, 42 at least. Without types it takes those that \
      have nearly as many days as the one with the second most: nine of ten, in the last year.

      EXAMPLES:
        hkstats components steps,activeEnergyBurned,restingHeartRate,sleep
        hkstats components --from -2y
        hkstats components steps,sleep.deep,sleep.rem --scores --format csv
      """)

  @OptionGroup var types: AnalysedTypes

  @Option(help: .of(\ComponentsParameters.atLeast))
  var atLeast = ComponentsParameters().atLeast

  @Flag(help: "Every component; absent: those that hold four fifths together.")
  var all = false

  @Flag(help: "The value of each component on each day, instead of its weights.")
  var scores = false

  @Flag(help: "With --scores, a column for each component instead of a row.")
  var wide = false

  @OptionGroup var asking: AnalysisOptions
  @OptionGroup var form: FormatOptions<ChartFormat>

  typealias View = ComponentsView

  var list: String? { scores ? "scores" : "weights" }

  func validate() throws {
    guard scores || !wide else { throw ValidationError("--wide is about --scores.") }
  }

  func view(of answer: AnalysisAnswer, notes: AnswerNotes) throws -> View? {
    var view = View(answer, list, notes: notes)
    if all { view?.showAll() }
    view?.isWide = wide
    return view
  }

  func ask(_ show: (AnalysisAnswer, AnswerNotes) throws -> Void) throws {
    var parameters = ComponentsParameters()
    parameters.atLeast = atLeast
    try asking.ask(.components(parameters), of: types.names, by: nil, show: show)
  }
}

/// Components as a table, the largest first, and as weights on a scale.
struct ComponentsView: AnalysisView {
  private let answer: AnalysisAnswer
  let notes: AnswerNotes
  private let found: ComponentsAnswer
  private let showsScores: Bool
  /// How many components are shown.
  private var shown: Int
  /// Whether scores of an interval are one row for programs.
  var isWide = false

  /// The share of the variation that the shown components hold.
  private static let enough = 0.8
  /// The least weight that is named in the table.
  private static let leastWeight = 0.25

  init?(_ answer: AnalysisAnswer, _ list: String?, notes: AnswerNotes) {
    guard case .components(let found) = answer.results else { return nil }
    (self.answer, self.found, self.notes) = (answer, found, notes)
    showsScores = list == "scores"
    var held = 0.0
    let shares = found.components.shares
    let needed =
      shares.firstIndex { share in
        held += share
        return held >= Self.enough
      } ?? shares.count - 1
    shown = needed + 1
  }

  mutating func showAll() { shown = components.shares.count }

  private var components: PrincipalComponents { found.components }

  private func subject(_ column: Int) -> AnalysedSeries { found.subjects[found.places[column]] }

  func shown(of table: AnswerTable) -> AnswerTable {
    let total = components.shares.count
    let places = (0..<table.count).map { showsScores ? $0 % total : $0 / found.places.count }
    let table = table.keeping(places.indices.filter { places[$0] < shown })
    return isWide ? table.widened(by: "component", value: "score") : table
  }

  var page: AnswerView.Page { showsScores ? scoresPage : weightsPage }

  var title: String {
    "\(Vocabulary.current.word("What comes and goes together")), \(StatisticsCaptions.zones(answer.numbers.timeZone))"
  }

  /// The name of a column for people.
  private func title(_ column: Int) -> String { subject(column).series.shownName }

  private func weight(_ value: Double) -> String {
    (value > 0 ? "+" : "") + NumberText.rounded(value, decimals: 2)
  }

  /// The columns of a component, the largest weight first.
  private func order(_ component: Int) -> [Int] {
    let weights = components.loadings[component]
    return weights.indices.sorted { weights[$0].magnitude > weights[$1].magnitude }
  }

  private func share(_ component: Int) -> String {
    "\(NumberText.rounded(components.shares[component] * 100, decimals: 1)) %"
  }

  private var weightsPage: AnswerView.Page {
    var table = Table(columns: [
      .numbers("component"), .numbers("holds"), .words("weights"),
    ])
    for component in 0..<shown {
      let weights = components.loadings[component]
      let order = order(component)
      let named = order.filter { weights[$0].magnitude >= Self.leastWeight }
      table.add([
        "\(component + 1)", share(component),
        (named.isEmpty ? Array(order.prefix(3)) : named).map {
          "\(title($0)) \(weight(weights[$0]))"
        }.joined(separator: ", "),
      ])
    }
    return AnswerView.Page(table: table, notes: captions)
  }

  private var scoresPage: AnswerView.Page {
    var table = Table(columns: [.words("day")] + (0..<shown).map { .numbers("\($0 + 1)") })
    let starts = found.subjects[0].series.starts
    for (place, row) in components.rows.enumerated() {
      table.add(
        [LocalTime(starts[row], in: answer.numbers.timeZone).dateText]
          + (0..<shown).map { weight(components.scores[$0][place]) })
    }
    return AnswerView.Page(table: table, notes: captions)
  }

  private var captions: [String] {
    let held = components.shares.prefix(shown).reduce(0, +)
    var lines = [
      "\(shown) of \(components.names.count) components hold "
        + "\(NumberText.rounded(held * 100, decimals: 0)) % of the variation of "
        + "\(AmountText.count(components.names.count, "type")), on "
        + "\(AmountText.count(components.rows.count, "day")) with all of them."
    ]
    if !found.leftOut.isEmpty {
      lines.append(
        "Left out, with too few days or equal numbers: "
          + found.leftOut.map(\.printable).joined(separator: ", ") + ".")
    }
    return lines
  }

  /// A scale from −1 to 1 for each component, with a dot for each weight.
  func chart(width: Int, style: TextStyle) -> [String] {
    (0..<shown).flatMap { component -> [String] in
      let weights = components.loadings[component]
      let lines = order(component).map { column in
        RangeChart.Line(
          label: title(column), minimum: min(0, weights[column]),
          mean: weights[column], maximum: max(0, weights[column]), text: weight(weights[column]))
      }
      return ["\(Vocabulary.current.word("component")) \(component + 1), \(share(component))"].map(
        style.strong) + [""]
        + RangeChart(lines: lines, statistic: "weight", strokes: "from 0", ends: -1...1)
        .lines(width: width, style: style) + [""]
    } + captions.flatMap { $0.wrapped(to: width) }.map(style.faint)
  }
}
