import HealthAnswers
import HealthExchange

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
    let answers = try? AnswerSchemas()
    return Tool.allCases.compactMap { tool(named: $0.rawValue) }.map { tool in
      .object([
        .init("name", .string(tool.rawValue)), .init("title", .string(tool.title)),
        .init("description", .string(tool.explanation)), .init("inputSchema", tool.schema),
        // Without a package of the system that a method needs, its answers are any object.
        .init("outputSchema", answers.flatMap { try? $0.schema(of: tool) } ?? .schema([])),
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
    case .rings: "Activity rings"
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
        + "several devices recorded at the same time counts once; heart rate and weight are means. "
        + "These stand in the place of a type, with columns of their own: "
        + "\(ElementQuestion.allCases.map(\.rawValue).joined(separator: ", "))."
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
      "Workouts with duration, distance, energy and heart rate, without where they took place; or "
        + "their totals by week, month or year."
    case .rings:
      "The activity rings, day by day: what was reached, the goal and its share; or the runs of days "
        + "on which all were closed."
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
      case .types, .correlate, .anomalies, .sleep, .workouts, .rings: []
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
      Self.analysisProperties + [Self.interval] + Self.parameters(of: TrendParameters.self)
    case .correlate: Self.analysisProperties + Self.parameters(of: CorrelateParameters.self)
    case .anomalies: Self.analysisProperties + Self.parameters(of: AnomaliesParameters.self)
    case .sleep:
      Self.period + [
        .init(
          "by",
          Schema.word(
            SleepCommand.Grouping.allCases.map(\.rawValue),
            "Each night, or the means of each week or month; night if left out."))
      ]
    case .workouts:
      Self.period
        + WorkoutQuestion.Member.allCases.map { .init($0.rawValue, Schema.of($0.facts)) }
    case .rings: Self.period + [.init("streaks", Schema.of(RingPlan.streaks))]
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

  private static let interval = property(.by)

  private static let period: [JSON.Member] = [.from, .to].map(property)

  /// The parameters of an analysis.
  private static func parameters(of analysis: (some AnalysisParameters).Type) -> [JSON.Member] {
    analysis.facts.map { JSON.Member($0.name, $0.schema) }
  }

  /// The members of a question that an analysis has.
  private static let analysisProperties: [JSON.Member] = [
    .type, .from, .to, .timezone, .zones, .source, .exclude, .unit, .merge, .prefer,
  ].map(property)

  /// The members of a question; what only one type needs stands in an object of its own.
  private static let questionProperties = Question.Member.allCases.map(property)

  private static func property(_ member: Question.Member) -> JSON.Member {
    JSON.Member(member.rawValue, Schema.of(member.facts))
  }

  /// One type with what only it needs; what that is about, the same members of all types say.
  fileprivate static let typed = Schema.object(
    TypeQuestion.Member.allCases.compactMap { member in
      guard member != .type else { return JSON.Member(member.rawValue, Schema.type("string")) }
      return Question.Member(rawValue: member.rawValue).map {
        JSON.Member($0.rawValue, Schema.bare(property($0).value))
      }
    }, requires: ["type"])
}

/// Parts of a JSON Schema, each with what it is about.
private enum Schema {
  static func value(_ type: String, _ about: String, _ more: [JSON.Member] = []) -> JSON {
    .object(
      [.init("type", .string(type)), .init("description", .string(about))] + more)
  }

  static func text(_ about: String) -> JSON { value("string", about) }

  static func word(_ words: [String], _ about: String) -> JSON {
    value("string", about, [.init("enum", .array(words.map(JSON.string)))])
  }

  static func type(_ name: String) -> JSON { .object([.init("type", .string(name))]) }

  /// A schema without what it is about.
  static func bare(_ schema: JSON) -> JSON {
    guard case .object(let members) = schema else { return schema }
    return .object(members.filter { $0.key != "description" })
  }

  /// An object that has some members and no others.
  static func object(_ properties: [JSON.Member], requires required: [String]) -> JSON {
    .object([
      .init("type", .string("object")), .init("properties", .object(properties)),
      .init("required", .array(required.map(JSON.string))),
      .init("additionalProperties", .bool(false)),
    ])
  }

  /// A member of a question.
  static func of(_ facts: MemberFacts) -> JSON {
    func choice(_ choices: [JSON]) -> JSON {
      .object([.init("description", .string(facts.about)), .init("anyOf", .array(choices))])
    }
    func list(_ element: JSON) -> JSON {
      .object([.init("type", .string("array")), .init("items", element)])
    }
    switch facts.form {
    case .word: return word(facts.words, facts.about)
    case .text, .date, .zone: return text(facts.about)
    case .texts, .words: return choice([type("string"), list(type("string"))])
    case .truth: return value("boolean", facts.about)
    case .count: return value("integer", facts.about, [.init("minimum", .integer(1))])
    case .number, .duration: return choice([type("number"), type("string")])
    case .numbers: return choice([type("number"), list(type("number"))])
    case .types:
      let typed = AssistantTools.Tool.typed
      return choice([
        type("string"), typed, list(.object([.init("anyOf", .array([type("string"), typed]))])),
      ])
    case .zones:
      let instant = JSON.object([.init("type", .array([.string("string"), .string("null")]))])
      return value(
        "array", facts.about,
        [
          .init(
            "items",
            object([.init("from", instant), .init("zone", type("string"))], requires: ["zone"]))
        ])
    }
  }
}
