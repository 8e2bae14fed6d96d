import HealthSamples

extension FieldCoder {
  /// A source; its spelling may change from export to export, so the key tells it apart.
  mutating func source(_ source: inout Source) throws(SegmentDamage) {
    var name = source.name
    var isUserEntered = source.isUserEntered ? 1 : 0
    try text(&name, isCompared: false)
    try integer(&isUserEntered, isCompared: false)
    source = Source(name: name, isUserEntered: isUserEntered != 0)
  }

  /// Who wrote an element and when.
  ///
  /// Versions, devices and creation dates are kept but say nothing about the element, so they are
  /// not compared.
  mutating func facts(_ facts: inout ElementFacts) throws(SegmentDamage) {
    try source(&facts.source)
    var version = facts.origin.sourceVersion
    var device = facts.origin.device
    try text(&version, isCompared: false)
    try text(&device, isCompared: false)
    facts.origin = Origin(sourceVersion: version, device: device)
    try created(&facts.created)
    try number(&facts.start, isCompared: false)
    try number(&facts.end, isCompared: false)
    try metadata(&facts.metadata)
  }

  private mutating func created(_ created: inout Double) throws(SegmentDamage) {
    var isRecorded = created == RecordColumns.notRecorded ? 0 : 1
    try integer(&isRecorded, isCompared: false)
    var date = isRecorded == 1 && created.isFinite ? created : 0
    try number(&date, isCompared: false)
    created = isRecorded == 1 ? date : RecordColumns.notRecorded
  }

  mutating func metadata(_ metadata: inout Metadata) throws(SegmentDamage) {
    let blank = Metadata.Entry(key: "", value: "")
    try list(&metadata.entries, blank: blank) { entry, coder throws(SegmentDamage) in
      var key = entry.key
      var value = entry.value
      try coder.text(&key)
      try coder.text(&value)
      entry = Metadata.Entry(key: key, value: value)
    }
  }

  mutating func links(_ links: inout [RecordLink]) throws(SegmentDamage) {
    try list(&links, blank: RecordLink.blank) { link, coder throws(SegmentDamage) in
      try coder.link(&link)
    }
  }

  /// A link; the recorded unit may change from export to export.
  mutating func link(_ link: inout RecordLink) throws(SegmentDamage) {
    try text(&link.type)
    try source(&link.source)
    try number(&link.start)
    try number(&link.end)
    try number(&link.value)
    try text(&link.label, isCompared: false)
  }
}

extension RecordLink {
  static let blank = RecordLink(
    type: "", source: Source(name: ""), start: 0, end: 0, value: 0, label: "")
}
