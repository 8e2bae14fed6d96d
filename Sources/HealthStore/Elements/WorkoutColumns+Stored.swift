import HealthSamples

extension WorkoutColumns: StoredElement {
  static let blank = Row()

  static func key(of row: Row) -> ElementKey { row.facts.key(row.activity) }

  static func code(_ row: inout Row, _ coder: inout FieldCoder) throws(SegmentDamage) {
    try coder.facts(&row.facts)
    try coder.text(&row.activity, isCompared: false)
    try coder.number(&row.duration)
    try coder.statistics(&row.statistics)
    try coder.events(&row.events)
    try coder.list(&row.activities, blank: Activity()) { activity, coder throws(SegmentDamage) in
      try coder.text(&activity.identifier, isCompared: false)
      try coder.number(&activity.start)
      try coder.number(&activity.end)
      try coder.number(&activity.duration)
      try coder.statistics(&activity.statistics)
      try coder.events(&activity.events)
      try coder.metadata(&activity.metadata)
    }
    try coder.list(&row.zoneGroups, blank: ZoneGroup()) { group, coder throws(SegmentDamage) in
      try coder.text(&group.type)
      try coder.text(&group.source)
      try coder.text(&group.unit)
      try coder.list(&group.zones, blank: Zone()) { zone, coder throws(SegmentDamage) in
        try coder.number(&zone.minimum)
        try coder.number(&zone.maximum)
        try coder.number(&zone.duration)
      }
    }
    try coder.links(&row.records)
  }
}

extension FieldCoder {
  fileprivate mutating func statistics(
    _ statistics: inout [WorkoutColumns.Statistics]
  ) throws(SegmentDamage) {
    try list(&statistics, blank: .init()) { item, coder throws(SegmentDamage) in
      try coder.text(&item.type)
      try coder.text(&item.unit)
      try coder.text(&item.recordedUnit, isCompared: false)
      try coder.number(&item.start)
      try coder.number(&item.end)
      try coder.number(&item.sum)
      try coder.number(&item.average)
      try coder.number(&item.minimum)
      try coder.number(&item.maximum)
    }
  }

  fileprivate mutating func events(
    _ events: inout [WorkoutColumns.Event]
  ) throws(SegmentDamage) {
    try list(&events, blank: .init()) { event, coder throws(SegmentDamage) in
      try coder.text(&event.type)
      try coder.number(&event.date)
      try coder.number(&event.duration)
      try coder.metadata(&event.metadata)
    }
  }
}
