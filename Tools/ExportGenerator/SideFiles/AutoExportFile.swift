import Foundation

/// What the app Health Auto Export writes of doses of medications and of states of mind, which exports
/// of the Health app lack.
struct AutoExportFile {
  let plan: ExportPlan
  private let zone: TimeZone
  private let halves: (morning: StaticString, afternoon: StaticString)?

  init(plan: ExportPlan) {
    self.plan = plan
    zone = TimeZone(identifier: plan.timeline.zoneName) ?? .gmt
    halves = plan.language.hasTwelveHours ? plan.version.halvesOfDay : nil
  }

  /// Writes the file, and tells the truth of it.
  func write(to path: String, truth: inout Truth) throws(OutputError) {
    let file = try OutputFile(path: path)
    var text = TextBuffer()
    text.append("{\"data\":{\"metrics\":[]")
    if plan.additions.contains(.medications) {
      truth.doses = [:]
      try write("medications", \.doses, at: \.time, to: file, &text) { dose, text in
        append(dose, to: &text)
        let date = plan.timeline.date(at: dose.time).description
        truth.doses?[date, default: [:]]["\(dose.medication.name)", default: [:]][
          dose.status.rawValue, default: 0] += 1
      }
    }
    if plan.additions.contains(.moods) {
      truth.valences = [:]
      try write("stateOfMind", \.moods, at: \.time, to: file, &text) { mood, text in
        append(mood, to: &text)
        let date = plan.timeline.date(at: mood.time).description
        truth.valences?[date, default: DayValues()].add(mood.valence)
      }
    }
    text.append("}}\n")
    try file.write(text.bytes)
  }

  /// Writes an array of what happened on each day until the export.
  private func write<Item>(
    _ name: StaticString, _ items: (DayPlan) -> [Item], at time: (Item) -> Int,
    to file: OutputFile, _ text: inout TextBuffer, append: (Item, inout TextBuffer) -> Void
  ) throws(OutputError) {
    text.append(",\n\"")
    text.append(name)
    text.append("\":[")
    var isFirst = true
    for day in 0..<plan.timeline.count {
      for item in items(plan.person.plan(ofDay: day)) where time(item) <= plan.exported {
        text.append(isFirst ? "\n" : ",\n")
        isFirst = false
        append(item, &text)
      }
      if text.isFull {
        try file.write(text.bytes)
        text.removeAll()
      }
    }
    text.append("]")
  }

  private func append(_ dose: Dose, to text: inout TextBuffer) {
    let medication = dose.medication
    append("{\"displayText\":\"", medication.name, to: &text)
    append("\",\"form\":\"", medication.form, to: &text)
    append("\",\"units\":\"", medication.unit, to: &text)
    append("\",\"status\":\"", dose.status.text, to: &text)
    append("\",\"start\":\"", date: dose.time, to: &text)
    if let scheduled = dose.scheduled {
      append("\",\"scheduledDate\":\"", date: scheduled, to: &text)
      text.append("\",\"scheduledDosage\":")
      text.append(whole: medication.amount)
      text.append(",\"dosage\":")
    } else {
      text.append("\",\"dosage\":")
    }
    text.append(whole: medication.amount)
    text.append(",\"isArchived\":false,\"codings\":[{\"system\":\"")
    text.append("http://www.nlm.nih.gov/research/umls/rxnorm\",\"code\":\"")
    text.append(whole: medication.code)
    text.append("\"}]}")
  }

  private func append(_ mood: Mood, to text: inout TextBuffer) {
    text.append("{\"id\":\"")
    text.append(verbatim: UniqueName(seed: UInt64(bitPattern: Int64(mood.time))).text)
    append("\",\"start\":\"", date: mood.time, to: &text)
    append("\",\"end\":\"", date: mood.time, to: &text)
    append("\",\"kind\":\"", mood.isOfDay ? "daily_mood" : "momentary_emotion", to: &text)
    text.append("\",\"valence\":")
    text.append(mood.valence, decimals: 3)
    append(",\"valenceClassification\":\"", mood.classification, to: &text)
    append("\",\"labels\":[\"", mood.label, to: &text)
    text.append("\"],\"associations\":[")
    if let association = mood.association {
      append("\"", association, to: &text)
      text.append("\"")
    }
    text.append("],\"metadata\":{\"HKTimeZone\":\"")
    text.append(verbatim: plan.timeline.zoneName)
    text.append("\"}}")
  }

  private func append(_ opening: StaticString, _ value: StaticString, to text: inout TextBuffer) {
    text.append(opening)
    text.append(value)
  }

  /// Appends an instant with the offset that the person's clock had then, in the style of the phone.
  private func append(_ opening: StaticString, date instant: Int, to text: inout TextBuffer) {
    text.append(opening)
    let offset = UTCOffset(
      seconds: zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant))))
    if let halves {
      text.append(date: instant, offset: offset, halves: halves)
    } else {
      text.append(date: instant, offset: offset)
    }
  }
}

extension Dose.Status {
  /// What the app calls it.
  fileprivate var text: StaticString {
    switch self {
    case .taken: "Taken"
    case .skipped: "Skipped"
    case .notInteracted: "Not Interacted"
    }
  }
}
