import HealthAnswers
import HealthExchange
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore

/// The answer to a question in its JSON form, as `hkstats stats --format json` prints it.
struct StatisticsDocument {
  private enum Answer {
    case quantity(StatisticsAnswer)
    case category(CategoryAnswer)
    case series(QuestionAnswer)
    case elements(AnsweredElements)
  }

  private let question: Question
  private let answer: Answer
  private var notes = AnswerNotes()
  /// Preferred sources that the type does not have.
  private(set) var unmatchedSources: [String] = []

  /// Asks a store, in one snapshot of it.
  init(_ question: Question, in store: SampleStore) throws {
    if let found = try store.elements(of: question) {
      (self.question, answer) = (question, .elements(found))
      return
    }
    let question = question.withParts.withInterval
    self.question = question
    guard question.hasOnePlan else {
      let whole = try store.answer(question)
      answer = .series(whole)
      notes = try AnswerNotes.ofSeries(whole, to: question, in: store)
      return
    }
    let asked = question.types[0]
    let chosen = try store.choosingSources(of: question)
    guard let plan = try chosen.plan(of: question, for: asked) else {
      throw QueryError(.missingMember("type"))
    }
    if case .category = plan.type.kind {
      let found = try chosen.categoryStatistics(plan)
      answer = .category(found)
      unmatchedSources = found.unmatchedPreferredSources
      notes = try AnswerNotes.of(
        plan, hasData: found.hasData, starts: found.starts, ends: found.ends, in: chosen)
    } else {
      let found = try chosen.statistics(plan)
      answer = .quantity(found)
      unmatchedSources = found.unmatchedPreferredSources
      notes = try AnswerNotes.of(
        plan, hasData: found.intervals.hasData, starts: found.intervals.starts,
        ends: found.intervals.ends, averages: found.averages, in: chosen)
    }
  }

  /// The number of rows.
  var count: Int {
    switch answer {
    case .quantity(let answer): answer.intervals.count
    case .category(let answer): answer.starts.count
    case .elements(let found): found.columns.count
    case .series(let answer):
      SeriesView(answer: answer, interval: nil, isWide: false, notes: notes).count
    }
  }

  /// The first and the last interval of each type.
  private var edges: [(start: Double, end: Double)] {
    func edges(_ starts: [Double], _ ends: [Double]) -> [(start: Double, end: Double)] {
      guard let start = starts.first, let end = ends.first, let last = starts.last,
        let close = ends.last
      else { return [] }
      return [(start, end), (last, close)]
    }
    switch answer {
    case .quantity(let answer): return edges(answer.intervals.starts, answer.intervals.ends)
    case .category(let answer): return edges(answer.starts, answer.ends)
    case .elements(let found): return edges(found.columns.starts, found.columns.ends)
    case .series(let answer):
      return answer.columns.flatMap { edges($0.series.starts, $0.series.ends) }
    }
  }

  /// Whether intervals of a length are shorter than an hour.
  static func isShort(_ interval: CalendarInterval?) -> Bool {
    interval.map { $0.months == 0 && $0.days == 0 && $0.seconds < 3600 } ?? false
  }

  /// Whether an interval is shorter than an hour.
  ///
  /// Hours and days of a calendar count as such also where a change of the clock shortens them.
  var hasShortIntervals: Bool {
    guard question.interval == nil || question.clips, !hasElements else { return false }
    return edges.contains { $0.end - $0.start < 3600 }
  }

  /// Whether the rows are elements themselves.
  var hasElements: Bool {
    if case .elements(let found) = answer { found.columns.rows == .elements } else { false }
  }

  /// Whether an answer has the first or the newest value of intervals.
  var hasReadings: Bool {
    let quantities: [StatisticsAnswer]
    switch answer {
    case .quantity(let answer): quantities = [answer]
    case .category: quantities = []
    case .elements(let found):
      return found.question == nil
        && found.columns.columns.contains { ["recent", "first"].contains($0.name) }
    case .series(let answer):
      quantities = answer.columns.compactMap { column in
        if case .quantity(let answer) = column.answer { answer } else { nil }
      }
    }
    return quantities.contains { answer in
      answer.statistics.contains { $0 == .recent || $0 == .first }
    }
  }

  /// What merging does, in sentences, beside an answer that says what each source counted.
  var sentences: [String] {
    let policy: MergePolicy
    var sentences: [String]
    switch answer {
    case .quantity(let answer) where answer.isExplained:
      policy = answer.policy
      sentences = StatisticsCaptions.notes(of: answer)
    case .category(let answer) where !answer.contributions.isEmpty:
      policy = answer.policy
      sentences = answer.priority.count > 1 ? [StatisticsCaptions.order(of: answer.priority)] : []
    case .quantity, .category, .series, .elements: return []
    }
    if policy == .healthKit { sentences.append(StatisticsCaptions.masking) }
    return sentences
  }

  func write(to output: TextOutput) throws {
    let style = TextStyle(isColored: false)
    switch answer {
    case .quantity(let answer):
      try StatisticsView(answer: answer).answerView(of: question.interval, notes: notes)
        .asking(from: question.from, to: question.to)
        .write(as: .json, style: style, to: output)
    case .category(let answer):
      try CategoryView(
        answer: answer, statistics: question.types[0].statistics ?? [],
        interval: question.interval, isBySource: question.separatesSources
      ).answerView(notes: notes).asking(from: question.from, to: question.to)
        .write(as: .json, style: style, to: output)
    case .elements(let found):
      try ElementView(found).answerView.asking(from: question.from, to: question.to)
        .write(as: .json, style: style, to: output)
    case .series(let answer):
      try SeriesView(
        answer: answer, interval: question.interval, derivation: question.derivation,
        isWide: false, notes: notes,
        asked: (question.from, question.to)
      ).write(as: .json, style: style, width: 80, to: output)
    }
  }
}
