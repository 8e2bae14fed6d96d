import Foundation
import HealthQuery
package import HealthSamples

extension OutputRow {
  /// The rows of the elements of a batch, for the table of their kind; empty for records, which are
  /// written differently.
  package static func rows(of batch: ImportBatch) -> [OutputRow] {
    switch batch {
    case .records: []
    case .workouts(let columns): columns.rows.map { OutputRow($0) }
    case .routes(let columns): columns.rows.map { OutputRow($0) }
    case .correlations(let columns): columns.rows.map { OutputRow($0) }
    case .activitySummaries(let columns): columns.rows.map { OutputRow($0) }
    case .beatLists(let columns): columns.rows.map { OutputRow($0) }
    case .electrocardiograms(let columns): columns.rows.map { OutputRow($0) }
    case .audiograms(let columns): columns.rows.map { OutputRow($0) }
    case .visionPrescriptions(let columns): columns.rows.map { OutputRow($0) }
    case .clinicalRecords(let columns): columns.rows.map { OutputRow($0) }
    case .characteristics(let columns):
      columns.rows.flatMap(\.entries).map { OutputRow(cells: [.text($0.key), .text($0.value)]) }
    case .savedObjects(let columns): columns.rows.map { OutputRow($0) }
    }
  }

  package init(_ route: Routes.Row) {
    let locations = route.locations
    let segments =
      locations.segmentStarts.isEmpty
      ? []
      : locations.segments.enumerated().flatMap { number, rows in rows.map { _ in number + 1 } }
    self.init(
      cells: [
        .known(route.activity), .instant(route.workoutStart), .instant(route.workoutEnd),
        .known(route.path),
      ] + route.facts.cells + route.facts.origin.places,
      parts: [
        List(locations.count) { index in
          OutputRow(cells: [
            .instant(locations.times[index]), .real(locations.latitudes[index]),
            .real(locations.longitudes[index]), .known(locations.altitude(row: index)),
            .known(locations.horizontalAccuracy(row: index)),
            .known(locations.verticalAccuracy(row: index)), .known(locations.course(row: index)),
            .known(locations.speed(row: index)),
            segments.isEmpty ? .none : .integer(segments[index]),
          ])
        }
      ])
  }

  private init(_ correlation: Correlations.Row) {
    self.init(
      cells: [.text(correlation.type)] + correlation.facts.cells
        + correlation.facts.origin.places,
      parts: [List(correlation.members) { OutputRow(cells: $0.cells) }])
  }

  private init(_ summary: ActivitySummaries.Row) {
    self.init(cells: [
      .text(summary.dayText), .known(summary.activeEnergy),
      .known(summary.activeEnergyGoal), .known(summary.moveMinutes),
      .known(summary.moveMinutesGoal), .known(summary.exerciseMinutes),
      .known(summary.exerciseMinutesGoal), .known(summary.standHours),
      .known(summary.standHoursGoal),
    ])
  }

  private init(_ beats: BeatLists.Row) {
    self.init(
      cells: beats.record.cells,
      parts: [
        List(beats.offsets.count) { index in
          OutputRow(cells: [.real(beats.offsets[index]), .real(beats.rates[index])])
        }
      ])
  }

  private init(_ electrocardiogram: Electrocardiograms.Row) {
    let voltages = electrocardiogram.voltages
    let rate = electrocardiogram.sampleRate
    self.init(
      cells: [
        .known(electrocardiogram.classification), .known(electrocardiogram.symptoms),
        .known(electrocardiogram.lead), .real(rate), .known(electrocardiogram.path),
      ] + electrocardiogram.facts.cells + electrocardiogram.facts.origin.places,
      parts: [
        List(voltages.count) { index in
          OutputRow(cells: [.real(Double(index) / rate), .real(voltages[index])])
        }
      ])
  }

  private init(_ audiogram: Audiograms.Row) {
    self.init(
      cells: [.text(audiogram.type)] + audiogram.facts.cells + audiogram.facts.origin.places,
      parts: [
        List(audiogram.points) { point in
          OutputRow(cells: [.real(point.frequency)] + point.left.cells + point.right.cells)
        }
      ])
  }

  private init(_ prescription: VisionPrescriptions.Row) {
    let eyes = [("right", prescription.rightEye), ("left", prescription.leftEye)]
    let parameters = eyes.flatMap { eye, parameters in parameters.map { (eye, $0) } }
    self.init(
      cells: [
        .text(prescription.type), .instant(prescription.issued),
        .known(instant: prescription.expires), .known(prescription.brand),
        .known(prescription.metadata),
      ] + prescription.origin.cells(prescription.source, created: prescription.created)
        + prescription.origin.places,
      parts: [
        List(parameters) { eye, parameter in
          OutputRow(cells: [
            .text(eye), .text(parameter.name), .real(parameter.value), .known(parameter.unit),
          ])
        },
        List(prescription.attachments) { OutputRow(cells: [.text($0)]) },
      ])
  }

  private init(_ object: SavedObjects.Row) {
    let document: Cell =
      object.document.isEmpty ? .none : .json(.documentOrText(object.document))
    self.init(
      cells: [.text(object.type)] + object.facts.cells + [.known(object.properties), document]
        + object.facts.origin.places,
      parts: [
        List(object.columns.first?.count ?? 0) { index in
          OutputRow(
            cells: (0..<3).map {
              object.columns.indices.contains($0) ? .real(object.columns[$0][index]) : .none
            })
        }
      ])
  }

  private init(_ record: ClinicalRecords.Row) {
    let resource: Cell =
      record.resource.isEmpty ? .none : .json(.documentOrText(record.resource))
    self.init(cells: [
      .text(record.type), .text(record.identifier), .text(record.source.name),
      .known(record.sourceURL), .known(record.version), .instant(record.received),
      .known(record.path), resource,
    ])
  }
}

extension ElementFacts {
  /// The common facts of most kinds, but for ``Origin/places``.
  var cells: [OutputRow.Cell] {
    [.instant(start), .instant(end)] + origin.cells(source, created: creation) + [.known(metadata)]
  }
}

extension Origin {
  /// Who saved an element, and when.
  fileprivate func cells(_ source: Source?, created: Double?) -> [OutputRow.Cell] {
    [
      .known(source?.name ?? ""), .known(source?.isUserEntered), .known(sourceVersion),
      .known(device), .known(instant: created),
    ]
  }

  /// On what an app saved it.
  var places: [OutputRow.Cell] { [.known(productType), .known(operatingSystem)] }
}

extension RecordLink {
  /// A referenced record, with its number in the recorded unit.
  var cells: [OutputRow.Cell] {
    let recorded = RecordedNumber(self)
    return [
      .text(type), .instant(start), .instant(end), .real(recorded.value),
      .known(recorded.unit), .known(recorded.unit.isEmpty ? label : ""), .known(source.name),
      .truth(source.isUserEntered),
    ]
  }
}

extension Audiograms.Ear {
  fileprivate var cells: [OutputRow.Cell] {
    [
      .known(sensitivity), .known(isMasked), .known(clampingLowerBound),
      .known(clampingUpperBound),
    ]
  }
}

extension ActivitySummaries.Row {
  /// The date, which has no time zone.
  package var dayText: String { LocalTime(Double(day) * .secondsPerDay, in: .gmt).dateText }
}
