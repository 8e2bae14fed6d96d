import ArgumentParser
import Foundation
import HealthAnalysis
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore

/// The period and the sources of an analysis that knows its type.
struct FixedTypeOptions: ParsableArguments {
  @OptionGroup var period: PeriodOptions
  @OptionGroup var sources: SourceOptions
  @OptionGroup var query: QueryOptions

  /// Asks a method in the store, or in the export that is read directly.
  ///
  /// - Parameters:
  ///   - method: the method
  ///   - unit: the unit of the answer
  ///   - hold: the longest time that a reading stands for
  ///   - interval: the length of intervals
  ///   - show: shows the answer
  /// - Throws: where the data lie, as a ``Failure``, when there are none in the period
  func ask(
    _ method: AnalysisMethod, unit: String? = nil, hold: Double? = nil,
    by interval: CalendarInterval? = nil,
    show: (AnalysisAnswer, AnswerNotes) throws -> Void
  ) throws {
    try query.ask(
      { opened in
        let selection = try opened.sources(of: sources)
        let chosen = opened.choosing(selection)
        var question = try period.question(of: [], by: interval, in: opened.store)
        if let unit, let type = method.fixedType {
          var type = TypeQuestion(type)
          type.unit = unit
          question.types = [type]
        }
        question.hold = hold
        (question.onlySources, question.excludedSources) = (selection.only, selection.excluded)
        do {
          let answer = try opened.store.analysis(AnalysisPlan(method, of: question))
          if let span = answer.results.span,
            let note = try opened.zoneNote(
              period.zone, answer.numbers.timeZone, from: span.lowerBound, to: span.upperBound)
          {
            StandardError.note(note)
          }
          return answer
        } catch let error as QueryError {
          guard case .analysis(let refusal) = error.reason else { throw error }
          switch refusal.reason {
          case .tooFewPoints(let count, let needed):
            throw try failure(count, needed: needed, of: method, question, in: chosen.store)
          case .allLeftOut(let count):
            throw Failure(
              "No answer: \(AmountText.count(count, "reading")) \(count == 1 ? "is" : "are") left out: "
                + method.exclusion, .failed)
          default: throw error
          }
        }
      }, show: { try show($0, AnswerNotes()) })
  }

  /// Why there are too few data, and where there are some.
  private func failure(
    _ count: Int, needed: Int, of method: AnalysisMethod, _ question: Question,
    in store: SampleStore
  ) throws -> Failure {
    let zones = try store.zones(of: question)
    let dates = try period.dates(in: zones, of: store)
    func absence(_ type: SampleType) throws -> String {
      try AnswerNotes.absence(of: type, in: store, from: dates.from, to: dates.to, zones: zones)
    }
    switch method {
    case .hrv:
      guard let span = try store.heartbeatSpan() else {
        return Failure("No variability: there are no series of heartbeats.", .failed)
      }
      func date(_ instant: Double) -> String { LocalTime(instant, in: zones).dateText }
      return Failure(
        "No variability: there are no series of heartbeats in this period; they go from "
          + "\(date(span.lowerBound)) to \(date(span.upperBound)).", .failed)
    case .cycles:
      let type = SampleType(.menstrualFlow)
      guard try !store.sources(of: type).isEmpty else {
        return Failure("No cycles: \(try absence(type))", .failed)
      }
      let verb = count == 1 ? "is" : "are"
      return Failure(
        "No statistics of cycles: \(AmountText.count(count, "cycle")) of this period \(verb) over "
          + "and not too long, and this needs \(needed). Give a longer period.", .failed)
    case .pressure:
      let range = try dates.range
      let found = try store.bloodPressures(in: range)
      if let lone = LonePressures.sentence(
        systolic: found.loneSystolic, diastolic: found.loneDiastolic)
      {
        return Failure("No answer: there is no reading of both pressures, but \(lone)", .failed)
      }
      return Failure("No answer: \(try absence(SampleType(.bloodPressureSystolic)))", .failed)
    default:
      guard let type = method.fixedType else { return Failure("No data.", .failed) }
      return Failure("No answer: \(try absence(type))", .failed)
    }
  }
}

extension AnalysisMethod {
  /// Why readings are left out.
  fileprivate var exclusion: String {
    switch self {
    case .glucose:
      "they lie outside of 10 to 2,000 mg/dL, what a meter can show. Check the source and the unit."
    case .pressure:
      "their lower pressure is not below the upper one, or no pressure. Check the source."
    default: "no such value can be measured."
    }
  }
}

extension AnalysisAnswer.Results {
  /// From when to when the data are of an analysis that knows its type.
  fileprivate var span: ClosedRange<Double>? {
    switch self {
    case .glucose(let answer): return answer.period.lowerBound...answer.period.upperBound
    case .hrv(let answer):
      guard let first = answer.series.first, let last = answer.series.last else { return nil }
      return first.start...max(first.start, last.start)
    case .pressure(let answer): return answer.span
    case .cycles(let answer):
      guard let first = answer.cycles.first, let last = answer.cycles.last else { return nil }
      return first.start...max(first.start, last.end)
    default: return nil
    }
  }
}

extension [SourceCount] {
  /// The sources in words: `Libre (1,200), Meter (31)`.
  var text: String {
    map { "\($0.source.shortName) (\(NumberText.grouped($0.count)))" }.joined(separator: ", ")
  }
}
