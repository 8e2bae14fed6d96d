import HealthQuery

extension ReportReader {
  /// The title of the report.
  var title: String { plan.title.map { ShownName($0).short } ?? words.page.titleWithoutName }

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
