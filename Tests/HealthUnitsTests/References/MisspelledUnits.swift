/// How units are written wrongly, and what was meant, from published guidance.
///
/// The spellings and their meanings are facts; no text is taken over. Sources:
///
/// - `ismp`: ISMP List of Error-Prone Abbreviations, Symbols, and Dose Designations (2021), and the
///   Joint Commission's list of abbreviations not to use: units, plurals, full stops, letters.
/// - `nist`: NIST Special Publication 811 (2008), chapters 5 to 9, and NIST's page on writing with the
///   SI: abbreviations that are no symbols, capitals, plurals, names in full, superscripts.
/// - `ucum`: UCUM 2.2 on blanks, case and products; NLM and Regenstrief, Table of Example UCUM Codes
///   for Electronic Messaging (2014), and HL7's value set of common UCUM units: names and codes.
/// - `cdisc`: NCI and CDISC controlled terminology of units, with its synonyms.
/// - `lab`: what German laboratories send, from public tables that map it to UCUM.
/// - `healthkit`: HKUnit's strings as HealthKit reads them, and the unit names of Health Connect and of
///   fitness devices.
///
/// Every misspelling is one that these name, or one that follows from a rule of theirs.
enum MisspelledUnits {
  enum Source { case ismp, nist, ucum, cdisc, lab, healthkit }

  struct Row: Sendable {
    /// What was meant, as UCUM's code and as HealthKit's string where it has one.
    let ucum: String
    let healthKit: String?
    let misspellings: [String]

    init(_ source: Source, _ ucum: String, _ healthKit: String?, _ misspellings: [String]) {
      self.ucum = ucum
      self.healthKit = healthKit
      self.misspellings = misspellings
    }
  }

