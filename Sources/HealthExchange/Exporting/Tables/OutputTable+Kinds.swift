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

  /// The common facts of most kinds, whose tables end with ``places``.
  private static let facts: [Column] =
    [.init("start", .instant), .init("end", .instant)] + origin + [.init("metadata", .json)]

  /// Who saved an element, and when.
  private static let origin: [Column] = [
    .init("source", .text), .init("entered_by_hand", .truth), .init("source_version", .text),
    .init("device", .text), .init("created", .instant),
  ]

  /// On what an app saved an element.
  private static let places: [Column] = [
    .init("product_type", .text), .init("operating_system", .text),
  ]

  /// A referenced record.
  private static let recordFacts: [Column] = [
    .init("type", .text), .init("start", .instant), .init("end", .instant),
    .init("value", .real), .init("unit", .text), .init("category", .text),
    .init("source", .text), .init("entered_by_hand", .truth),
  ]

  private static let workouts = OutputTable(
    "workouts", "workout",
    [.init("activity", .text), .init("duration", in: "s")] + facts + places,
    parts: [
      statistics("workout_statistics", "workout_statistic"),
      events("workout_events", "workout_event"),
      OutputTable(
        "workout_activities", "workout_activity", key: "activities",
        [
          .init("identifier", .text), .init("start", .instant), .init("end", .instant),
          .init("duration", in: "s"), .init("metadata", .json),
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
        .init("type", .text), .init("unit", .text), .init("recorded_unit", .text),
        .init("start", .instant), .init("end", .instant), .init("sum", .real),
        .init("mean", .real), .init("min", .real), .init("max", .real),
      ])
  }

  private static func events(_ name: String, _ singular: String) -> OutputTable {
    OutputTable(
      name, singular, key: "events",
      [
        .init("type", .text), .init("date", .instant),
        .init("duration", in: "s"), .init("metadata", .json),
      ])
  }

  private static func zones(_ whole: String) -> OutputTable {
    OutputTable(
      "\(whole)_zone_groups", "\(whole)_zone_group", key: "zoneGroups",
      [.init("type", .text), .init("source", .text), .init("unit", .text)],
      parts: [
        OutputTable(
          "\(whole)_zones", "\(whole)_zone", key: "zones",
          [.init("minimum", .real), .init("maximum", .real), .init("duration", in: "s")])
      ])
  }

  private static let routes = OutputTable(
    "workout_routes", "workout_route", key: "routes",
    [
      .init("activity", .text), .init("workout_start", .instant),
      .init("workout_end", .instant), .init("file", .text),
    ] + facts + places,
    parts: [
      OutputTable(
        "workout_route_locations", "workout_route_location", key: "locations",
        [
          .init("time", .instant), .init("latitude", .real), .init("longitude", .real),
          .init("altitude", in: "m"),
          .init("horizontal_accuracy", in: "m"),
          .init("vertical_accuracy", in: "m"),
          .init("course", in: "deg"),
          .init("speed", in: "m/s"),
          .init("segment", .integer),
        ])
    ], link: .workout)

  private static let correlations = OutputTable(
    "correlations", "correlation", [.init("type", .text)] + facts + places,
    parts: [
      OutputTable(
        "correlation_members", "correlation_member", key: "members", recordFacts, link: .sample)
    ])

  private static let activitySummaries = OutputTable(
    "activity_summaries", "activity_summary",
    [
      .init("day", .text), .init("move", in: "kcal"),
      .init("move_goal", in: "kcal"),
      .init("move", in: "min", key: "moveTime"),
      .init("move_goal", in: "min", key: "moveTimeGoal"),
      .init("exercise", in: "min"),
      .init("exercise_goal", in: "min"),
      .init("stand", in: "hr"), .init("stand_goal", in: "hr"),
    ])

  private static let heartbeatSeries = OutputTable(
    "heartbeat_series", "heartbeat_series_sample", recordFacts,
    parts: [
      OutputTable(
        "heartbeats", "heartbeat", key: "beats",
        [
          .init("offset", in: "s"),
          .init("rate", in: "count/min"),
        ])
    ], link: .sample)

  private static let electrocardiograms = OutputTable(
    "electrocardiograms", "electrocardiogram",
    [
      .init("classification", .text), .init("symptoms", .text), .init("lead", .text),
      .init("sample_rate", in: "Hz"), .init("file", .text),
    ] + facts + places,
    parts: [
      OutputTable(
        "electrocardiogram_voltages", "electrocardiogram_voltage", key: "voltages",
        [.init("offset", in: "s"), .init("voltage", in: "mcV", suffix: "uv")],
        listedColumn: 1)
    ])

  private static let audiograms = OutputTable(
    "audiograms", "audiogram", [.init("type", .text)] + facts + places,
    parts: [
      OutputTable(
        "audiogram_points", "audiogram_point", key: "points",
        [.init("frequency", in: "Hz")] + ear("left") + ear("right"))
    ])

  private static func ear(_ side: String) -> [Column] {
    [
      .init(side, in: "dBHL"), .init("\(side)_masked", .truth),
      .init("\(side)_clamping_lower", in: "dBHL"),
      .init("\(side)_clamping_upper", in: "dBHL"),
    ]
  }

  private static let visionPrescriptions = OutputTable(
    "vision_prescriptions", "vision_prescription",
    [
      .init("type", .text), .init("issued", .instant), .init("expires", .instant),
      .init("brand", .text), .init("metadata", .json),
    ] + origin + places,
    parts: [
      OutputTable(
        "vision_prescription_parameters", "vision_prescription_parameter", key: "parameters",
        [
          .init("eye", .text), .init("name", .text), .init("value", .real), .init("unit", .text),
        ]),
      OutputTable(
        "vision_prescription_attachments", "vision_prescription_attachment", key: "attachments",
        [.init("identifier", .text)], listedColumn: 0),
    ])

  private static let clinicalRecords = OutputTable(
    "clinical_records", "clinical_record",
    [
      .init("type", .text), .init("identifier", .text), .init("source", .text),
      .init("source_url", .text, key: "sourceURL"), .init("fhir_version", .text),
      .init("received", .instant), .init("file", .text), .init("resource", .json),
    ])

  private static let savedObjects = OutputTable(
    "saved_objects", "saved_object",
    [.init("type", .text)] + facts + [.init("properties", .json), .init("document", .json)]
      + places,
    parts: [
      OutputTable(
        "saved_object_measurements", "saved_object_measurement", key: "measurements",
        [.init("first", .real), .init("second", .real), .init("third", .real)])
    ])

  private static let characteristics = OutputTable(
    "characteristics", "characteristic", [.init("type", .text), .init("value", .text)])
}
