import ArgumentParser
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore

/// `hkstats profile`: the characteristics of the person.
struct ProfileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile",
    abstract: "Facts about you: date of birth, sex, blood type, …",
    discussion: """
      What you set counts before what the last export says; no import changes it.

      EXAMPLES:
        hkstats profile
        hkstats profile set dateOfBirth 1984-05-01
        hkstats profile set bloodType APositive
        hkstats profile reset bloodType
      """,
    subcommands: [List.self, Set.self, Reset.self],
    defaultSubcommand: List.self)
}

extension ProfileCommand {
  /// `hkstats profile`: lists them.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "What is known about you, and who says so.",
      usage: "hkstats profile [<options>]",
      discussion: """
        Below stand your age, and the body mass index: the last one that was recorded, or, where \
        there is a newer weight, that of the last weight and height.
        """)

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var query: QueryOptions
    @OptionGroup var form: FormatOptions<ListFormat>

    func run() throws {
      try query.ask { opened in
        let (store, zones) = (opened.store, try zone.zones(in: opened.store))
        let entries = try store.profile()
        let today = LocalTime(store.now.instant, in: zones).date
        let person = try store.person(on: today)
        let rows = AnswerRows(entries)
        let answer = AnswerTable(
          "profile", list: "profile", count: rows.count, zones: zones,
          head: person.members(in: zones),
          [
            rows.word("characteristic", about: "the identifier", \.identifier),
            rows.text("value", \.value),
            rows.word("setBy", about: "you, or the export") { $0.isSetByOwner ? "you" : "export" },
          ])
        var view = AnswerView(
          answer,
          showing: [
            .init("characteristic") { Characteristic.shortName(of: entries[$0].identifier) },
            .init("value") {
              let entry = entries[$0]
              let short = Characteristic(identifier: entry.identifier)?.shortValue(entry.value)
              return short ?? entry.value
            },
            answer.shown("setBy", "set by"),
          ])
        let (table, sentences) = (view.page().table, person.sentences(on: today, in: zones))
        view.page = { AnswerView.Page(table: table, notes: sentences) }
        view.emptySentence =
          person.isUnknown
          ? "Nothing is known. hkstats profile set says what to set."
          : sentences.joined(separator: "\n")
        return view
      } show: {
        try form.write($0)
      }
    }
  }

  /// `hkstats profile set KEY VALUE`: sets one.
  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Set a fact about you.",
      discussion: """
        There are \(Characteristic.all.map(\.name).joined(separator: ", ")).

        EXAMPLES:
          hkstats profile set dateOfBirth 1984-05-01
          hkstats profile set biologicalSex female
        """)

    @Argument(help: "What it is, such as bloodType.", completion: .characteristics)
    var key: String

    @Argument(help: "The value: a date, or a word such as APositive.")
    var value: String

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var form: ChangeFormatOptions

    func run() throws {
      let characteristic = try Characteristic(named: key)
      let value = try characteristic.value(value)
      try storeOptions.openForChanging().setCharacteristic(value, of: characteristic.identifier)
      try form.write(
        saying: ["\(characteristic.name) is set to \(characteristic.shortValue(value))."],
        [
          .init("characteristic", .string(characteristic.identifier)),
          .init("value", .string(value)),
        ])
    }
  }

  /// `hkstats profile reset KEY`: forgets what was set.
  struct Reset: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Forget what you set: the last export counts again.",
      discussion: """
        EXAMPLES:
          hkstats profile reset bloodType
        """)

    @Argument(help: "What it is, such as bloodType.", completion: .characteristics)
    var key: String

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var form: ChangeFormatOptions

    func run() throws {
      let characteristic = try Characteristic(named: key)
      try storeOptions.openForChanging().setCharacteristic(nil, of: characteristic.identifier)
      try form.write(
        saying: ["\(characteristic.name) is as the last export says."],
        [.init("characteristic", .string(characteristic.identifier)), .init("value", .null)])
    }
  }
}

