extension ReportReader {
  /// The title of the report.
  var title: String { plan.title.map { ShownName($0).short } ?? words.page.titleWithoutName }
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
