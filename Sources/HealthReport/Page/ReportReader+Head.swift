import HealthQuery

extension ReportReader {
  /// The title of the report.
  var title: String { plan.title.map { ShownName($0).short } ?? words.page.titleWithoutName }

  /// The words of a section of the period.
  func section(_ section: ReportSection) -> Words.Section {
    section == .year && period.dayCount < ReportPeriod.year
      ? words.sections.days : words.section(section)
  }

  /// The time of what is of the last twelve months, or of a shorter period.
  var ofLastYear: String {
    let count = period.dayCount
    return count < ReportPeriod.year
      ? TextPattern.counted(words.page.ofDays, count, writer.number(count)) : words.page.ofYear
  }

  /// The zones that days are of, in few words, as `hkstats stats` has them.
  var zonesText: String {
    guard let last = zones.changes.last else { return zones.identifier }
    let (first, count) = (zones.first.name, zones.changes.count)
    return TextPattern.counted(
      words.page.zonesWithChanges, count, first, last.zone.name, writer.number(count))
  }
}

extension ReportReader {
  /// What is said where there is nothing.
  var nothing: String {
    choices.isEmpty ? words.states.nothing : words.states.nothingChosen
  }

  /// The period that was asked for; `nil` for all of it.
  var askedPeriod: String? {
    let states = words.states
    return switch (plan.from, plan.to) {
    case (nil, nil): nil
    case (.some, nil):
      TextPattern.filled(states.askedFrom, dates.dayMonthAndYear(period.first))
    case (nil, .some): TextPattern.filled(states.askedTo, dates.dayMonthAndYear(period.last))
    case (.some, .some):
      TextPattern.filled(states.asked, dates.range(period.first, period.last))
    }
  }

  /// The options that choose a part of what there is, and what they choose.
  fileprivate var choices: [(option: String, chosen: String)] {
    let sections = ReportSection.allCases.filter(plan.sections.contains).map(\.rawValue)
    return [("--types", plan.types), ("--sections", sections)].filter { !$1.isEmpty }
      .map { ($0, ShownName($1.joined(separator: ",")).short) }
  }
}

extension Markup {
  /// Writes why there may be nothing, and what can be done.
  mutating func whatToDo(_ reader: ReportReader) {
    let states = reader.words.states
    for choice in reader.choices {
      element("p", ["class": "caption"]) { markup in
        markup.write(
          states.chosen,
          [
            { $0.element("code", ["dir": "ltr"], choice.option) },
            { $0.element("code", ["dir": "ltr"], choice.chosen) },
          ])
      }
    }
    guard reader.choices.isEmpty || reader.askedPeriod != nil else { return }
    caption(states.whatToDo)
  }

  /// Writes the runs of a sentence.
  mutating func write(_ runs: [TextPattern.Run]) {
    for run in runs {
      if run.isBold {
        element("b", [:], run.text)
      } else {
        write(run.text)
      }
    }
  }
}
