import Glibc

/// The layouts of recent records, to recognise them in the next ones.
///
/// Consecutive records differ in their dates, their value and the address of their device. A
/// template is the rest of a start tag, with holes for those. If its literals match byte for byte
/// and its holes are valid, the tag has the same meaning as that of the first record.
struct RecordTemplates: ~Copyable {
  /// The variable text between two literals.
  enum Hole: UInt8 {
    case address
    case created
    case start
    case end
    case number
    case constant
    /// The `>` or `/>` of the tag.
    case close
  }

  /// A literal and the hole after it.
  struct Piece {
    var literal: UnsafePointer<UInt8>
    var count: Int
    var hole: Hole
  }

  /// The meaning of the literals of a template.
  struct Meaning {
    var type: Int
    var source: UInt32
    var origin: UInt32
    var label: UInt32
    var replaced: Int
  }

  /// The last text of a part, and its meaning.
  struct Remembered<Value> {
    fileprivate(set) var bytes: UnsafeMutablePointer<UInt8>
    fileprivate(set) var count = 0
    var value: Value

    /// Whether the text at `place` starts with the remembered one.
    @inline(__always)
    func matches(_ place: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>) -> Bool {
      count > 0 && end - place >= count && memcmp(place, bytes, count) == 0
    }

    /// Sets `value`, and remembers `text` with it if it repeats and is not too long.
    mutating func remember(_ text: Bytes, _ value: Value, ifIt repeats: Bool = true) {
      count = repeats && text.count <= RecordTemplates.longestRemembered ? text.count : 0
      if let base = text.baseAddress { bytes.update(from: base, count: count) }
      self.value = value
    }
  }

  /// One layout.
  struct Template {
    fileprivate(set) var pieces: UnsafeMutablePointer<Piece>
    fileprivate(set) var pieceCount = 0
    fileprivate var literals: UnsafeMutablePointer<UInt8>
    fileprivate var lastUse = 0
    fileprivate(set) var meaning = Meaning(type: 0, source: 0, origin: 0, label: 0, replaced: 0)
    /// The streams of measured and of hand-entered records; negative when unknown.
    var stream = -1
    var userEnteredStream = -1
    /// The last constant, with the quote after it.
    var constant: Remembered<RecordTexts.Constant>
    /// The last text between the tags, with the end tag.
    var children: Remembered<RecordTexts.Children>
  }

  static let slotCount = 8
  static let longestRemembered = 512
  private static let longestTag = 2048
  private static let mostPieces = 8

  private let templates: UnsafeMutablePointer<Template>
  private var clock = 0
  /// The template of the last match.
  private(set) var last = 0

  init() {
    templates = .allocate(capacity: Self.slotCount)
    for slot in 0..<Self.slotCount {
      (templates + slot).initialize(
        to: Template(
          pieces: .allocate(capacity: Self.mostPieces),
          literals: .allocate(capacity: Self.longestTag),
          constant: Remembered(
            bytes: .allocate(capacity: Self.longestRemembered),
            value: RecordTexts.Constant(label: 0, value: 0, replaced: 0)),
          children: Remembered(
            bytes: .allocate(capacity: Self.longestRemembered), value: RecordTexts.Children())))
    }
  }

  deinit {
    for slot in 0..<Self.slotCount {
      templates[slot].pieces.deallocate()
      templates[slot].literals.deallocate()
      templates[slot].constant.bytes.deallocate()
      templates[slot].children.bytes.deallocate()
    }
    templates.deallocate()
  }

  /// The template in a slot.
  @inline(__always)
  subscript(slot: Int) -> UnsafeMutablePointer<Template> { templates + slot }

  /// Records a match of a template.
  @inline(__always)
  mutating func use(_ slot: Int) {
    clock += 1
    templates[slot].lastUse = clock
    last = slot
  }

  /// Drops all templates, because the indices in their meaning are invalid.
  mutating func removeAll() {
    for slot in 0..<Self.slotCount { templates[slot].pieceCount = 0 }
  }

  /// Makes a template of the start tag `tag`, without its `>` or `/>`, which replaces the least
  /// recently used one; none if the tag is too long.
  mutating func learn(_ tag: Bytes, holes: [(hole: Hole, range: Range<Int>)], meaning: Meaning) {
    guard let base = tag.baseAddress, tag.count <= Self.longestTag,
      holes.count < Self.mostPieces,
      let slot = (0..<Self.slotCount).min(by: {
        (templates[$0].pieceCount == 0 ? -1 : templates[$0].lastUse)
          < (templates[$1].pieceCount == 0 ? -1 : templates[$1].lastUse)
      })
    else { return }
    let template = templates + slot
    template.pointee.literals.update(from: base, count: tag.count)
    var place = 0
    var count = 0
    for (hole, range) in holes.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
      + [(.close, tag.count..<tag.count)]
    {
      (template.pointee.pieces + count).initialize(
        to: Piece(
          literal: UnsafePointer(template.pointee.literals + place),
          count: range.lowerBound - place, hole: hole))
      place = range.upperBound
      count += 1
    }
    template.pointee.pieceCount = count
    template.pointee.meaning = meaning
    template.pointee.stream = -1
    template.pointee.userEnteredStream = -1
    template.pointee.constant.count = 0
    template.pointee.children.count = 0
    use(slot)
  }
}

extension RecordTemplates.Piece {
  /// Whether the literal is at `place`.
  @inline(__always)
  func matches(_ place: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>) -> Bool {
    guard end - place >= count else { return false }
    // Most literals are as short as `" startDate="`: two overlapping words.
    if count <= 16, count >= 8 {
      return place.word(at: 0) == literal.word(at: 0)
        && place.word(at: count - 8) == literal.word(at: count - 8)
    }
    return memcmp(place, literal, count) == 0
  }
}
