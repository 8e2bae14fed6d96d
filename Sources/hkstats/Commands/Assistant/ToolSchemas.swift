import HealthAnswers
import HealthExchange
import HealthMerge
import HealthQuery

extension AssistantTools {
  /// What the assistant is told about the server.
  var instructions: String {
    "Statistics of one person's health data, merged over their devices as the Health app merges "
      + "them. Begin with types, which says what there is. Prefer few long intervals to many short "
      + "ones. Dates are 2024-03-09, 2024-03, 2024, today, yesterday or -30d; the end of a period is "
      + "not included. A null is an interval without data, not zero."
      + (givesSamples ? "" : " Single samples are not given.")
  }

  /// The tools as the protocol lists them.
  var list: [JSON] {
    Tool.allCases.compactMap { tool(named: $0.rawValue) }.map { tool in
      .object([
        .init("name", .string(tool.rawValue)), .init("title", .string(tool.title)),
        .init("description", .string(tool.explanation)), .init("inputSchema", tool.schema),
        .init(
          "annotations",
          .object([
            .init("title", .string(tool.title)), .init("readOnlyHint", .bool(true)),
            .init("openWorldHint", .bool(false)),
          ])),
      ])
    }
  }
}

extension AssistantTools.Tool {
  fileprivate var title: String {
    switch self {
    case .types: "What is recorded"
    case .statistics: "Statistics"
    case .compare: "Comparison"
    case .trend: "Trend"
    case .correlate: "What goes with what"
    case .anomalies: "What was unusual"
    case .sleep: "Sleep"
    case .workouts: "Workouts"
    case .explain: "Where a number comes from"
    case .samples: "Single samples"
    }
  }

  fileprivate var explanation: String {
    switch self {
    case .types:
      "Which health data there are: each type with its unit, the days of the first and the last "
        + "sample, the number of samples, and the devices and apps that recorded it."
    case .statistics:
      "How much, how often and since when: sums, means, extremes and percentiles of one or several "
        + "types by hour, day, week, month or year, also grouped by weekday, as rolling means, the "
        + "best days, or streaks above a goal. Steps, energy and distance are sums in which what "
        + "several devices recorded at the same time counts once; heart rate and weight are means."
    case .compare:
      "The same statistics beside those of the interval before, or of a year before, with the "
        + "change. A month that is not over yet is compared up to yesterday."
    case .trend:
      "Whether types rise or fall: the slope of a straight line with the range in which the true one "
        + "lies, which allows for days that go together, and how many trends were tested."
    case .correlate:
      "Which types go together, on the same day or some days apart, free of the course of the week "
        + "and of slow changes: the relations that hold among all that were tested. Going together "
        + "is not cause. Without types: all of them, over the last year."
    case .anomalies:
      "Days that are unusual for this person, against the 28 days before each. Unusual is no "
        + "diagnosis. Without types: all of them; without dates: the last 7 days that have data."
    case .sleep:
      "Nights of sleep with their stages, bedtimes and naps in seconds, or the means of weeks or "
        + "months. A night belongs to the day on which it ends."
    case .workouts:
      "Workouts with duration, distance, energy and heart rate, without where they took place."
    case .explain:
      "Why a sum is what it is: what each device or app counted in each interval, what of it was "
        + "masked by another that recorded the same time, and what the merging does."
    case .samples:
      "Single samples as they were recorded, in the order of time, with source and metadata; not "
        + "merged. At most 1,000 at a time."
    }
  }

  /// The members of the arguments.
  var members: [String] { properties.map(\.key) }

  /// The JSON Schema of the arguments.
  fileprivate var schema: JSON {
    let required: [String] =
      switch self {
      case .statistics, .explain, .samples: ["type"]
      case .compare: ["type", "compare"]
      case .trend: ["type"]
      case .types, .correlate, .anomalies, .sleep, .workouts: []
      }
    return .object(
      [.init("type", .string("object")), .init("properties", .object(properties))]
        + (required.isEmpty ? [] : [.init("required", .array(required.map(JSON.string)))])
        + [.init("additionalProperties", .bool(false))])
  }

