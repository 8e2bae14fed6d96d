/// A prefix of a metric unit.
public enum HKMetricPrefix: Int, Sendable {
  /// No prefix.
  case none = 0
  /// 10^-12.
  case pico
  /// 10^-9.
  case nano
  /// 10^-6.
  case micro
  /// 10^-3.
  case milli
  /// 10^-2.
  case centi
  /// 10^-1.
  case deci
  /// 10.
  case deca
  /// 10^2.
  case hecto
  /// 10^3.
  case kilo
  /// 10^6.
  case mega
  /// 10^9.
  case giga
  /// 10^12.
  case tera
  /// 10^-15.
  case femto

  /// The letters before the symbol of a unit.
  var symbol: String {
    switch self {
    case .none: ""
    case .femto: "f"
    case .pico: "p"
    case .nano: "n"
    case .micro: "mc"
    case .milli: "m"
    case .centi: "c"
    case .deci: "d"
    case .deca: "da"
    case .hecto: "h"
    case .kilo: "k"
    case .mega: "M"
    case .giga: "G"
    case .tera: "T"
    }
  }

  /// The prefixes that have letters.
  static let withSymbol = (1...13).compactMap(HKMetricPrefix.init(rawValue:))
}
