/// A text with places `{0}`, `{1}` … for what is put in, and `*` around what is bold.
///
/// Texts beside a count have a form for one and a form for others, divided by `|`, where they differ.
/// What is put in is never read as a pattern.
enum TextPattern {
  /// A piece of text, bold or not.
  struct Run: Sendable, Hashable {
    var text: String
    var isBold: Bool
  }

  /// The text with its places filled; a place without an argument stays empty.
  static func filled(_ pattern: String, _ arguments: String...) -> String {
    filled(pattern, with: arguments)
  }

  /// The text with its places filled from a list.
  static func filled(_ pattern: String, with arguments: [String]) -> String {
    pieces(of: pattern).map { piece in
      switch piece {
      case .text(let text): text
      case .place(let index): index < arguments.count ? arguments[index] : ""
      case .bold: "*"
      }
    }.joined()
  }

  /// The text for a count with its places filled.
  static func counted(_ pattern: String, _ count: Int, _ arguments: String...) -> String {
    filled(form(pattern, of: count), with: arguments)
  }

  /// The form of a text for a count.
  static func form(_ pattern: String, of count: Int) -> String {
    let forms = pattern.split(separator: "|").map(String.init)
    return (count == 1 ? forms.first : forms.last) ?? pattern
  }

  /// The runs of a text whose places hold runs.
  ///
  /// What is put into a bold place is bold as a whole. Neighbours of one weight are one run.
  static func runs(_ pattern: String, _ arguments: [[Run]]) -> [Run] {
    var found: [Run] = []
    var isBold = false
    for piece in pieces(of: pattern) {
      switch piece {
      case .bold: isBold.toggle()
      case .text(let text): append(Run(text: text, isBold: isBold), to: &found)
      case .place(let index) where index < arguments.count:
        for run in arguments[index] {
          append(Run(text: run.text, isBold: run.isBold || isBold), to: &found)
        }
      case .place: break
      }
    }
    return found
  }

  /// The indices of the places, in ascending order, each once.
  static func places(of pattern: String) -> [Int] {
    let all = pieces(of: pattern).compactMap { piece -> Int? in
      if case .place(let index) = piece { index } else { nil }
    }
    return Set(all).sorted()
  }

  static func append(_ run: Run, to runs: inout [Run]) {
    guard !run.text.isEmpty else { return }
    if let last = runs.last, last.isBold == run.isBold {
      runs[runs.count - 1].text += run.text
    } else {
      runs.append(run)
    }
  }

  enum Piece {
    case text(String)
    case place(Int)
    case bold
  }

  static func pieces(of pattern: String) -> [Piece] {
    var pieces: [Piece] = []
    var text = ""
    func flush() {
      if !text.isEmpty { pieces.append(.text(text)) }
      text = ""
    }
    var rest = pattern.unicodeScalars[...]
    while let scalar = rest.first {
      if scalar == "*" {
        flush()
        pieces.append(.bold)
        rest = rest.dropFirst()
      } else if scalar == "{", let digit = rest.dropFirst().first,
        ("0"..."9").contains(digit), rest.dropFirst(2).first == "}"
      {
        flush()
        pieces.append(.place(Int(digit.value) - 48))
        rest = rest.dropFirst(3)
      } else {
        text.unicodeScalars.append(scalar)
        rest = rest.dropFirst()
      }
    }
    flush()
    return pieces
  }
}