extension Person {
  /// What is known beside the characteristics, for programs.
  fileprivate func members(in zones: ZoneTimeline) -> [HeadMember] {
    func measured(_ measured: Measured?, _ unit: String, _ more: [JSON.Member] = []) -> JSON {
      measured.map {
        .object(
          [
            .init("value", .number($0.value)), .init("unit", .string(unit)),
            .init("date", .string(LocalTime($0.start, in: zones).isoText)),
          ] + more)
      } ?? .null
    }
    return [
      .init("age", age.map { .integer($0) } ?? .null, .head),
      .init("height", measured(height, "m"), .head),
      .init("weight", measured(weight, "kg"), .head),
      .init(
        "bodyMassIndex",
        measured(bodyMassIndex, "kg/m2", [.init("recorded", .bool(isIndexRecorded))]),
        .head),
    ]
  }

  /// The same in words.
  fileprivate func sentences(on day: CivilDate, in zones: ZoneTimeline) -> [String] {
    var sentences: [String] = []
    if let age {
      sentences.append("\(AmountText.count(age, "year")) old on \(LocalTime.text(of: day)).")
    }
    func text(_ measured: Measured, decimals: Int, _ unit: String) -> String {
      "\(NumberText.rounded(measured.value, decimals: decimals)) \(unit) "
        + "(\(LocalTime(measured.start, in: zones).dateText))"
    }
    if let index = bodyMassIndex {
      var sentence = "Body mass index \(text(index, decimals: 1, "kg/m²"))"
      if !isIndexRecorded, let height, let weight {
        sentence += ", of \(text(weight, decimals: 1, "kg")) and \(text(height, decimals: 2, "m"))"
      }
      sentences.append(sentence + ".")
    }
    for (name, measured, decimals, unit) in [
      ("Height", height, 2, "m"), ("Weight", weight, 1, "kg"),
    ] where bodyMassIndex == nil || isIndexRecorded {
      guard let measured else { continue }
      sentences.append("\(name) \(text(measured, decimals: decimals, unit)).")
    }
    return sentences
  }
}

/// A characteristic that the owner can set, with its values as exports write them.
struct Characteristic {
  let identifier: String
  /// The enumeration of its values; `nil` for a date.
  private let enumeration: String?

  private static let prefix = "HKCharacteristicTypeIdentifier"

  /// All with known values.
  static let all = Catalogue.characteristicTypes.compactMap {
    Characteristic(identifier: $0.identifier.rawValue)
  }

  /// The characteristic of an identifier, if its values are known.
  init?(identifier: String) {
    let row = Catalogue.characteristicTypes.first { $0.identifier.rawValue == identifier }
    guard let row, row.enumeration != nil || identifier.hasSuffix("DateOfBirth") else {
      return nil
    }
    (self.identifier, enumeration) = (identifier, row.enumeration)
  }

  /// The characteristic of a name of the command line, in any style of capitals.
  init(named name: String) throws(Failure) {
    let found = Self.all.first { known in
      [known.name, known.identifier].contains { $0.lowercased() == name.lowercased() }
    }
    guard let found else {
      throw Failure(
        DidYouMean.text("characteristic", name, among: Self.all.map(\.name)).sentence, .usage)
    }
    self = found
  }

  /// The name on the command line: `bloodType`.
  var name: String { Self.shortName(of: identifier) }

  /// The name of an identifier, without the prefix.
  static func shortName(of identifier: String) -> String {
    guard identifier.hasPrefix(prefix) else { return identifier }
    let name = identifier.dropFirst(prefix.count)
    return name.prefix(1).lowercased() + name.dropFirst()
  }

  private var cases: [Catalogue.EnumerationCase] {
    Catalogue.enumerationCases.filter { $0.enumeration == enumeration }
  }

  /// A value of the command line as exports write it.
  func value(_ text: String) throws(Failure) -> String {
    guard let enumeration else {
      guard let date = WallClockText(text), date.isBareDate else {
        throw Failure(
          "\"\(text.printable)\" is no date. Give one like 1984-05-01.", .usage)
      }
      return text
    }
    let words = cases.map { String($0.constant.dropFirst(enumeration.count)) }
    let wanted = text.lowercased()
    guard
      let index = cases.firstIndex(where: { $0.constant.lowercased() == wanted })
        ?? words.firstIndex(where: { $0.lowercased() == wanted })
    else { throw Failure(DidYouMean.text("value", text, among: words).sentence, .usage) }
    return cases[index].constant
  }

  /// A value without the name of its enumeration.
  func shortValue(_ value: String) -> String {
    guard let enumeration, value.hasPrefix(enumeration) else { return value }
    return String(value.dropFirst(enumeration.count))
  }
}

extension String {
  /// The text with a capital at the beginning.
  fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() }
}
