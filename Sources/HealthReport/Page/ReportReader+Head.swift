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
    return count == 1
      ? TextPattern.filled(words.page.zonesWithOneChange, first, last.zone.name)
      : TextPattern.filled(
        words.page.zonesWithChanges, first, last.zone.name, writer.number(count))
  }
}

extension Markup {
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
