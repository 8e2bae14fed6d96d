package import HealthSamples

extension OutputTable {
  /// The table of a kind.
  package static func table(of kind: ElementKind) -> OutputTable {
    switch kind {
    case .workout: workouts
    case .route: routes
    case .correlation: correlations
    case .activitySummary: activitySummaries
    case .beatList: heartbeatSeries
    case .electrocardiogram: electrocardiograms
    case .audiogram: audiograms
    case .visionPrescription: visionPrescriptions
    case .clinicalRecord: clinicalRecords
    case .characteristics: characteristics
    case .savedObject: savedObjects
    }
  }

  private static let typeName = AnswerField("type", .text, about: "the identifier of the type")
  private static let activity = AnswerField(
    "activity", .text, about: "the identifier of the activity")
  private static let start = AnswerField("start", .instant, about: "when it begins")
  private static let end = AnswerField("end", .instant, about: "when it ends")
  private static let unit = AnswerField("unit", .text, about: "the unit of the row's value")
  private static let source = AnswerField("source", .text, about: "the name of the source")
  private static let enteredByHand = AnswerField(
    "enteredByHand", .truth, about: "whether a person entered it")
  private static let metadata = AnswerField(
    "metadata", .json, about: "keys and values as JSON; null without any")

  /// The common facts of most kinds, whose tables end with ``places``.
  private static let facts: [AnswerField] =
    [start, end] + origin + [metadata]

  /// Who saved an element, and when.
  private static let origin: [AnswerField] = [
    source, enteredByHand, .init("sourceVersion", .text, about: "may be null"),
    .init("device", .text, about: "may be null"),
    .init("created", .instant, about: "when it was written; null where the export does not say"),
  ]

  /// On what an app saved an element.
  private static let places: [AnswerField] = [
    .init("productType", .text, about: "the product on which an app saved it; null of imports"),
    .init("operatingSystem", .text, about: "the version of its system; null of imports"),
  ]

  /// A referenced record.
  private static let recordFacts: [AnswerField] = [
    typeName, start, end,
    .init("value", .number), unit, .init("category", .text),
    source, enteredByHand,
  ]

  private static let workouts = OutputTable(
    "workouts", "workout",
    [activity, .number("duration", in: "s")] + facts + places,
    parts: [
      statistics("workout_statistics", "workout_statistic"),
      events("workout_events", "workout_event"),
      OutputTable(
        "workout_activities", "workout_activity", key: "activities",
        [
          .init("identifier", .text), start, end,
          .number("duration", in: "s"), metadata,
        ],
        parts: [
          statistics("workout_activity_statistics", "workout_activity_statistic"),
          events("workout_activity_events", "workout_activity_event"),
          zones("workout_activity"),
        ]),
      zones("workout"),
      OutputTable(
        "workout_records", "workout_record", key: "records", recordFacts, link: .sample),
    ])

  private static func statistics(_ name: String, _ singular: String) -> OutputTable {
    OutputTable(
      name, singular, key: "statistics",
      [
        typeName, unit, .init("recordedUnit", .text),
        start, end, .init("sum", .number),
        .init("mean", .number), .init("min", .number), .init("max", .number),
      ])
  }

  private static func events(_ name: String, _ singular: String) -> OutputTable {
    OutputTable(
      name, singular, key: "events",
      [
        typeName, .init("date", .instant),
        .number("duration", in: "s"), metadata,
      ])
  }

  private static func zones(_ whole: String) -> OutputTable {
    OutputTable(
      "\(whole)_zone_groups", "\(whole)_zone_group", key: "zoneGroups",
      [typeName, source, unit],
      parts: [
        OutputTable(
          "\(whole)_zones", "\(whole)_zone", key: "zones",
          [.init("minimum", .number), .init("maximum", .number), .number("duration", in: "s")])
      ])
  }

  private static let routes = OutputTable(
    "workout_routes", "workout_route", key: "routes",
    [
      activity, .init("workoutStart", .instant),
      .init("workoutEnd", .instant), .init("file", .text),
    ] + facts + places,
    parts: [
      OutputTable(
        "workout_route_locations", "workout_route_location", key: "locations",
        [
          .init("time", .instant), .init("latitude", .number), .init("longitude", .number),
          .number("altitude", in: "m"),
          .number("horizontalAccuracy", in: "m"),
          .number("verticalAccuracy", in: "m"),
          .number("course", in: "deg"),
          .number("speed", in: "m/s"),
          .init("segment", .count),
        ])
    ], link: .workout)

