import HealthSamples

/// Reads the text of an export and delivers batches of records.
///
/// The text is scanned tag by tag. A top-level record is read with its contents, by a template if
/// one matches (``RecordTemplates``), otherwise in full. Other elements of the format are built
/// (``ElementBuilder``); elements of unknown names are counted, and the records inside of them read.
/// Damage does not stop the scan: after an invalid tag it continues at the next `<`.
struct RecordScanner: ~Copyable {
  var window: Window
  var tags = TagScanner()
  var innerTags = TagScanner()
  var templates = RecordTemplates()
  var dates = DateScanner()
  var types = RecordTypes()
  var texts = RecordTexts()
  var rows: RowStreams
  /// The open top-level element.
  var builder = ElementBuilder()
  var elementRows = ElementRows()
  /// The beats of the last record.
  var beats: BeatTimes?
  var elements = ElementNames()
  var unknownAttributes = CountedNames()
  var counts = ExportSummary()
  let limits: ImportLimits

  private var position = 0
  private var progress = Progress.beforeRoot
  /// The depth of open elements, without `HealthData`.
  private var depth = 0
  /// The end of the comment or other markup around the position.
  private var skipped: StaticString?
  /// Whether the texts must be dropped.
  private var isTextsFull = false
  /// Whether something must be delivered before the scan continues.
  private var isPaused = false
  /// The batches to deliver next.
  private var ready: [ImportBatch] = []
  private var incompleteAtEnd = 0
  private var offsetMinutes = 0
  private var offsetRecords = 0
  /// Starts from here on are counted: too distant, or after the time of the export.
  var latestUsual = DateScanner.year2201

  private enum Progress {
    case beforeRoot
    case inside
    case finished
    case failed
  }

  /// Makes a scanner of the text of `source`, which is optionally read ahead on another thread.
  init(source: any ByteSource, limits: ImportLimits, isReadingAhead: Bool) {
    window = Window(
      reader: BlockReader(source, limit: limits.elementBytes, isAhead: isReadingAhead),
      limit: limits.elementBytes)
    rows = RowStreams(rowCount: limits.bufferedRows)
    self.limits = limits
  }

  /// The number of bytes scanned.
  var bytesRead: Int { window.offset + position }

  /// The counts so far.
  var summary: ExportSummary {
    var summary = counts
    summary.types = types.counts
    summary.elements = elementRows.counts
    summary.impossibleDurations = elementRows.impossibleDurations
    summary.otherElements = elements.other
    summary.unknownElements = elements.unknown
    summary.unknownAttributes = unknownAttributes.counts(known: false)
    summary.bytes = bytesRead
    if offsetRecords > 0 { summary.utcOffsets[offsetMinutes, default: 0] += offsetRecords }
    return summary
  }

  /// When the export was created, if already known.
  var exported: Double? { elementRows.exported }

  /// The next batch, or `nil` at the end or after an error.
  mutating func next() throws(ExportError) -> ImportBatch? {
    while true {
      if let batch = ready.popLast() { return batch }
      if let stream = rows.nextFull() { return .records(batch(stream)) }
      if isTextsFull {
        texts = RecordTexts()
        rows.removeAll()
        templates.removeAll()
        isTextsFull = false
      }
      isPaused = false
      if progress == .failed { return nil }
      if progress == .finished {
        ready = elementRows.takeAll()
        if ready.isEmpty { return nil }
        continue
      }
      do throws(ExportError) { try advance() } catch {
        progress = .failed
        throw error
      }
      if elementRows.isFull { ready = elementRows.takeAll() }
      if progress == .finished || isTextsFull { rows.markAllFull() }
    }
  }

  /// Texts were added.
  mutating func noteTexts() {
    isTextsFull = texts.byteCount > limits.rememberedBytes
    notePause()
  }

  /// Something may have to be delivered.
  mutating func notePause() { isPaused = isTextsFull || elementRows.isFull }

  /// Scans until rows must be delivered or the text ends.
  private mutating func advance() throws(ExportError) {
    if progress == .beforeRoot, try !findRoot() { return }
    var place = window.start + position
    while !rows.hasFull, !isPaused, progress == .inside {
      if skipped == nil, depth == 0, let next = predictedRecord(place) {
        place = next
        continue
      }
      switch step(place) {
      case .on(let next): place = next
      case .more(let kept):
        switch try window.refill(keepingFrom: kept) {
        case .more: place = window.start
        case .full:
          counts.oversizedElements += 1
          place = kept + 1
        case .atEnd:
          // After a truncated tag, or one with a missing quote, complete ones may follow.
          if kept < window.end {
            incompleteAtEnd += 1
            place = kept + 1
          } else {
            place = kept
            counts.cutAt = window.offset + (window.end - window.start)
            progress = .finished
          }
        }
      case .root(let next):
        place = next
        counts.malformedElements += incompleteAtEnd
        progress = .finished
      }
    }
    position = place - window.start
    if progress == .finished { try readRest() }
  }

