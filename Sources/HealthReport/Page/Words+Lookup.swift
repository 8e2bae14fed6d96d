import HealthAnswers
import HealthSamples

// The texts of things that the library names.

extension Words {
  /// The words of a section.
  func section(_ section: ReportSection) -> Section {
    switch section {
    case .overview: sections.overview
    case .glance: sections.glance
    case .year: sections.year
    case .sleep: sections.sleep
    case .heart: sections.heart
    case .body: sections.body
    case .diary: sections.diary
    case .workouts: sections.workouts
    case .relations: sections.relations
    case .sources: sections.sources
    }
  }
}

extension Words.Families {
  /// The name of a family.
  func name(_ family: Measure.Family) -> String {
    switch family {
    case .activity: activity
    case .heart: heart
    case .sleep: sleep
    case .body: body
    case .food: food
    case .walk: walk
    }
  }
}

extension Words.Figure {
  /// The name of a figure, and how it is read; a name that ends in a full stop gets no second one.
  func readable(_ name: String) -> String {
    let isStopped = name.hasSuffix(".") && label.hasPrefix("{0}.")
    return TextPattern.filled(label, isStopped ? String(name.dropLast()) : name)
  }
}

extension Words.Overview {
  /// The name of a ring.
  func name(of ring: ActivityRing) -> String {
    switch ring {
    case .move, .moveTime: move
    case .exercise: exercise
    case .stand: stand
    }
  }
}

extension Words.Table {
  /// The head of a column of a statistic, as the answers name it.
  func name(of stat: String) -> String {
    switch stat {
    case "sum": sum
    case "mean", "value": mean
    case "median": median
    case "min": least
    case "max": greatest
    case "p25", "timeP25": lowerQuarter
    case "p75", "timeP75": upperQuarter
    case "perDay": perDay
    case "dayMin": leastDay
    case "dayMax": greatestDay
    case "dayP25": lowerQuarterOfDays
    case "dayP75": upperQuarterOfDays
    default: stat
    }
  }

  /// The head of the first column of rows.
  func name(of row: PageTable.Row) -> String {
    switch row {
    case .hour: hour
    case .day, .row: day
    case .week: week
    case .month: month
    case .year: year
    case .night: night
    }
  }
}

extension DateWriter {
  /// The start of a row, as the script writes it: a day, a month, a year.
  func start(of text: String, _ row: PageTable.Row) -> String {
    guard let date = CivilDate(text: text) else { return text }
    switch row {
    case .month: return monthAndYear(date)
    case .year: return year(date.year)
    case .hour, .day, .week, .night, .row: return day(date)
    }
  }
}
