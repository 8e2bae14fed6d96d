import HealthSamples

/// A date as people write it, with suggestions for ambiguous forms.
struct LooseDate {
  /// The text in lower case, with one space between words; `30 days ago` as `-30 days`.
  let words: String
  /// Whether the text ends in `ago`.
  let saysAgo: Bool
  /// The date, if the text is unambiguous.
  let clock: WallClockText?

  /// The digits and the words of the text.
  private let parts: [Substring]

  /// Longer than any date.
  private static let longest = 100

  init(_ text: String) {
    let plain = text.prefix(Self.longest + 1)
    guard plain.count <= Self.longest else {
      (words, saysAgo, clock, parts) = ("", false, nil, [])
      return
    }
    let spaced = plain.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    saysAgo = spaced.hasSuffix(" ago")
    words = saysAgo ? "-" + spaced.dropLast(4) : spaced
    clock = Self.clock(spaced)
    parts = Self.parts(spaced)
  }

  /// Splits into sequences of digits and of letters.
  private static func parts(_ text: String) -> [Substring] {
    func kind(_ character: Character) -> Int {
      character.isASCII && character.isNumber ? 1 : character.isLetter ? 2 : 0
    }
    var parts: [Substring] = []
    var rest = text[...]
    while let first = rest.first {
      let run = rest.prefix { kind($0) == kind(first) }
      if kind(first) != 0 { parts.append(run) }
      rest = rest.dropFirst(run.count)
    }
    return parts
  }

  // MARK: - Unambiguous texts

  /// A date, with or without a time.
  private static func clock(_ text: String) -> WallClockText? {
    let day = text.prefix { $0 != "t" && $0 != " " }
    let time = text.dropFirst(day.count)
    guard let date = date(day) else { return WallClockText(text.uppercased()) }
    guard !time.isEmpty else { return WallClockText(date) }
    guard day.contains(where: { !$0.isNumber }) || day.count == 8 else { return nil }
    // `9:05` is `09:05`.
    let hour = time.dropFirst().prefix { $0.isASCII && $0.isNumber }
    let padded = (hour.count == 1 ? "T0" : "T") + time.dropFirst().uppercased()
    return WallClockText(iso(date) + padded)
  }

  /// `2024-03-09`, `2024/3/9`, `2024.3.9`, `20240309`, `2024-03` or `2024`; with points also the day
  /// first, `9.3.2024`, which nobody means otherwise.
  private static func date(_ text: Substring) -> CivilDate? {
    if text.count == 8, text.allSatisfy({ $0.isASCII && $0.isNumber }) {
      let year = text.prefix(4)
      let rest = text.dropFirst(4)
      return date(year: year, month: rest.prefix(2), day: rest.suffix(2))
    }
    let separators = Set(text.filter { !$0.isNumber })
    guard separators.count <= 1, separators.isSubset(of: ["-", "/", "."]) else { return nil }
    let fields = text.split(omittingEmptySubsequences: false) { separators.contains($0) }
    if separators == ["."], fields.count == 3, fields[0].count <= 2, fields[1].count <= 2,
      fields[2].count == 4
    {
      return date(year: fields[2], month: fields[1], day: fields[0])
    }
    guard fields.count <= 3, fields[0].count == 4 else { return nil }
    return date(
      year: fields[0], month: fields.count > 1 ? fields[1] : "1",
      day: fields.count > 2 ? fields[2] : "1")
  }

  private static func date(year: Substring, month: Substring, day: Substring) -> CivilDate? {
    guard let year = number(year), let month = number(month), let day = number(day) else {
      return nil
    }
    return CivilDate(existing: year, month, day)
  }

  private static func number(_ text: Substring) -> Int? {
    text.allSatisfy { $0.isASCII && $0.isNumber } && text.count <= 4 ? Int(text) : nil
  }

  private static func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }

  private static func iso(_ date: CivilDate) -> String {
    "\(month(date))-\(digits(date.day, 2))"
  }

  /// A month in the accepted form.
  private static func month(_ date: CivilDate) -> String {
    "\(digits(date.year, 4))-\(digits(date.month, 2))"
  }
}

// MARK: - Suggestions for ambiguous texts