  private static let correlations = OutputTable(
    "correlations", "correlation", [typeName] + facts + places,
    parts: [
      OutputTable(
        "correlation_members", "correlation_member", key: "members", recordFacts, link: .sample)
    ])

  private static let activitySummaries = OutputTable(
    "activity_summaries", "activity_summary",
    [
      .init("day", .text), .number("move", in: "kcal"),
      .number("moveGoal", in: "kcal"),
      .number("moveTime", in: "min", named: "move_min"),
      .number("moveTimeGoal", in: "min", named: "move_goal_min"),
      .number("exercise", in: "min"),
      .number("exerciseGoal", in: "min"),
      .number("stand", in: "hr"), .number("standGoal", in: "hr"),
    ])

  private static let heartbeatSeries = OutputTable(
    "heartbeat_series", "heartbeat_series_sample", recordFacts,
    parts: [
      OutputTable(
        "heartbeats", "heartbeat", key: "beats",
        [
          .number("offset", in: "s"),
          .number("rate", in: "count/min"),
        ])
    ], link: .sample)

  private static let electrocardiograms = OutputTable(
    "electrocardiograms", "electrocardiogram",
    [
      .init("classification", .text), .init("symptoms", .text), .init("lead", .text),
      .number("sampleRate", in: "Hz", named: "sample_rate_hz"), .init("file", .text),
    ] + facts + places,
    parts: [
      OutputTable(
        "electrocardiogram_voltages", "electrocardiogram_voltage", key: "voltages",
        [.number("offset", in: "s"), .number("voltage", in: "mcV", named: "voltage_uv")],
        listedColumn: 1)
    ])

  private static let audiograms = OutputTable(
    "audiograms", "audiogram", [typeName] + facts + places,
    parts: [
      OutputTable(
        "audiogram_points", "audiogram_point", key: "points",
        [.number("frequency", in: "Hz", named: "frequency_hz")] + ear("left") + ear("right"))
    ])

  private static func ear(_ side: String) -> [AnswerField] {
    [
      .number(side, in: "dBHL", named: "\(side)_dbhl"), .init("\(side)Masked", .truth),
      .number("\(side)ClampingLower", in: "dBHL", named: "\(side)_clamping_lower_dbhl"),
      .number("\(side)ClampingUpper", in: "dBHL", named: "\(side)_clamping_upper_dbhl"),
    ]
  }

  private static let visionPrescriptions = OutputTable(
    "vision_prescriptions", "vision_prescription",
    [
      typeName, .init("issued", .instant), .init("expires", .instant),
      .init("brand", .text), metadata,
    ] + origin + places,
    parts: [
      OutputTable(
        "vision_prescription_parameters", "vision_prescription_parameter", key: "parameters",
        [
          .init("eye", .text), .init("name", .text, about: "what it measures"),
          .init("value", .number), unit,
        ]),
      OutputTable(
        "vision_prescription_attachments", "vision_prescription_attachment", key: "attachments",
        [.init("identifier", .text)], listedColumn: 0),
    ])

  private static let clinicalRecords = OutputTable(
    "clinical_records", "clinical_record",
    [
      typeName, .init("identifier", .text), source,
      .init("sourceURL", .text), .init("fhirVersion", .text),
      .init("received", .instant), .init("file", .text), .init("resource", .json),
    ])

  private static let savedObjects = OutputTable(
    "saved_objects", "saved_object",
    [typeName] + facts + [.init("properties", .json), .init("document", .json)]
      + places,
    parts: [
      OutputTable(
        "saved_object_measurements", "saved_object_measurement", key: "measurements",
        [.init("first", .number), .init("second", .number), .init("third", .number)])
    ])

  private static let characteristics = OutputTable(
    "characteristics", "characteristic", [typeName, .init("value", .text)])
}

extension AnswerField {
  /// Numbers in a unit, which tables have at the end of the name: `speed_m_s`.
  fileprivate static func number(_ key: String, in unit: String, named name: String? = nil) -> Self
  {
    Self(key, .number, unit: unit, naming: name.map { .named($0) } ?? .withUnit)
  }
}