  private var properties: [JSON.Member] {
    switch self {
    case .types: []
    case .statistics, .compare: Self.questionProperties
    case .trend:
      Self.analysisProperties + [
        Self.interval,
        .init(
          "model",
          Schema.word(
            TrendParameters.Model.allCases.map(\.rawValue),
            "What makes the line fit: least squares, or models that hardly heed single days far out; "
              + "line if left out.")),
        .init("confidence", Schema.value("number", "How sure the range is; 0.95 if left out.")),
      ]
    case .correlate:
      Self.analysisProperties + [
        .init(
          "lags",
          Schema.value(
            "integer", "How many days apart at most; 3 if left out.",
            [.init("minimum", .integer(0)), .init("maximum", .integer(366))])),
        .init("atLeast", Schema.count("How many days both types must have; 42 if left out.")),
        .init(
          "rate",
          Schema.value("number", "The share of chance among what holds; 0.05 if left out.")),
      ]
    case .anomalies:
      Self.analysisProperties + [
        .init("baseline", Schema.count("Against how many days before; 28 if left out.")),
        .init(
          "threshold",
          Schema.value("number", "The robust score above which a day is unusual; 3.5 if left out.")),
      ]
    case .sleep:
      Self.period + [
        .init(
          "by",
          Schema.word(
            SleepCommand.Grouping.allCases.map(\.rawValue),
            "Each night, or the means of each week or month; night if left out."))
      ]
    case .workouts:
      Self.period + [
        .init("activity", Schema.text("Only this kind: running, cycling, swimming, …"))
      ]
    case .explain: [Self.oneType, Self.interval] + Self.period
    case .samples:
      [Self.oneType] + Self.period + [
        .init(
          "limit",
          Schema.value(
            "integer", "No more than so many, the first ones.",
            [.init("minimum", .integer(1)), .init("maximum", .integer(1_000))]))
      ]
    }
  }

  private static let oneType = JSON.Member(
    "type", Schema.text("The type, by its name or identifier: steps, heartRate, bodyMass."))

  private static let interval = JSON.Member(
    "by",
    Schema.text(
      "The length of an interval: hour, day, week, month, quarter, year, or a number of h, d, w, mo "
        + "or y such as 2w. Left out: one interval over the whole period."))

  private static let period: [JSON.Member] = [
    .init(
      "from",
      Schema.text(
        "The first day or moment: 2024-03-09, 2024-03, 2024, 2024-03-09T10:00, today, yesterday, or "
          + "-30d for the last 30 days, today included.")),
    .init("to", Schema.text("The end, which is not included: to 2024-04 is all of March.")),
  ]

  /// The members of a question that an analysis has.
  private static let analysisProperties: [JSON.Member] = questionProperties.filter {
    [
      "type", "from", "to", "timezone", "zones", "source", "exclude", "unit", "merge", "prefer",
    ].contains($0.key)
  }