  /// The result of a step.
  enum Step {
    /// Continue from there.
    case on(UnsafePointer<UInt8>)
    /// More text is needed; text from there on must be kept.
    case more(UnsafePointer<UInt8>)
    /// The end of `HealthData`.
    case root(UnsafePointer<UInt8>)
  }

  /// Finds `<HealthData`.
  private mutating func findRoot() throws(ExportError) -> Bool {
    var prolog = Prolog()
    var place = window.start
    while true {
      let kept: UnsafePointer<UInt8>
      switch prolog.step(place, before: window.end) {
      case .more(let rest): kept = rest
      case .root(let found):
        switch tags.scan(found, before: window.end) {
        case .start(let name, let isClosed, let next) where name.equals("HealthData"):
          position = next - window.start
          progress = isClosed ? .finished : .inside
          if isClosed { try readRest() }
          return !isClosed
        case .incomplete: kept = found
        default:
          place = found + 1
          continue
        }
      }
      switch try window.refill(keepingFrom: kept) {
      case .more: place = window.start
      case .full: place = kept + 1
      case .atEnd:
        position = window.end - window.start
        counts.cutAt = bytesRead
        progress = .finished
        return false
      }
    }
  }

  /// Reads the text after `HealthData`, so that an archive checks its checksum, and counts further
  /// roots.
  private mutating func readRest() throws(ExportError) {
    var prolog = Prolog()
    var place = window.start + position
    while true {
      switch prolog.step(place, before: window.end) {
      case .root(let found):
        counts.otherRoots += 1
        place = found + 1
        continue
      case .more(let rest): place = rest
      }
      guard try window.refill(keepingFrom: place) != .atEnd else { break }
      place = window.start
    }
    position = window.end - window.start
    if window.endedEarly { counts.cutAt = window.offset + position }
  }

  /// Counts the offset from UTC of the start of a record.
  @inline(__always)
  mutating func countOffset(_ minutes: Int) {
    if minutes != offsetMinutes {
      if offsetRecords > 0 { counts.utcOffsets[offsetMinutes, default: 0] += offsetRecords }
      offsetMinutes = minutes
      offsetRecords = 0
    }
    offsetRecords += 1
  }
}

extension RecordScanner {
  /// Reads the tag at `place`, or at the next `<`.
  private mutating func step(_ place: UnsafePointer<UInt8>) -> Step {
    if let terminator = skipped {
      guard let end = place.first(terminator, before: window.end) else {
        // Everything except a terminator at the end of memory can be dropped.
        return .more(max(place, window.end - (terminator.utf8CodeUnitCount - 1)))
      }
      skipped = nil
      return .on(end + terminator.utf8CodeUnitCount)
    }
    guard let tag = place.first(.less, before: window.end) else { return .more(window.end) }
    switch tags.scan(tag, before: window.end) {
    case .start(let name, let isClosed, let next):
      if name.equals("Record") {
        let step = record(tag, isClosed: isClosed, next: next, isNested: depth > 0)
        if depth > 0, case .on = step { counts.nestedRecords += 1 }
        return step
      }
      open(name, isClosed: isClosed)
      if !isClosed { depth += 1 }
      return .on(next)
    case .end(let name, let next):
      if name.equals("HealthData") { return .root(next) }
      depth = max(0, depth - 1)
      if builder.isOpen { take(builder.close()) }
      return .on(next)
    case .markup(let terminator, let next):
      skipped = terminator
      return .on(next)
    case .malformed:
      counts.malformedElements += 1
      return .on(tag + 1)
    case .incomplete:
      return .more(tag)
    }
  }

  private mutating func open(_ name: Bytes, isClosed: Bool) {
    let isTopLevel = elements.isTopLevelOnly(name)
    if depth > 0, isTopLevel {
      counts.malformedElements += 1
      depth = 0
      builder = ElementBuilder()
    }
    guard builder.isOpen || depth == 0 && isTopLevel else {
      elements.count(name)
      return
    }
    if builder.takes(name) {
      take(builder.open(name, tags.attributes, isClosed: isClosed, unknown: &unknownAttributes))
    } else {
      elements.count(name)
      builder.passOver(isClosed: isClosed)
    }
  }

  /// Handles the result of a tag.
  private mutating func take(_ outcome: ElementBuilder.Outcome) {
    switch outcome {
    case .open: return
    case .complete(let node):
      elementRows.add(node)
      // Dates are whole seconds.
      if let exported { latestUsual = min(DateScanner.year2201, exported + 1) }
    case .tooLarge(let name):
      if let kind = ElementKind(rawValue: name) { elementRows.skip(kind, .tooManyParts) }
    }
    counts.duplicateAttributes += builder.duplicates
    counts.replacedCharacters += builder.replaced
    counts.leftOutLocations += builder.leftOutLocations
    builder = ElementBuilder()
    notePause()
  }
}
