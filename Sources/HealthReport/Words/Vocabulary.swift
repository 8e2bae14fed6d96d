import HealthSamples

/// The words of tables and charts in a language: the names and units that the page has, and the heads
/// of columns.
///
/// Texts for programs have none of them.
package struct Vocabulary: Sendable {
  /// The words of what is being shown.
  @TaskLocal package static var current = Vocabulary(.english)

  /// The language.
  package let language: ReportLanguage

  /// Makes the words of a language.
  package init(_ language: ReportLanguage) { self.language = language }

  private var base: ReportLanguage.Base { language.base }

  // MARK: - Names

  /// The name of a type by its Swift name, as the page has it: `Steps` for `stepCount`.
  package func type(_ swiftName: String) -> String {
    // Nights are no type, but have a name; so does the type of their samples.
    Measure.name(of: swiftName == "sleepAnalysis" ? "sleep" : swiftName, in: base).title
  }

  /// The unit of values of a type by its Swift name, after a number: `bpm` for `count/min`.
  ///
  /// Counts without a noun of their own have none.
  ///
  /// - Parameters:
  ///   - unit: the unit in the program's spelling
  ///   - swiftName: the name of the type; `nil` for values of no type
  /// - Returns: the unit, empty where none is written
  package func unit(_ unit: String, of swiftName: String?) -> String {
    UnitNames.name(of: swiftName ?? "", in: unit, base).other
  }

  /// A duration in hours and minutes: `8 h 05`.
  package func duration(minutes: Int) -> String {
    NumberWriter(language).duration(minutes: minutes).replacing("\u{A0}", with: " ")
  }

  /// The name of a kind of workout as exports write it: `Running` for
  /// `HKWorkoutActivityTypeRunning`; `nil` for an empty one.
  package func activity(_ constant: String) -> String? {
    guard !constant.isEmpty else { return nil }
    return Self.activities[base]?[constant] ?? Words.of(base).name(ofWorkout: constant)
  }

  /// The names of all kinds of workout of the catalogue: a list may have thousands of workouts.
  private static let activities: [ReportLanguage.Base: [String: String]] = Dictionary(
    uniqueKeysWithValues: ReportLanguage.Base.allCases.map { base in
      let names = WordTable.group("activities", in: base).texts
      return (
        base,
        Dictionary(
          Catalogue.workoutActivities.compactMap { row in
            names[row.swiftName].map { (row.constant, $0) }
          }, uniquingKeysWith: { first, _ in first })
      )
    })

  /// The Swift name of the kind of workout that has a name in one of the languages; `nil` for a Swift
  /// name, and if there is none or there are several.
  package static func activity(named name: String) -> String? {
    let key = SpokenTypeNames.key(of: name)
    let own = Catalogue.workoutActivities.map(\.swiftName)
    guard !own.contains(where: { SpokenTypeNames.key(of: $0) == key }) else { return nil }
    let found = Set(
      ReportLanguage.Base.allCases.flatMap { base in
        WordTable.group("activities", in: base).texts
          .filter { SpokenTypeNames.key(of: $0.value) == key }.keys
      })
    return found.count == 1 ? found.first : nil
  }

  /// The name of a stage of sleep by its key, as the page has it, or that of time in bed and asleep.
  package func stage(_ key: String) -> String? {
    let sleep = Words.of(base).sleep
    let name =
      switch key {
      case "deep": sleep.deep
      case "core": sleep.core
      case "rem": sleep.rem
      case "awake": sleep.awake
      case "asleep": sleep.asleep
      case "inBed": sleep.inBed
      default: nil as String?
      }
    return name.map(withinTable)
  }

  /// The name of a value of a category by its Swift name: `not present` for `notPresent`.
  package func value(_ swiftName: String) -> String {
    if let stage = stage(Self.stages[swiftName] ?? swiftName) { return stage }
    return word(withinEnglishTable(Measure.words(of: swiftName)))
  }

  private static let stages = [
    "asleepUnspecified": "asleep", "asleepCore": "core", "asleepDeep": "deep", "asleepREM": "rem",
  ]

  /// A day of the week in short, from Monday, which is 0: `Mon`.
  package func weekday(_ index: Int) -> String {
    let names = Words.of(base).dates.shortWeekdays.split(separator: "|")
    return names.indices.contains(index) ? String(names[index]) : ""
  }

  // MARK: - Words

  /// A head of a column, or another word of a table, from its English form: `Datum` for `date`.
  ///
  /// A text that is no such word stays as it is.
  package func word(_ english: String) -> String {
    guard base != .english else { return english }
    return TableWords.word(english, in: base)
  }

  /// A pattern of a caption filled with texts, from its English form: `in {0}`.
  package func caption(_ english: String, _ parts: String...) -> String {
    TextPattern.filled(word(english), with: parts)
  }

  /// English heads are written small.
  private func withinTable(_ title: String) -> String {
    base == .english ? withinEnglishTable(title) : title
  }

  private func withinEnglishTable(_ title: String) -> String {
    title.dropFirst().contains(where: \.isUppercase) && !title.contains(" ")
      ? title : title.prefix(1).lowercased() + title.dropFirst()
  }
}

extension Vocabulary {
  /// What stands before the decimals of a number, and between its groups of three digits.
  package var separators: (decimal: String, group: String, leastGrouped: UInt) {
    let separators = Separators(base)
    return (
      String(decoding: [separators.decimal], as: UTF8.self),
      String(decoding: separators.group.reversed(), as: UTF8.self), separators.leastGrouped
    )
  }
}
