/// Finds `<HealthData` behind what precedes it: comments, instructions, and a document type, which
/// may not be well-formed.
///
/// The same characters in a comment, an instruction or a quoted text of a declaration are passed
/// over.
struct Prolog {
  /// The start of the element that contains an export.
  static let rootTag: StaticString = "<HealthData"
  private static let declaredRoot: StaticString = "<!DOCTYPE HealthData"

  /// Whether a document type with the name of the element has been passed.
  private(set) var declaresExport = false
  /// The end of the comment, the instruction or the quoted text around the position.
  private var terminator: StaticString?
  private var isInDeclaration = false

  init() {}

  /// The result of a step.
  enum Step {
    /// The next `<HealthData` is there.
    case root(UnsafePointer<UInt8>)
    /// More text is needed; text from there on must be kept, and is the start of the next step.
    case more(UnsafePointer<UInt8>)
  }

  /// Continues at `start`, up to `end`.
  ///
  /// - Precondition: ``TextBlock/padding`` bytes follow `end`.
  mutating func step(
    _ start: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>
  ) -> Step {
    var place = start
    while place < end {
      if let terminator {
        guard let found = place.first(terminator, before: end) else {
          // Everything except a terminator at the end of memory can be dropped.
          return .more(max(place, end - (terminator.utf8CodeUnitCount - 1)))
        }
        self.terminator = nil
        place = found + terminator.utf8CodeUnitCount
      } else if isInDeclaration {
        place = declaration(place, before: end)
      } else {
        guard let tag = place.first(.less, before: end) else { return .more(end) }
        if end - tag < Self.rootTag.utf8CodeUnitCount { return .more(tag) }
        if tag.starts(with: Self.rootTag) { return .root(tag) }
        place = markup(tag)
      }
    }
    return .more(end)
  }

  /// The place after the opening of markup.
  private mutating func markup(_ tag: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    for (opening, terminator) in [
      ("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"),
    ] as [(StaticString, StaticString)] where tag.starts(with: opening) {
      self.terminator = terminator
      return tag + opening.utf8CodeUnitCount
    }
    isInDeclaration = tag[1] == UInt8(ascii: "!")
    if tag.starts(with: Self.declaredRoot) { declaresExport = true }
    return tag + 1
  }

  /// Passes over a declaration up to its end, the next quote, or the next markup where its end is
  /// missing.
  private mutating func declaration(
    _ start: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    var place = start
    while place < end {
      switch place.pointee {
      case .quote: terminator = "\""
      case .apostrophe: terminator = "'"
      case .less:
        isInDeclaration = false
        return place
      case .greater, UInt8(ascii: "["): isInDeclaration = false
      default:
        place += 1
        continue
      }
      return place + 1
    }
    return place
  }
}
