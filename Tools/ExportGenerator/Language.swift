/// The language and the region of a phone, and what they change in an export.
struct Language {
  /// What `HealthData` calls it, and `--language`.
  let identifier: String
  /// The name of the main file.
  let mainFile: String
  /// Whether times of day are written with AM and PM.
  let hasTwelveHours: Bool
  /// What stands in front of the fraction of a number.
  let decimalMark: UInt8
  /// The labels of electrocardiograms; where those of a language were never seen, the English ones.
  let labels: ElectrocardiogramLabels

  private init(
    _ identifier: String, _ mainFile: String, hours: Int, _ mark: Character,
    _ labels: ElectrocardiogramLabels = .english
  ) {
    self.identifier = identifier
    self.mainFile = mainFile
    hasTwelveHours = hours == 12
    decimalMark = mark.asciiValue ?? UInt8(ascii: ".")
    self.labels = labels
  }

  /// Every language, the usual one first.
  static let all = [
    Language("en_US", "export.xml", hours: 12, "."),
    Language("en_FR", "export.xml", hours: 24, ","),
    Language("de_DE", "Export.xml", hours: 24, ",", .german),
    Language("es_ES", "exportar.xml", hours: 24, ","),
    Language("pt_BR", "exportar.xml", hours: 24, ","),
    Language("pl_PL", "eksport.xml", hours: 24, ","),
    Language("fi_FI", "vienti.xml", hours: 24, ","),
    Language("zh_CN", "导出.xml", hours: 24, "."),
  ]
}

/// What the header of an electrocardiogram calls its lines.
struct ElectrocardiogramLabels {
  let birthday: String
  let recorded: String
  let classification: String
  let symptoms: String
  let software: String
  let device: String
  let rate: String
  /// The unit of the rate, and the space in front of it.
  let hertz: String
  let lead: String
  let unit: String
  /// Whether the rate is the measured one, not the nominal one.
  let hasMeasuredRate: Bool
  /// What the classifications are called.
  let classifications: [ElectrocardiogramPlan.Classification: String]

  static let english = ElectrocardiogramLabels(
    birthday: "Date of Birth", recorded: "Recorded Date", classification: "Classification",
    symptoms: "Symptoms", software: "Software Version", device: "Device", rate: "Sample Rate",
    hertz: " hertz", lead: "Lead", unit: "Unit", hasMeasuredRate: false,
    classifications: [
      .sinusRhythm: "Sinus Rhythm", .atrialFibrillation: "Atrial Fibrillation",
      .inconclusive: "Inconclusive", .poorRecording: "Poor Recording",
      .highHeartRate: "Heart Rate Over 120",
    ])

  static let german = ElectrocardiogramLabels(
    birthday: "Geburtstag", recorded: "Aufzeichnungsdatum", classification: "Klassifizierung",
    symptoms: "Symptome", software: "Softwareversion", device: "Gerät", rate: "Messrate",
    hertz: "\u{A0}Hertz", lead: "Ableitung", unit: "Einheit", hasMeasuredRate: true,
    classifications: [
      .sinusRhythm: "Sinusrhythmus", .atrialFibrillation: "Vorhofflimmern",
      .inconclusive: "Uneindeutig", .poorRecording: "Schlechte Aufzeichnung",
      .highHeartRate: "Herzfrequenz über 120",
    ])
}