extension LooseDate {
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]
  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// Dates that may be meant, in the accepted forms.
  func suggestions(today: CivilDate) -> [String] {
    let found =
      hourAlone ?? named(today: today) ?? numbered
      ?? NearNames.of(
        words, among: ["now", "today", "tomorrow", "yesterday"])
    var seen: Set<String> = []
    return found.filter { seen.insert($0).inserted }
  }

  /// For a date with an hour but without minutes.
  private var hourAlone: [String]? {
    guard parts.count == 5 && parts[3] == "t" || parts.count == 4, words.contains("-"),
      let year = Self.number(parts[0]), let month = Self.number(parts[1]),
      let day = Self.number(parts[2]), let hour = parts.last.flatMap(Self.number), hour < 24
    else { return nil }
    return CivilDate(existing: year, month, day).map {
      ["\(Self.iso($0))T\(Self.digits(hour, 2)):00"]
    }
  }

  /// For a text in words.
  private func named(today: CivilDate) -> [String]? {
    let numbers = parts.compactMap(Self.number)
    let names = parts.filter { $0.first?.isLetter ?? false }
    guard let name = names.first else { return nil }
    if let month = Self.place(of: name, in: Self.months) {
      return Self.texts(ofMonth: month, numbers, today: today)
    }
    if let weekday = Self.place(of: name, in: Self.weekdays), numbers.isEmpty {
      // The latest one up to today.
      let day = today.dayNumber
      return [Self.iso(CivilDate(dayNumber: day - (day - weekday + 1).remainder(by: 7)))]
    }
    if ["next", "previous"].contains(name), names.count == 2, numbers.isEmpty {
      let first = Self.start(
        of: String(names[1]), steps: name == "next" ? 1 : -1, today)
      return first.map { [Self.iso($0)] }
    }
    if ["last", "past"].contains(name), names.count == 2, numbers.count == 1 {
      return CalendarInterval("\(numbers[0])\(names[1])").map { _ in ["-\(numbers[0])\(names[1])"] }
    }
    if name == "q", let year = numbers.max(), let quarter = numbers.min(), numbers.count == 2 {
      return CivilDate(existing: year, quarter * 3 - 2, 1).map { [Self.month($0)] }
    }
    if name == "w", numbers.count == 2, numbers[0] > 1000, (1...53).contains(numbers[1]) {
      // January 4 is always in week 1.
      let fourth = CivilDate(year: numbers[0], month: 1, day: 4).dayNumber
      let monday = fourth.floorDivided(by: 7) * 7 + (numbers[1] - 1) * 7
      return [Self.iso(CivilDate(dayNumber: monday))]
    }
    // A relative time without its sign, or with a letter that means minutes or months.
    let ago = words.hasPrefix("-") ? String(words.dropFirst()) : words
    if let interval = CalendarInterval(ago), interval.alignment == nil, !words.hasPrefix("-") {
      return ["-" + ago.filter { $0 != " " }]
    }
    if name == "m", names.count == 1, numbers.count == 1 {
      return ["-\(numbers[0])min", "-\(numbers[0])mo"]
    }
    return nil
  }

  /// The first day of `this week`, `last year` and the like; `nil` for another text.
  static func start(ofNamed text: String, today: CivilDate) -> CivilDate? {
    let words = text.split(separator: " ")
    guard words.count == 2, let steps = ["this": 0, "last": -1][words[0]], words[1] != "day" else {
      return nil
    }
    return start(of: String(words[1]), steps: steps, today)
  }

  /// The first day of the day, week, month, quarter or year some steps from that of today.
  private static func start(of unit: String, steps: Int, _ today: CivilDate) -> CivilDate? {
    switch unit {
    case "day": CivilDate(dayNumber: today.dayNumber + steps)
    case "week": CivilDate(dayNumber: today.dayNumber.floorDivided(by: 7) * 7 + 7 * steps)
    case "month": CivilDate(year: today.year, month: today.month, day: 1).adding(months: steps)
    case "quarter":
      CivilDate(year: today.year, month: (today.month - 1) / 3 * 3 + 1, day: 1)
        .adding(months: 3 * steps)
    case "year": CivilDate(year: today.year + steps, month: 1, day: 1)
    default: nil
    }
  }

  /// Dates in a month that is written as a word.
  private static func texts(
    ofMonth month: Int, _ numbers: [Int], today: CivilDate
  ) -> [String]? {
    let year = numbers.first { $0 > 31 }
    let day = numbers.first { (1...31).contains($0) }
    // Without a year, the latest one that is not in the future.
    let latest = today.month < month ? today.year - 1 : today.year
    guard let date = CivilDate(existing: year ?? latest, month, day ?? 1) else { return nil }
    return [day == nil ? Self.month(date) : iso(date)]
  }

  /// For a text in digits: the day or the month first, or a day that the month lacks.
  private var numbered: [String]? {
    let numbers = parts.compactMap(Self.number)
    guard numbers.count == parts.count, numbers.count == 2 || numbers.count == 3 else { return nil }
    if parts[0].count == 4 {
      guard (1...12).contains(numbers[1]), numbers.count == 3, numbers[2] > 28,
        CivilDate.years.contains(numbers[0])
      else { return nil }
      let last = CivilDate.length(ofMonth: numbers[1], year: numbers[0])
      return CivilDate(existing: numbers[0], numbers[1], last).map { [Self.iso($0)] }
    }
    guard parts[parts.count - 1].count == 4, let year = numbers.last else { return nil }
    if numbers.count == 2 {
      return CivilDate(existing: year, numbers[0], 1).map { [Self.month($0)] }
    }
    let dates = [
      CivilDate(existing: year, numbers[1], numbers[0]),
      CivilDate(existing: year, numbers[0], numbers[1]),
    ]
    return dates.compactMap { $0.map(Self.iso) }
  }

  /// The number of a name, from 1; a prefix of three letters or more is enough.
  private static func place(of name: Substring, in names: [String]) -> Int? {
    names.firstIndex { $0 == name || name.count >= 3 && $0.hasPrefix(name) }.map { $0 + 1 }
  }
}

extension Int {
  /// The remainder of a division whose quotient is rounded down.
  fileprivate func remainder(by divisor: Int) -> Int { self - floorDivided(by: divisor) * divisor }
}
