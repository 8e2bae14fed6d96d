/// The files beside the main one of an export.
struct SideFiles {
  let plan: ExportPlan

  private static let noteCount = 5
  private static let measuredRate = 511.562

  /// Hands over every file, its path from the top folder first, and tells the truth of them.
  func write(
    truth: inout Truth, to file: (String, [UInt8]) throws(OutputError) -> Void
  ) throws(OutputError) {
    var buffer = TextBuffer()
    for index in 0..<plan.timeline.count {
      let day = plan.person.plan(ofDay: index)
      if plan.version.routes == .file {
        for workout in plan.workouts(of: day) {
          for part in workout.routedParts {
            let path = plan.path(ofRoute: part)
            let (text, known) = route(of: part, in: workout, path: path, buffer: &buffer)
            try file(path, text)
            truth.routes.append(known)
          }
        }
      }
      for electrocardiogram in ElectrocardiogramPlan.plans(of: day, plan: plan) {
        let (text, known) = csv(of: electrocardiogram, buffer: &buffer)
        try file(electrocardiogram.path, text)
        truth.electrocardiograms.append(known)
      }
      for record in plan.clinicalRecords(of: day) {
        try file(record.path, [UInt8](record.resource.utf8))
      }
    }
    if plan.version.hasOtherElements { try file("/export_cda.xml", clinicalDocument()) }
  }

  /// A route as GPX 1.1: the longitude comes first, and times are in UTC.
  private func route(
    of part: WorkoutPlan.Part, in workout: WorkoutPlan, path: String, buffer text: inout TextBuffer
  ) -> (text: [UInt8], known: Truth.Route) {
    var bytes: [UInt8] = []
    text.removeAll()
    text.append(Self.routeOpening)
    text.append(utcDate: plan.exported)
    text.append("</time>\n  </metadata>\n  <trk>\n    <name>")
    text.append(verbatim: plan.title(ofRoute: part))
    text.append("</name>\n    <trkseg>\n")
    var points = RoutePoints()
    for point in Route(part: part, of: workout) {
      append(point, to: &text)
      points.add(point)
      if text.isFull {
        bytes += text.bytes
        text.removeAll()
      }
    }
    text.append("    </trkseg>\n  </trk>\n</gpx>\n")
    bytes += text.bytes
    return (bytes, points.truth(path: path, start: part.range.lowerBound))
  }

  private static let routeOpening: StaticString = """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="Apple Health Export" xmlns="http://www.topografix.com/GPX/1/1" \
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
    xsi:schemaLocation="http://www.topografix.com/GPX/1/1 \
    http://www.topografix.com/GPX/1/1/gpx.xsd">
      <metadata>
        <time>
    """

  private func append(_ point: Route.Point, to text: inout TextBuffer) {
    text.append("      <trkpt lon=\"")
    text.append(point.longitude, decimals: 6)
    text.append("\" lat=\"")
    text.append(point.latitude, decimals: 6)
    text.append("\"><ele>")
    text.append(point.altitude, decimals: 6)
    text.append("</ele><time>")
    text.append(utcDate: point.time)
    text.append("</time><extensions><speed>")
    text.append(point.speed, decimals: 6)
    text.append("</speed><course>")
    text.append(point.course, decimals: 6)
    text.append("</course><hAcc>")
    text.append(point.horizontalAccuracy, decimals: 6)
    text.append("</hAcc><vAcc>")
    text.append(point.verticalAccuracy, decimals: 6)
    text.append("</vAcc></extensions></trkpt>\n")
  }

  /// An electrocardiogram as a table of one column, its header in the person's language.
  private func csv(
    of electrocardiogram: ElectrocardiogramPlan, buffer text: inout TextBuffer
  ) -> (text: [UInt8], known: Truth.Electrocardiogram) {
    let labels = plan.language.labels
    let mark = plan.language.decimalMark
    let classification = labels.classifications[electrocardiogram.classification] ?? ""
    text.removeAll()
    text.append(verbatim: "Name\n\(labels.birthday),\"Feb 29, 1984\"\n\(labels.recorded),")
    text.append(date: electrocardiogram.start, offset: plan.offset)
    text.append(verbatim: "\n\(labels.classification),\(classification)\n\(labels.symptoms),\n")
    text.append(verbatim: "\(labels.software),\(electrocardiogram.software)\n")
    text.append(verbatim: "\(labels.device),\"Watch6,7\"\n\(labels.rate),")
    if labels.hasMeasuredRate {
      text.append(Self.measuredRate, decimals: 3, mark: mark)
    } else {
      text.append(whole: Int(ElectrocardiogramPlan.rate))
    }
    text.append(verbatim: "\(labels.hertz)\n\n\n\(labels.lead),Lead I\n\(labels.unit),µV\n\n")
    let voltages = electrocardiogram.voltages()
    for voltage in voltages {
      text.append(voltage, decimals: 3, mark: mark)
      text.append(UInt8(ascii: "\n"))
    }
    let known = Truth.Electrocardiogram(
      path: electrocardiogram.path, start: electrocardiogram.start,
      classification: classification,
      rate: labels.hasMeasuredRate ? Self.measuredRate : ElectrocardiogramPlan.rate,
      voltages: voltages.count,
      sum: voltages.reduce(0, +))
    return (Array(text.bytes), known)
  }

  /// An export's other file, here with a few observations only.
  private func clinicalDocument() -> [UInt8] {
    var text = TextBuffer()
    text.append(
      """
      <?xml version="1.0"?>
      <ClinicalDocument xmlns="urn:hl7-org:v3">
       <realmCode code="US"/>
       <typeId root="2.16.840.1.113883.1.3" extension="POCD_HD000040"/>
       <title>Health Data Export</title>
       <effectiveTime value="
      """)
    text.append(compactDate: plan.exported, offset: plan.offset)
    text.append("\"/>\n")
    let day = plan.person.plan(ofDay: max(0, plan.timeline.count - 1))
    for number in 0..<Self.noteCount {
      text.append(" <entry><observation classCode=\"OBS\" moodCode=\"EVN\">\n  <text><sourceName>")
      text.append(verbatim: Writer.watch.escapedName)
      text.append("</sourceName><value>")
      text.append(sixDigits: (day.restingHeartRate + Double(number)).rounded())
      text.append("</value><type>HKQuantityTypeIdentifierHeartRate</type><unit>count/min</unit>")
      text.append("</text>\n  <effectiveTime><low value=\"")
      text.append(compactDate: day.wake + 300 * number, offset: plan.offset)
      text.append("\"/></effectiveTime>\n </observation></entry>\n")
    }
    text.append("</ClinicalDocument>\n")
    return Array(text.bytes)
  }
}
