extension UnitTable {
  /// The units of HealthKit, in the order in which a product prints them.
  ///
  /// Apple publishes no order. This one agrees with every text that devices are seen to print:
  /// minutes and hours before a volume or a mass, a length or a volume before seconds, and a volume
  /// before international units (`mg/min·dL`, `mL/min·kg`, `mg/dL·s`, `mg/dL·IU`).
  ///
  /// Values: the international yard and pound (1959), the gallons of NIST Handbook 44 and of UK SI
  /// 1995/1804, the thermochemical calorie, and HealthKit's own columns of mercury and water. Base
  /// units are gram, metre, second, kelvin, ampere, candela, radian.
  package static let healthKitUnits: [UnitDefinition] = [
    UnitDefinition("count", nil, .one),
    UnitDefinition("%", nil, .one),
    UnitDefinition("mol", nil, .mass, prefixes: .both, scale: .molarMass, isSpelled: false),
    UnitDefinition("mol", nil, .base(.amount), prefixes: .both),
    UnitDefinition("min", "min", .time, 60),
    UnitDefinition("hr", "h", .time, 3600),
    UnitDefinition("d", "d", .time, 86400),
    UnitDefinition("m", "m", .length, prefixes: .both),
    UnitDefinition("in", "[in_i]", .length, ExactFactor(254, tens: -4)),
    UnitDefinition("ft", "[ft_i]", .length, ExactFactor(3048, tens: -4)),
    UnitDefinition("yd", "[yd_i]", .length, ExactFactor(9144, tens: -4)),
    UnitDefinition("mi", "[mi_i]", .length, ExactFactor(1_609_344, tens: -3)),
    UnitDefinition("atm", "atm", .pressure, 101_325_000),
    UnitDefinition("Pa", "Pa", .pressure, 1000, prefixes: .both),
    UnitDefinition("mmHg", nil, .pressure, ExactFactor(101_325_000, over: 760)),
    UnitDefinition("cmAq", nil, .pressure, ExactFactor(2_490_889, over: 254, tens: 1)),
    UnitDefinition("inHg", nil, .pressure, ExactFactor(338_638_816, tens: -2)),
    UnitDefinition("L", "L", .volume, ExactFactor(1, tens: -3), prefixes: .both),
    UnitDefinition("fl_oz_us", "[foz_us]", .volume, ExactFactor(295_735_295_625, tens: -16)),
    UnitDefinition("pt_us", "[pt_us]", .volume, ExactFactor(473_176_473, tens: -12)),
    UnitDefinition("cup_us", "[cup_us]", .volume, ExactFactor(2_365_882_365, tens: -13)),
    UnitDefinition("fl_oz_imp", "[foz_br]", .volume, ExactFactor(284_130_625, tens: -13)),
    UnitDefinition("pt_imp", "[pt_br]", .volume, ExactFactor(56_826_125, tens: -11)),
    UnitDefinition("cup_imp", nil, .volume, ExactFactor(284_130_625, tens: -12)),
    UnitDefinition("s", "s", .time, prefixes: .both),
    UnitDefinition("IU", "[IU]", .base(.internationalUnit), prefixes: .ucum),
    UnitDefinition("g", "g", .mass, prefixes: .both),
    UnitDefinition("oz", "[oz_av]", .mass, ExactFactor(28_349_523_125, tens: -9)),
    UnitDefinition("lb", "[lb_av]", .mass, ExactFactor(45_359_237, tens: -5)),
    UnitDefinition("st", "[stone_av]", .mass, ExactFactor(635_029_318, tens: -5)),
    UnitDefinition("J", "J", .energy, 1000, prefixes: .both),
    UnitDefinition("cal", "cal", .energy, 4184, prefixes: .ucum),
    UnitDefinition("kcal", nil, .energy, 4_184_000),
    UnitDefinition("Cal", "[Cal]", .energy, 4_184_000),
    UnitDefinition("W", "W", .power, 1000, prefixes: .both),
    UnitDefinition("V", "V", .potential, 1000, prefixes: .both),
    UnitDefinition("S", "S", .conductance, ExactFactor(1, tens: -3), prefixes: .both),
    UnitDefinition("Hz", "Hz", .frequency, prefixes: .both),
    UnitDefinition("K", "K", .temperature, prefixes: .both),
    UnitDefinition(
      "degC", "Cel", .temperature, prefixes: .ucum, scale: .shifted(ExactFactor(27315, tens: -2))),
    UnitDefinition(
      "degF", "[degF]", .temperature, ExactFactor(5, over: 9),
      scale: .shifted(ExactFactor(45967, tens: -2))),
    UnitDefinition("D", "[diop]", .reciprocalLength),
    UnitDefinition("pD", nil, .base(.prism)),
    UnitDefinition("rad", "rad", .base(.angle), prefixes: .both),
    UnitDefinition("deg", "deg", .base(.angle), ExactFactor(1, over: 180, pi: 1)),
    UnitDefinition("lx", nil, .illuminance, prefixes: .both),
    UnitDefinition("dBASPL", nil, .base(.soundPressureLevel)),
    UnitDefinition("dBHL", nil, .base(.hearingLevel)),
    UnitDefinition("appleEffortScore", nil, .base(.effort)),
  ]
}

extension UnitTable {
  /// The columns of mercury and water at 0 °C, 4 °C and standard gravity (NIST SP 811, B.8), in the
  /// order of the HealthKit units that they replace.
  static let conventionalColumns: [UnitDefinition] = [
    column("mmHg", ExactFactor(133_322_387_415, tens: -6)),
    column("cmAq", ExactFactor(980_665, tens: -1)),
    column("inHg", ExactFactor(3_386_388_640_341, tens: -6)),
  ]

  private static func column(_ name: String, _ factor: ExactFactor) -> UnitDefinition {
    UnitDefinition(name, nil, .pressure, factor, isSpelled: false)
  }
}

extension UnitDimension {
  init(
    mass: Int16 = 0, length: Int16 = 0, time: Int16 = 0, temperature: Int16 = 0,
    current: Int16 = 0, luminousIntensity: Int16 = 0, angle: Int16 = 0
  ) {
    self.init(
      physical: SIMD8(
        mass, length, time, temperature, current, luminousIntensity, angle, 0))
  }

  static let mass = UnitDimension(mass: 1)
  static let length = UnitDimension(length: 1)
  static let reciprocalLength = UnitDimension(length: -1)
  static let volume = UnitDimension(length: 3)
  static let time = UnitDimension(time: 1)
  static let frequency = UnitDimension(time: -1)
  static let temperature = UnitDimension(temperature: 1)
  static let pressure = UnitDimension(mass: 1, length: -1, time: -2)
  static let energy = UnitDimension(mass: 1, length: 2, time: -2)
  static let power = UnitDimension(mass: 1, length: 2, time: -3)
  static let potential = UnitDimension(mass: 1, length: 2, time: -3, current: -1)
  static let conductance = UnitDimension(mass: -1, length: -2, time: 3, current: 2)
  static let illuminance = UnitDimension(length: -2, luminousIntensity: 1)
}
