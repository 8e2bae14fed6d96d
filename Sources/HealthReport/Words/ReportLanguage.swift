/// The language of a report, and the customs of the region in which it is read.
///
/// The words, the separators of numbers and the order of dates are those of the language. A region
/// decides the clock of 12 or 24 hours and the first day of the week, and nothing else.
///
/// ```swift
/// ReportLanguage(identifier: "de-AT")?.base            // .german
/// ReportLanguage(identifier: "en-US")?.has12HourClock  // true
/// ReportLanguage(identifier: "nl")                     // nil
/// ```
public struct ReportLanguage: Sendable, Hashable {
  /// A language that reports are written in; the raw value is its BCP 47 code.
  public enum Base: String, Sendable, Hashable, CaseIterable {
    case english = "en"
    case german = "de"
    case french = "fr"
    case spanish = "es"
    case japanese = "ja"
  }

  /// The language itself.
  public let base: Base
  /// The region of two capital letters; `nil` if none is named.
  public let region: String?

  /// English, by British customs.
  public static let english = ReportLanguage(.english)

  /// A language without a region.
  public init(_ base: Base) { self.init(base, region: nil) }

  private init(_ base: Base, region: String?) { (self.base, self.region) = (base, region) }

  /// The language that an identifier names: `de`, `de-AT`, `es_MX.UTF-8`.
  ///
  /// - Returns: `nil` when reports are not written in the language.
  public init?(identifier: String) {
    guard identifier.utf8.count <= 64 else { return nil }
    let name = identifier.prefix { $0 != "." && $0 != "@" }
    let parts = name.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    guard let first = parts.first, let base = Base(rawValue: first.lowercased()) else { return nil }
    let region = parts.dropFirst().first { part in
      part.utf8.count == 2 && part.utf8.allSatisfy { Self.isLetter($0) }
    }
    self.init(base, region: region?.uppercased())
  }

  /// The language that a person names: an identifier, or its name in one of the languages: `de-AT`,
  /// `deutsch`, `German`, `francais`.
  ///
  /// - Returns: `nil` when reports are not written in the language.
  public init?(named name: String) {
    if let language = ReportLanguage(identifier: name) {
      self = language
      return
    }
    let key = SpokenTypeNames.key(of: name)
    guard let base = Base.allCases.first(where: { $0.names.contains(key) }) else { return nil }
    self.init(base)
  }

  /// The first of the languages of an environment, as `setlocale` finds it; English where none is set,
  /// or reports are not written in it.
  public init(environment: [String: String]) {
    let named = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy
      .compactMap { environment[$0] }.first { !$0.isEmpty }
    self = named.flatMap(ReportLanguage.init(identifier:)) ?? .english
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// The BCP 47 identifier: `de-AT`.
  public var identifier: String { region.map { "\(base.rawValue)-\($0)" } ?? base.rawValue }

  /// The direction of text, as HTML names it.
  var direction: String { "ltr" }

  /// The locale whose dates `Intl.DateTimeFormat` writes as this module does.
  ///
  /// Numbers are those of `Intl.NumberFormat(base.rawValue)`.
  var dateLocale: String { base == .english ? "en-GB" : base.rawValue }

  /// The first day of the week: 0 is Monday, 6 is Sunday.
  var firstWeekday: Int {
    guard let region else { return base == .japanese ? 6 : 0 }
    if Self.sundayRegions.contains(region) { return 6 }
    if Self.saturdayRegions.contains(region) { return 5 }
    return region == "MV" ? 4 : 0
  }

  /// Whether the clock counts to twelve.
  var has12HourClock: Bool {
    guard let region, base != .japanese, base != .german else { return false }
    // Canada writes 13 h in French and 1 p.m. in English.
    if base == .french, region == "CA" { return false }
    return Self.regionsOf12Hours.contains(region)
  }
}

extension ReportLanguage {
  /// The paper of the region: A4 where none is named.
  public var paper: ReportPaper {
    region.map(Self.letterRegions.contains) ?? false ? .letter : .a4
  }
}

/// What CLDR 48 says of regions.
extension ReportLanguage {
  private static let letterRegions = set("BZ CA CL CO CR GT MX NI PA PH PR SV US VE")
  private static let sundayRegions = set(
    """
    AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN IS JM JP KE KH KR LA MH MM MO MT MX
    MZ NI NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW
    """)
  private static let saturdayRegions = set("AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY")
  private static let regionsOf12Hours = set(
    """
    AE AG AL AR AS AU BB BD BH BM BN BO BS BT CA CL CO CR CU CY DJ DM DO DZ EC EG EH ER ET FJ FM
    GD GH GM GR GT GU GY HK HN IN IQ JM JO KH KI KN KP KR KW KY LB LC LR LS LY MH MO MP MR MW
    MX MY NA NI NZ OM PA PE PG PH PK PR PS PW PY QA SA SB SD SG SL SO SS SV SY SZ TC TD TN TO
    TT TW UM US UY VC VE VG VI VU WS YE ZM
    """)

  private static func set(_ regions: String) -> Set<String> {
    Set(regions.split { $0 == " " || $0 == "\n" }.map(String.init))
  }
}

extension ReportLanguage.Base {
  /// The names of the language in all of them, as ``SpokenTypeNames`` compares names.
  fileprivate var names: Set<String> {
    let names =
      switch self {
      case .english: "English|Englisch|anglais|inglés|英語"
      case .german: "German|Deutsch|allemand|alemán|ドイツ語"
      case .french: "French|Französisch|français|francés|フランス語"
      case .spanish: "Spanish|Spanisch|espagnol|español|castellano|スペイン語"
      case .japanese: "Japanese|Japanisch|japonais|japonés|日本語"
      }
    return Set(names.split(separator: "|").map { SpokenTypeNames.key(of: String($0)) })
  }
}
