import HealthSamples

extension RecordCollector {
  /// Adds records, and their correlation if all of them are valid and none is missing.
  mutating func add(
    _ members: [Record], togetherAs type: HKCorrelationTypeIdentifier,
    _ conversions: inout UnitConversions
  ) {
    var row = Correlations.Row()
    row.type = type.rawValue
    for member in members {
      add(member)
      guard let start = member.start, let end = member.end ?? member.start,
        let value = member.value, value.isFinite
      else { continue }
      let conversion = conversions.conversion(from: member.unit, type: member.type)
      row.facts.source = Source(
        name: member.source, isUserEntered: member.metadata.isUserEntered)
      row.facts.origin = member.origin
      row.facts.created = member.created
      row.facts.metadata = member.metadata
      (row.facts.start, row.facts.end) = (start, end)
      row.members.append(
        RecordLink(
          type: member.type, source: row.facts.source, start: start, end: end,
          value: conversion(value) ?? value, label: member.unit))
    }
    let required = Catalogue.correlationTypes.first { $0.identifier == type }?.required ?? []
    let found = Set(row.members.map(\.type))
    if !found.isEmpty, row.members.count == members.count,
      found.isSuperset(of: required.map(\.rawValue))
    {
      add(row)
    }
  }
}
