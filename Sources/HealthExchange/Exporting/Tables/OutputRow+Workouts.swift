package import HealthSamples

extension OutputRow {
  /// A workout with all that is in it.
  package init(_ workout: Workouts.Row) {
    self.init(
      cells: [.text(workout.activity), .converted(workout.duration)] + workout.facts.cells
        + workout.facts.origin.places,
      parts: [
        List(workout.statistics) { OutputRow($0) },
        List(workout.events) { OutputRow($0) },
        List(workout.activities) { OutputRow($0) },
        List(workout.zoneGroups) { OutputRow($0) },
        List(workout.records) { OutputRow(cells: $0.cells) },
      ])
  }

  private init(_ statistics: Workouts.Statistics) {
    let numbers = [
      statistics.sum, statistics.average, statistics.minimum, statistics.maximum,
    ]
    self.init(
      cells: [
        .text(statistics.type), .known(statistics.unit), .known(statistics.recordedUnit),
        .instant(statistics.start), .instant(statistics.end),
      ] + numbers.map { .converted($0) })
  }

  private init(_ event: Workouts.Event) {
    self.init(cells: [
      .text(event.type), .instant(event.date), .converted(event.duration), .known(event.metadata),
    ])
  }

  private init(_ activity: Workouts.Activity) {
    self.init(
      cells: [
        .known(activity.identifier), .instant(activity.start), .known(instant: activity.end),
        .converted(activity.duration), .known(activity.metadata),
      ],
      parts: [
        List(activity.statistics) { OutputRow($0) }, List(activity.events) { OutputRow($0) },
        List(activity.zoneGroups) { OutputRow($0) },
      ])
  }

  private init(_ group: Workouts.ZoneGroup) {
    self.init(
      cells: [.known(group.type), .known(group.source), .known(group.unit)],
      parts: [
        List(group.zones) { zone in
          OutputRow(cells: [
            .known(zone.minimum), .known(zone.maximum), .converted(zone.duration),
          ])
        }
      ])
  }
}