  static let rows: [Row] = [
    Row(
      .ismp, "ug", "mcg",
      [
        "µg", "μg", "mcgs", "ugs", "Mcg", "MCG", "UG", "Ug", "microgram", "micrograms",
        "Micrograms", "microgramme", "mcgm", "micro gram",
      ]),
    Row(
      .ismp, "mL", "mL",
      [
        "cc", "CC", "Cc", "mls", "mLs", "MLs", "mL.", "ml.", "mL ", " mL", "milliliter",
        "milliliters", "millilitre", "millilitres", "Milliliters", "MILLILITERS",
      ]),
    Row(
      .ismp, "[IU]", "IU",
      [
        "iu", "Iu", "I.U.", "International Unit", "international units", "International Units",
        "IU.", "IUs", "intl units",
      ]),
    Row(
      .ismp, "m[IU]", nil, ["mIU", "miu", "milli-international units", "milli international unit"]),
    Row(.ismp, "g", "g", ["gm", "gms", "Gm.", "gram", "grams", "gramme", "Gram", "g.", "GRAMS"]),
    Row(
      .ismp, "mg", "mg",
      [
        "mgs", "mg.", "mgm", "milligram", "milligrams", "Milligram", "milligramme", "mg ", " mg",
        "milligrms",
      ]),
    Row(
      .ismp, "kg", "kg",
      [
        "Kg", "KG", "kgs", "Kgs", "KGS", "kg ", "kg.", "kilogram", "kilograms", "kilogramme",
        "Kilograms", "kilo", "kilos", "KILOGRAMS",
      ]),
    Row(.ismp, "[drp]", nil, ["gtt", "gtts", "drops", "drop"]),
    Row(.ismp, "[in_i]", "in", ["inch", "inches", "Inches", "In", "in."]),
    Row(.ismp, "d", "d", ["day", "days", "Days", "d.", "DAY"]),
    Row(.ismp, "h", "hr", ["hours", "hour", "hrs", "Hrs", "hr.", "HR", "Hour", "HOURS", "Hours"]),
    Row(
      .ismp, "[lb_av]", "lb",
      ["lbs", "Lbs", "LBS", "lb.", "lbs.", "pound", "pounds", "Pounds", "lbm", "pouns"]),
    Row(.ismp, "[oz_av]", "oz", ["ounce", "ounces", "ozs", "OZ", "Oz", "oz.", "Ounces"]),
    Row(.ismp, "[tsp_us]", nil, ["tsp", "teaspoon", "teaspoons", "TSP"]),
    Row(.ismp, "[tbs_us]", nil, ["tbsp", "tablespoon", "tablespoons", "TBSP"]),
    Row(
      .ismp, "[foz_us]", "fl_oz_us",
      ["fl oz", "fl. oz.", "fluid ounce", "fluid ounces", "floz", "FL OZ", "fl_oz"]),
    Row(
      .ismp, "ug/kg", "mcg/kg",
      ["µg/kg", "μg/kg", "micrograms/kg", "mcg / kg", "mcg/Kg", "micrograms per kilogram"]),
    Row(.ismp, "ug/min", "mcg/min", ["µg/min", "mcg/minute", "micrograms per minute", "mcg/Min"]),
    Row(
      .ismp, "mg/kg", "mg/kg",
      ["mg/Kg", "mg/KG", "MG/KG", "mg per kg", "milligrams per kilogram", "mg/kilo"]),
    Row(
      .nist, "s", "s", ["sec", "secs", "Sec", "SEC", "sec.", "second", "seconds", "Seconds", "S."]),
    Row(
      .nist, "min", "min", ["mins", "minute", "minutes", "Min", "MIN", "min.", "Minutes", "minuts"]),
    Row(
      .nist, "m/s", "m/s",
      [
        "mps", "m/sec", "meters per second", "metres/second", "meters/sec", "m / s", "m s-1",
        "m·s⁻¹", "m s⁻¹",
      ]),
    Row(
      .nist, "km/h", "km/hr",
      [
        "kph", "kmh", "kmph", "km/hour", "KM/H", "Km/h", "kilometers per hour", "kilometres/hour",
        "km / h", "km/hrs",
      ]),
    Row(
      .nist, "cm3", "cm^3",
      ["cu cm", "cubic centimeter", "cubic centimeters", "cubic centimetres", "cm³"]),
    Row(
      .nist, "m2", "m^2", ["sq m", "sq. m", "square meter", "square meters", "square metres", "m²"]),
    Row(.nist, "cm2", "cm^2", ["sq cm", "square centimeters", "cm²"]),
    Row(.nist, "m3", "m^3", ["cu m", "cubic meter", "cubic metres", "m³"]),
    Row(.nist, "mm3", "mm^3", ["cu mm", "cubic millimeters", "mm³"]),
    Row(
      .nist, "um", "mcm", ["micron", "microns", "µm", "micrometer", "micrometers", "micrometre"]),
    Row(
      .nist, "Cel", "degC",
      [
        "°C", "℃", "ºC", "° C", "deg C", "Deg C", "degree Celsius", "degrees Celsius", "degrees C",
        "centigrade", "Celsius", "degree centigrade",
      ]),
    Row(
      .nist, "[degF]", "degF",
      [
        "°F", "℉", "deg F", "degrees F", "degree Fahrenheit", "degrees Fahrenheit", "Fahrenheit",
        "º F",
      ]),
    Row(.nist, "K", "K", ["°K", "kelvin", "Kelvin", "kelvins"]),
    Row(.nist, "m", "m", ["meter", "meters", "metre", "metres", "Meter", "m.", "METERS"]),
    Row(
      .nist, "km", "km",
      ["Km", "KM", "kms", "kilometer", "kilometers", "kilometre", "Kilometres", "km.", "kilometrs"]),
    Row(
      .nist, "cm", "cm", ["cms", "centimeter", "centimeters", "centimetre", "cm.", "Centimeters"]),
    Row(.nist, "mm", "mm", ["millimeter", "millimeters", "millimetre", "mm."]),
    Row(
      .nist, "L", "L",
      ["liter", "liters", "litre", "litres", "Liter", "ltr", "lit", "L.", "LITERS"]),
    Row(.nist, "dL", "dL", ["deciliter", "deciliters", "decilitre"]),
    Row(.nist, "uL", "mcL", ["µL", "µl", "μL", "microliter", "microliters", "microlitre"]),
    Row(.nist, "J", "J", ["joule", "joules", "Joules"]),
    Row(.nist, "kJ", "kJ", ["kj", "KJ", "Kj", "kilojoule", "kilojoules", "Kilojoules"]),
    Row(.nist, "W", "W", ["watt", "watts", "Watts"]),
    Row(.nist, "kW", "kW", ["kw", "KW", "Kw", "kilowatt", "kilowatts"]),
    Row(.nist, "V", "V", ["volt", "volts", "Volts"]),
    Row(.nist, "mV", "mV", ["mv", "millivolt", "millivolts"]),
    Row(.nist, "uV", "mcV", ["µV", "microvolt", "microvolts"]),
    Row(.nist, "Hz", "Hz", ["hz", "hertz", "Hertz"]),
    Row(.nist, "kHz", "kHz", ["khz", "Khz", "KHz", "KHZ", "kilohertz"]),
    Row(.nist, "MHz", "MHz", ["mhz", "Mhz", "megahertz"]),
    Row(.nist, "Pa", "Pa", ["pascal", "pascals", "Pascal"]),
    Row(.nist, "kPa", "kPa", ["kpa", "Kpa", "KPa", "KPA", "kilopascal", "kilopascals"]),
    Row(.nist, "hPa", "hPa", ["hpa", "Hpa", "HPa", "hectopascal"]),
    Row(.nist, "mol", "mol", ["mole", "moles", "Mol", "MOL"]),
    Row(.nist, "ms", "ms", ["msec", "msecs", "millisecond", "milliseconds"]),
    Row(.nist, "us", "mcs", ["µs", "usec", "µsec", "microsecond", "microseconds"]),
    Row(
      .nist, "kg/m2", "kg/m^2",
      [
        "kg/m²", "Kg/m2", "KG/M2", "kg/sq m", "kilograms per square meter", "kg m-2", "kg·m⁻²",
        "kg / m2",
      ]),
    Row(.nist, "deg", "deg", ["degree", "degrees", "°", "Degrees"]),
    Row(.nist, "lx", "lx", ["lux", "Lux"]),
    Row(.nist, "N", nil, ["newton", "newtons"]),
    Row(.nist, "Ohm", nil, ["ohms", "ohm", "Ω"]),
    Row(.nist, "t", "Mg", ["tonne", "tonnes"]),
    Row(
      .ucum, "mg/dL", "mg/dL",
      [
        "mg/dL ", " mg/dL", "mg / dL", "mg/ dL", "mg /dL", "mg/dL.", "MG/DL", "mg/DL", "mg per dL",
        "milligrams per deciliter", "milligram/deciliter", "mg/dL\u{A0}", "mg\u{A0}/\u{A0}dL",
        "mgs/dL", "milligrams/dL", "mg·dL⁻¹",
      ]),
    Row(
      .ucum, "mmol/L", "mmol/L",
      [
        "MMOL/L", "mmol / L", "mmol/L ", "mMol/L", "mmoL/L", "millimoles per liter", "millimol/L",
        "mmol per L", "millimoles/litre", "mM", "mmol·L⁻¹", "mmol L-1",
      ]),
    Row(
      .ucum, "umol/L", "mcmol/L",
      [
        "µmol/L", "μmol/L", "UMOL/L", "micromoles per liter", "micromol/L", "uM", "µmol / L",
        "umol/ L",
      ]),
    Row(.ucum, "nmol/L", "nmol/L", ["NMOL/L", "nanomoles per liter", "nmol / L", "nM", "nmol/L "]),
    Row(.ucum, "pmol/L", "pmol/L", ["PMOL/L", "picomoles per liter", "pmol / L"]),
    Row(
      .ucum, "g/dL", "g/dL",
      ["gm/dL", "G/DL", "GM/DL", "g / dL", "grams per deciliter", "grams/dL", "gms/dL", "g/dL "]),
    Row(.ucum, "g/L", "g/L", ["gm/L", "g / L", "grams per liter", "grams/L", "gram per litre"]),
    Row(
      .ucum, "ng/mL", "ng/mL", ["NG/ML", "ng / mL", "nanograms per milliliter", "ng/cc", "ng/mL "]),
    Row(.ucum, "pg/mL", "pg/mL", ["PG/ML", "pg / mL", "picograms per milliliter"]),
    Row(
      .ucum, "ug/dL", "mcg/dL",
      ["µg/dL", "μg/dL", "MCG/DL", "UG/DL", "micrograms per deciliter", "mcg / dL"]),
    Row(.ucum, "ug/L", "mcg/L", ["µg/L", "μg/l", "micrograms per liter", "UG/L"]),
    Row(.ucum, "ug/mL", "mcg/mL", ["µg/mL", "μg/ml", "MCG/ML", "micrograms per milliliter"]),
    Row(
      .ucum, "meq/L", nil,
      ["mEq/L", "MEQ/L", "mEQ/L", "mEq/l", "mEq / L", "milliequivalents per liter", "mEq/L "]),
    Row(.ucum, "meq", nil, ["mEq", "MEQ", "milliequivalents", "milliequivalent"]),
    Row(
      .ucum, "mosm/kg", nil,
      [
        "mOsm/kg", "mosmol/kg", "mOsmol/kg", "mOsm/Kg", "milliosmoles per kilogram", "mOsm / kg",
        "mOsm/kg ",
      ]),
    Row(.ucum, "mosm/L", nil, ["mOsm/L", "mosmol/L", "mOsmol/l"]),
    Row(
      .ucum, "[IU]/L", "IU/L", ["iu/L", "Iu/L", "IU / L", "international units per liter", "IU/L "]),
    Row(.ucum, "[IU]/mL", "IU/mL", ["IU/ML", "iu/mL", "IU / mL", "international units/mL"]),
    Row(.ucum, "m[IU]/L", nil, ["mIU/L", "miu/L", "mIU / L", "mIU/l"]),
    Row(.ucum, "m[IU]/mL", "IU/L", ["mIU/mL", "miu/ml", "mIU / mL"]),
    Row(.ucum, "u[IU]/mL", nil, ["uIU/mL", "µIU/mL", "uiu/ml", "μIU/mL"]),
    Row(.ucum, "k[IU]/L", nil, ["kIU/L", "KIU/L"]),
    Row(.ucum, "kU/L", nil, ["KU/L", "ku/L", "Ku/L"]),
    Row(.ucum, "U/L", nil, ["U / L", "U/L ", " U/L"]),
    Row(
      .ucum, "mm[Hg]", "mmHg",
      [
        "mm Hg", "mmhg", "MMHG", "mmHG", "MmHg", "mm hg", "mm of mercury", "millimeters of mercury",
        "mm [Hg]", "Torr", "mm[hg]", "mmHg ",
      ]),
    Row(
      .ucum, "cm[H2O]", "cmAq",
      ["cmH2O", "cm H2O", "cmH20", "cmh2o", "CMH2O", "cm[H20]", "cm of water", "cm[h2o]"]),
    Row(.ucum, "mm[H2O]", nil, ["mmH2O", "mm H2O", "mmH20"]),
    Row(.ucum, "[in_i'Hg]", "inHg", ["in Hg", "inhg", "inHG", "inches of mercury", "INHG"]),
    Row(
      .ucum, "10*3/uL", nil,
      [
        "x10E3/uL", "x10^3/uL", "10e3/uL", "10E3/uL", "x 10^3/uL", "thou/uL", "thousand/uL",
        "X10E3/UL", "×10³/µL", "10³/µL",
      ]),
    Row(
      .ucum, "10*6/uL", nil, ["x10E6/uL", "x10^6/uL", "10e6/uL", "mill/uL", "million/uL", "10⁶/µL"]),
    Row(
      .ucum, "10*9/L", nil,
      ["x10E9/L", "x10^9/L", "10e9/L", "X10^9/L", "x 10^9/L", "10⁹/L", "billion/L"]),
    Row(.ucum, "10*12/L", nil, ["x10E12/L", "x10^12/L", "10e12/L", "10¹²/L"]),
    Row(
      .ucum, "mL/min/{1.73_m2}", nil,
      [
        "mL/min/1.73m2", "mL/min/1.73 m2", "ml/min/1.73m^2", "mL/min/1.73m²", "mL/min/1.73sqm",
        "mL/min/1.73 m²", "ml/min/1,73m²",
      ]),
    Row(
      .ucum, "mg/(24.h)", "mg/d",
      ["mg/24h", "mg/24hr", "mg/24 h", "mg/24 hr", "mg/24hrs", "mg/24 hours"]),
    Row(.ucum, "g/(24.h)", "g/d", ["g/24h", "g/24hr", "g/24 h"]),
    Row(.ucum, "mg/d", "mg/d", ["mg/day", "mg / day", "milligrams per day", "mg/Day"]),
    Row(.ucum, "mm/h", "mm/hr", ["mm/hour", "MM/HR", "mm / hr", "mm/Hr"]),
    Row(.ucum, "mg/g{creat}", "mg/g", ["mg/g creat", "mg/g creatinine"]),
    Row(.ucum, "mg/mmol{creat}", "mg/mmol", ["mg/mmol creat", "mg/mmol creatinine"]),
    Row(.ucum, "{copies}/mL", "count/mL", ["copies/mL", "copies/ml", "copies / mL"]),
    Row(.ucum, "{cells}/uL", "count/mcL", ["cells/uL", "cells/mcL", "cells/µL", "cell/uL"]),
    Row(.ucum, "[CFU]/mL", nil, ["CFU/mL", "cfu/mL", "CFU/ml"]),
    Row(.ucum, "/[HPF]", nil, ["/hpf", "/HPF"]),
    Row(.ucum, "%", "%", ["percent", "Percent", "pct", "% ", " %", "PERCENT", "percentage"]),
    Row(.ucum, "[pH]", nil, ["PH"]),
    Row(.ucum, "wk", nil, ["week", "weeks", "wks", "Weeks"]),
    Row(.ucum, "mo", nil, ["month", "months", "Months"]),
    Row(.ucum, "a", nil, ["year", "years", "yr", "yrs", "Years"]),
    Row(.ucum, "fL", "fL", ["FL", "femtoliter", "femtoliters"]),
    Row(.ucum, "pg", "pg", ["picogram", "picograms"]),
    Row(.ucum, "ng", "ng", ["nanogram", "nanograms", "Nanograms"]),
    Row(.ucum, "[ppm]", nil, ["PPM", "ppm"]),
    Row(.ucum, "mbar", nil, ["Mbar.", "mBar"]),
    Row(.ucum, "Bq", nil, ["becquerel", "becquerels"]),
    Row(.ucum, "Sv", nil, ["sievert", "sieverts"]),
    Row(.ucum, "mSv", nil, ["millisievert", "mSV"]),
    Row(.ucum, "ukat/L", nil, ["µkat/L", "μkat/L", "ukat / L"]),
    Row(.ucum, "[diop]", "D", ["diopter", "diopters", "dpt", "dioptre"]),
    Row(.ucum, "[MET]", nil, ["MET", "METs", "met"]),
    Row(.ucum, "m[IU]/L", nil, ["mIU/L "]),
    Row(.ucum, "kcal/(kg.h)", "kcal/(kg*hr)", ["kcal/kg/hr", "kcal / kg / hr"]),
    Row(
      .ucum, "mL/(min.kg)", "mL/(min*kg)",
      ["mL/kg/Min", "ml/kg/minute", "mL / kg / min", "mL/kg/min "]),
    Row(
      .cdisc, "{count}/min", "count/min",
      [
        "beats/min", "BEATS/MIN", "breaths/min", "beats per minute", "beats/minute",
        "breaths per minute", "breaths/minute", "Beats/Min",
      ]),
    Row(.cdisc, "[stone_av]", "st", ["stone", "stones", "Stone"]),
    Row(.cdisc, "[ft_i]", "ft", ["feet", "foot", "Feet", "Ft", "FT", "ft."]),
    Row(.cdisc, "[yd_i]", "yd", ["yards", "yard", "yds", "Yards"]),
    Row(.cdisc, "[mi_i]", "mi", ["mile", "miles", "Miles", "MI", "mi."]),
    Row(
      .cdisc, "[mi_i]/h", "mi/hr",
      ["mph", "MPH", "miles per hour", "miles/hour", "mi/hour", "Miles/Hour"]),
    Row(.cdisc, "[cup_us]", "cup_us", ["cup", "cups", "Cups"]),
    Row(.cdisc, "[gal_us]", nil, ["gallon", "gallons", "gal", "Gallons"]),
    Row(.cdisc, "[qt_us]", nil, ["quart", "quarts", "qt"]),
    Row(.cdisc, "[in_i]2", "in^2", ["sq in", "square inches", "in²"]),
    Row(.cdisc, "[ft_i]2", "ft^2", ["sq ft", "square feet", "ft²"]),
    Row(.cdisc, "[psi]", nil, ["psi", "PSI"]),
    Row(.cdisc, "[kn_i]", nil, ["knot", "knots"]),
    Row(.lab, "[IU]", "IU", ["I.E.", "IE"]),
    Row(.lab, "10*9/L", nil, ["Mrd/L"]),
    Row(.lab, "s", "s", ["Sekunden"]),
    Row(
      .healthkit, "{count}/min", "count/min",
      [
        "bpm", "BPM", "Bpm", "count/Min", "count / min", "counts/min", "count/minute", "Count/min",
        "count/min ", "rpm", "spm",
      ]),
    Row(
      .healthkit, "{count}", "count",
      ["steps", "Steps", "counts", "times", "beats", "Count", "COUNT"]),
    Row(
      .healthkit, "kcal", "kcal",
      [
        "KCAL", "Kcal", "kCal", "kcals", "kilocalorie", "kilocalories", "Kilocalories", "kcal ",
        "kcal.",
      ]),
    Row(.healthkit, "cal", "cal", ["calorie", "calories."]),
    Row(.healthkit, "ug", "mcg", ["μg ", "µg "]),
    Row(.healthkit, "uS", "mcS", ["µS", "microsiemens"]),
    Row(.healthkit, "mmol/L", "mmol/L", ["mmol/l ", "Mmol/l.", "mmol /L"]),
    Row(.healthkit, "km/h", "km/hr", ["km/h ", "km/Hr"]),
    Row(.healthkit, "m/s2", "m/s^2", ["m/s/s", "m/s²", "m s-2"]),
    Row(
      .healthkit, "kcal/h", "kcal/hr",
      ["kcal/hour", "kcals/hr", "kilocalories per hour", "kCal/hr"]),
    Row(
      .healthkit, "min/km", "min/km",
      ["minutes/km", "min / km", "minutes per kilometer", "mins/km"]),
    Row(.healthkit, "h", "hr", ["Hr", "H."]),
    Row(.healthkit, "lx", "lx", ["LUX", "lx "]),
    Row(.healthkit, "m[IU]/mL", "IU/L", ["mIU/mL "]),
    Row(.healthkit, "%", "%", ["percent "]),
    Row(.healthkit, "kcount", nil, ["kcount"]),
    Row(.healthkit, "k%", nil, ["k%"]),
    Row(.healthkit, "mCel", nil, ["mdegC"]),
    Row(.healthkit, "kmin", nil, ["kmin"]),
  ]
}
