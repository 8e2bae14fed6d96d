package import HealthAnswers
package import HealthQuery
import HealthSamples

extension RingAnswer {
  /// A row a day.
  ///
  /// - Parameters:
  ///   - units: the units of amounts
  ///   - zones: the zones whose days were asked for
  ///   - head: more of the head
  /// - Returns: the table
  package func table(
    in units: ActivityUnits, zones: ZoneTimeline, saying head: [HeadMember] = []
  ) -> AnswerTable {
    let rows = AnswerRows(days)
    let groups = rings.map { ring in
      let unit = units.unit(of: ring)
      return AnswerColumn.group(
        ring.rawValue, .prefixed,
        [
          rows.number("value", unit: unit, naming: .named(AnswerField.words(ofUnit: unit))) {
            units.number(ring.value(of: $0), of: ring)
          },
          rows.number("goal", unit: unit, naming: .withUnit) {
            units.number(ring.goal(of: $0), of: ring)
          },
          rows.number("share", unit: "1", about: "of the goal; null without one", ring.share),
          rows.word("unit", about: "of the amount and the goal") { _ in unit },
        ])
    }
    return AnswerTable(
      "rings", list: "days", count: rows.count, zones: zones,
      head: HeadMember.zones(zones) + closedMembers + head, [rows.date("day", \.day)] + groups)
  }

  /// The runs of days with all rings closed, the longest first.
  package func streaksTable(zones: ZoneTimeline, saying head: [HeadMember] = []) -> AnswerTable {
    let rows = AnswerRows(streaks)
    return AnswerTable(
      "streaks", list: "streaks", count: rows.count, zones: zones,
      head: HeadMember.zones(zones) + closedMembers + head,
      [
        rows.date("first", about: "the first day", \.lowerBound),
        rows.date("last", about: "the last day", \.upperBound),
        rows.count("days", about: "how many", \.count),
      ])
  }

  /// How many days count, and on how many of them each ring was closed, and all of them.
  private var closedMembers: [HeadMember] {
    guard !days.isEmpty else { return [] }
    return [.fact("dayCount", .integer(counted.count))]
      + rings.map { ring in
        let name = ring.rawValue.prefix(1).uppercased() + ring.rawValue.dropFirst()
        return .fact("closed" + name, .integer(closed(ring)))
      }
      + [.fact("closedAll", .integer(closedAll))]
  }
}

extension ElementColumns {
  /// What a question about elements finds.
  package var table: AnswerTable {
    let units = columns.compactMap { column in
      column.unit.map { JSON.Member(column.name, .string($0)) }
    }
    let areMoments = rows == .elements && starts == ends
    let times =
      areMoments
      ? [AnswerColumn.instants("date", .all(starts))]
      : AnswerColumn.interval(.all(starts), .all(ends))
    let list = rows == .intervals ? "intervals" : question
    return AnswerTable(
      question, list: list, count: count, zones: timeZone,
      head: [
        HeadMember("type", .string(question)), HeadMember("units", .object(units), .lines),
      ] + HeadMember.zones(timeZone), times + columns.map(\.answerColumn))
  }
}

extension ElementColumns.Column {
  /// Whether the name is a key; words of the data are the name of their column as they are.
  package var isKey: Bool { name.first?.isLowercase == true && !name.contains(" ") }

  /// The column as every face has it.
  fileprivate var answerColumn: AnswerColumn {
    let naming: AnswerField.Naming = isKey ? .withUnit : .verbatim
    return switch values {
    case .counts(let counts):
      AnswerColumn(AnswerField(name, .count, unit: unit, naming: naming), .counts(.all(counts)))
    case .numbers(let numbers):
      .numbers(
        name, unit: unit, naming: naming,
        .optional(numbers.map { $0.map(NumberText.shortest) }))
    case .texts(let texts):
      AnswerColumn(
        AnswerField(name, .text, naming: naming),
        .texts(.read { texts[$0].isEmpty ? nil : texts[$0] }))
    }
  }
}