  /// The members of a question; what only one type needs stands in an object of its own.
  private static let questionProperties: [JSON.Member] = {
    let ofType: [JSON.Member] = [
      .init(
        "stat",
        Schema.texts(
          "What to compute: sum, mean, min, max, count, median, a percentile over samples such as p90 or by time such as timeP90, stddev, "
            + "duration, coverage.")),
      .init("unit", Schema.text("The unit of the answer: km, lb, count/min.")),
      .init(
        "merge",
        Schema.word(
          MergePolicy.allCases.map(\.rawValue),
          "How sources that recorded the same time are merged; hk, as the Health app, if left out.")
      ),
      .init("prefer", Schema.texts("Sources to believe before all others, the highest first.")),
    ]
    let typed = JSON.object([
      .init("type", .string("object")), .init("properties", .object([oneType] + ofType)),
      .init("required", .array([.string("type")])), .init("additionalProperties", .bool(false)),
    ])
    let text = JSON.object([.init("type", .string("string"))])
    let zone = JSON.object([
      .init("type", .string("object")),
      .init(
        "properties",
        .object([
          .init(
            "from",
            .object([.init("type", .array([.string("string"), .string("null")]))])),
          .init("zone", text),
        ])), .init("required", .array([.string("zone")])),
      .init("additionalProperties", .bool(false)),
    ])
    func choice(_ about: String, _ choices: [JSON]) -> JSON {
      .object([.init("description", .string(about)), .init("anyOf", .array(choices))])
    }
    func list(_ element: JSON) -> JSON {
      .object([.init("type", .string("array")), .init("items", element)])
    }
    let number = JSON.object([.init("type", .string("number"))])
    func bound(_ about: String) -> JSON { choice(about, [number, text]) }
    return [
      .init(
        "type",
        choice(
          "The type, or several: steps, heartRate.max, bodyMass:lb, sleep.deep, sleep for nights; "
            + "an object gives one type what only it needs.",
          [text, typed, list(.object([.init("anyOf", .array([text, typed]))]))])), interval,
    ] + period + [
      .init("anchor", Schema.text("A moment at which an interval begins.")),
      .init("timezone", Schema.text("The zone whose days count: Europe/Paris, or recorded.")),
      .init(
        "zones",
        .object([
          .init("description", .string("The zones of a traveller, in place of timezone.")),
          .init("type", .string("array")), .init("items", zone),
        ])),
      .init(
        "per",
        Schema.word(
          AverageColumns.Unit.allCases.map(\.rawValue),
          "Sums also as the mean of the whole days or hours that have data; intervals are no shorter."
        )),
      .init(
        "clip", Schema.truth("Exactly the period: intervals and samples are cut at its edges.")),
      .init("source", Schema.texts("The only sources that count.")),
      .init("exclude", Schema.texts("Sources that do not count.")),
      .init("style", Schema.word(QuestionWords.styles, "Another rule of means.")),
      .init("hold", bound("How long a value counts in means weighted by time: 5min, or seconds.")),
      .init("bySource", Schema.truth("Each source alone, beside the merged answer.")),
      .init("explain", Schema.truth("What each source counted, and what of it was masked.")),
      .init("exact", Schema.truth("Correctly rounded sums and means.")),
      .init(
        "group",
        Schema.word(
          IntervalGroup.allCases.map(\.rawValue), "One row for each weekday, hour or month.")),
      .init("rolling", Schema.count("The mean of the last so many intervals beside each.")),
      .init("top", Schema.count("The so many intervals with the largest numbers.")),
      .init("least", Schema.truth("With top, the smallest.")),
      .init("above", bound("The intervals with this or more: 10000, \"8h\", \"95 %\".")),
      .init("below", bound("The intervals with less than this.")),
      .init("streaks", Schema.truth("With above or below, runs of such intervals.")),
      .init("gaps", Schema.truth("Runs of intervals without data.")),
      .init(
        "spread",
        Schema.truth(
          "How the numbers of the intervals are distributed: least, percentiles, median, greatest, "
            + "mean, standard deviation.")),
      .init(
        "compare",
        Schema.word(
          IntervalComparison.allCases.map(\.rawValue),
          "Each interval beside the one before, or that of a year before.")),
    ] + ofType
  }()
}

/// Parts of a JSON Schema, each with what it is about.
private enum Schema {
  static func value(_ type: String, _ about: String, _ more: [JSON.Member] = []) -> JSON {
    .object(
      [.init("type", .string(type)), .init("description", .string(about))] + more)
  }

  static func text(_ about: String) -> JSON { value("string", about) }
  static func truth(_ about: String) -> JSON { value("boolean", about) }

  static func count(_ about: String) -> JSON {
    value("integer", about, [.init("minimum", .integer(1))])
  }

  static func word(_ words: [String], _ about: String) -> JSON {
    value("string", about, [.init("enum", .array(words.map(JSON.string)))])
  }

  /// A text, or several.
  static func texts(_ about: String) -> JSON {
    let text = JSON.object([.init("type", .string("string"))])
    return .object([
      .init("description", .string(about)),
      .init(
        "anyOf",
        .array([text, .object([.init("type", .string("array")), .init("items", text)])])),
    ])
  }
}
