/// Words that people write for units, and their meaning: only words with one meaning.
///
/// `pt`, `gr`, `units` and the like are ambiguous and left out; so is every word whose size depends
/// on the case of a prefix, which the writer may have ignored.
struct UnitSynonyms: Sendable {
  /// Words in their exact case, and words in lower case that match in any case.
  private let exact: [String: String]
  private let folded: [String: String]

  /// Several words with blanks between them, in lower case.
  let phrases: [String: String]

  /// The words of texts in capitals only, where the case of a prefix has no meaning.
  let capitals: [String: String]

  /// Words of five letters and more, for finding misprints.
  let long: [String: String]

  static func standard(_ dialect: UnitDialect) -> UnitSynonyms {
    switch dialect {
    case .healthKit: healthKit
    case .ucum: ucum
    }
  }

  private static let healthKit = UnitSynonyms(.healthKit)
  private static let ucum = UnitSynonyms(.ucum)

  private init(_ dialect: UnitDialect) {
    func named(_ table: [Meaning]) -> [String: String] {
      var names: [String: String] = [:]
      for meaning in table {
        guard let name = dialect == .healthKit ? meaning.healthKit : meaning.ucum else { continue }
        for word in meaning.words.split(separator: ",") { names[String(word)] = name }
      }
      return names
    }
    let spelledOut = Self.spelledOut(dialect)
    exact = named(Self.exactWords)
    folded = spelledOut.merging(named(Self.words)) { _, word in word }
    phrases = named(Self.phraseTable)
    capitals = named(Self.capitalWords)
    long = folded.filter { $0.key.utf8.count >= 5 && $0.key.allSatisfy(\.isLetter) }
  }

  subscript(word: String) -> String? { exact[word] ?? folded[word.lowercased()] }

  /// Words with commas between them, and the unit in each dialect that has it.
  private struct Meaning {
    let words: String
    let healthKit: String?
    let ucum: String?

    init(_ words: String, _ healthKit: String?, _ ucum: String?) {
      self.words = words
      self.healthKit = healthKit
      self.ucum = ucum
    }
  }

  /// `milligrams`, `kilometre`: the long names of the SI with its prefixes.
  private static func spelledOut(_ dialect: UnitDialect) -> [String: String] {
    let prefixes = [
      ("", ""), ("nano", "n"), ("pico", "p"), ("femto", "f"), ("milli", "m"), ("centi", "c"),
      ("deci", "d"), ("deca", "da"), ("deka", "da"), ("hecto", "h"), ("kilo", "k"), ("mega", "M"),
      ("giga", "G"), ("micro", dialect == .healthKit ? "mc" : "u"),
    ]
    let units: [(words: String, healthKit: String?, ucum: String)] = [
      ("gram,grams,gramme,grammes", "g", "g"), ("meter,meters,metre,metres", "m", "m"),
      ("liter,liters,litre,litres", "L", "L"), ("mole,moles", "mol", "mol"),
      ("second,seconds", "s", "s"), ("joule,joules", "J", "J"), ("watt,watts", "W", "W"),
      ("volt,volts", "V", "V"), ("pascal,pascals", "Pa", "Pa"), ("hertz", "Hz", "Hz"),
      ("siemens", "S", "S"), ("kelvin,kelvins", "K", "K"), ("lux", "lx", "lx"),
      ("calorie,calories", "cal", "cal"), ("newton,newtons", nil, "N"),
      ("ampere,amperes", nil, "A"), ("ohm,ohms", nil, "Ohm"), ("tesla,teslas", nil, "T"),
      ("equivalent,equivalents", nil, "eq"), ("osmole,osmoles,osmol,osmols", nil, "osm"),
      ("katal,katals", nil, "kat"), ("becquerel,becquerels", nil, "Bq"),
      ("gray,grays", nil, "Gy"), ("sievert,sieverts", nil, "Sv"), ("radian,radians", "rad", "rad"),
    ]
    var names: [String: String] = [:]
    for (words, healthKit, ucum) in units {
      guard let unit = dialect == .healthKit ? healthKit : Optional(ucum) else { continue }
      for word in words.split(separator: ",") {
        for (prefix, letters) in prefixes {
          // HealthKit has only the kilocalorie.
          if dialect == .healthKit, unit == "cal", !["", "k"].contains(letters) { continue }
          names[prefix + word] = letters + unit
        }
      }
    }
    return names
  }

  private static let words: [Meaning] = [
    Meaning("bpm,bpms,brpm,rpm,spm,cpm", "count/min", "{count}/min"),
    Meaning("beat,beats,breath,breaths,times,step,steps,count,counts", "count", "{count}"),
    Meaning("percent,pct,percentage", "%", "%"),
    Meaning("gm,gms", "g", "g"), Meaning("kilo,kilos,kgs,kilogr", "kg", "kg"),
    Meaning("mgs,mgm,mgms", "mg", "mg"), Meaning("mcg,mcgs,ug,ugs,mcgm", "mcg", "ug"),
    Meaning("ounce,ounces,ozs,oz", "oz", "[oz_av]"),
    Meaning("pound,pounds,lbs,lb,lbm", "lb", "[lb_av]"),
    Meaning("stone,stones", "st", "[stone_av]"),
    Meaning("tonne,tonnes", "Mg", "t"),
    Meaning("inch,inches,in", "in", "[in_i]"), Meaning("foot,feet,ft", "ft", "[ft_i]"),
    Meaning("yard,yards,yds,yd", "yd", "[yd_i]"), Meaning("mile,miles,mi", "mi", "[mi_i]"),
    Meaning("kms", "km", "km"), Meaning("cms", "cm", "cm"), Meaning("mms", "mm", "mm"),
    Meaning("micron,microns", "mcm", "um"), Meaning("angstrom,angstroms", nil, "Ao"),
    Meaning("sec,secs", "s", "s"), Meaning("msec,msecs", "ms", "ms"),
    Meaning("usec,usecs,mcsec", "mcs", "us"), Meaning("nsec,nsecs", "ns", "ns"),
    Meaning("minute,minutes,mins,min", "min", "min"),
    Meaning("hour,hours,hr,hrs,h", "hr", "h"), Meaning("day,days", "d", "d"),
    Meaning("week,weeks,wks", nil, "wk"), Meaning("month,months,mon", nil, "mo"),
    Meaning("year,years,yr,yrs", nil, "a"),
    Meaning("lit,ltr,ltrs", "L", "L"), Meaning("mls,cc,ccs", "mL", "mL"),
    Meaning("dls", "dL", "dL"), Meaning("cup,cups", "cup_us", "[cup_us]"),
    Meaning("pint,pints", "pt_us", "[pt_us]"), Meaning("quart,quarts,qt", nil, "[qt_us]"),
    Meaning("gallon,gallons,gal,gals", nil, "[gal_us]"),
    Meaning("floz,fl_oz,floz_us", "fl_oz_us", "[foz_us]"),
    Meaning("teaspoon,teaspoons,tsp", nil, "[tsp_us]"),
    Meaning("tablespoon,tablespoons,tbsp", nil, "[tbs_us]"),
    Meaning("kcals,kilocal,kilocals,kcal", "kcal", "kcal"), Meaning("kj,kjs", "kJ", "kJ"),
    Meaning("kw", "kW", "kW"), Meaning("hz", "Hz", "Hz"),
    Meaning("°c,ºc,℃,celsius,centigrade,degc,c", "degC", "Cel"),
    Meaning("°f,ºf,℉,fahrenheit,degf", "degF", "[degF]"),
    Meaning("°,º,degree,degrees,degs", "deg", "deg"), Meaning("f", "degF", nil),
    Meaning("cmh2o,cmh20,cmaq,cm[h20],cm[h2o]", "cmAq", "cm[H2O]"),
    Meaning("mmh2o,mmh20,mm[h20],mm[h2o]", nil, "mm[H2O]"),
    Meaning("mmhg,mm[hg],torr", "mmHg", "mm[Hg]"), Meaning("cmhg", nil, "cm[Hg]"),
    Meaning("inhg", "inHg", "[in_i'Hg]"), Meaning("psi", nil, "[psi]"),
    Meaning("db,dba,dbspl,dbaspl,db(a)", "dBASPL", nil),
    Meaning("mph", "mi/hr", "[mi_i]/h"), Meaning("kph,kmh,kmph", "km/hr", "km/h"),
    Meaning("mps", "m/s", "m/s"), Meaning("fps", "ft/s", "[ft_i]/s"),
    Meaning("knot,knots", nil, "[kn_i]"), Meaning("met,mets", nil, "[MET]"),
    Meaning("iu,ius,i.u.,[iu]", "IU", "[IU]"),
    Meaning("ppm", nil, "[ppm]"), Meaning("ppb", nil, "[ppb]"), Meaning("pi", nil, "[pi]"),
    Meaning("ph", nil, "[pH]"), Meaning("diopter,diopters,dioptre,dioptres,dpt", "D", "[diop]"),
    Meaning("mho,mhos", "S", "S"), Meaning("thousand,thou", nil, "10*3"),
    Meaning("million,mill", nil, "10*6"), Meaning("billion,bill", nil, "10*9"),
    Meaning("cell,cells", nil, "{cells}"), Meaning("copies,copy", nil, "{copies}"),
    Meaning("rbc,rbcs", nil, "{RBC}"), Meaning("wbc,wbcs", nil, "{WBC}"),
    Meaning("cfu,cfus", nil, "[CFU]"), Meaning("pfu,pfus", nil, "[PFU]"),
    Meaning("hpf", nil, "[HPF]"), Meaning("lpf", nil, "[LPF]"),
    Meaning("drop,drops,gtt,gtts", nil, "[drp]"),
    Meaning("ratio,index,score", nil, "{ratio}"),
    Meaning("titer,titre,titers,titres", nil, "{titer}"),
  ]

  /// Words whose case decides their prefix, or that are unambiguous only in this case.
  private static let exactWords: [Meaning] = [
    Meaning("Kg,KG,Kgs,KGS", "kg", "kg"), Meaning("Km,KM,Kms,KMS", "km", "km"),
    Meaning("Kj,KJ", "kJ", "kJ"), Meaning("KW,Kw", "kW", "kW"), Meaning("KV,Kv,kv", "kV", "kV"),
    Meaning("mv", "mV", "mV"), Meaning("mhz,Mhz,MHZ", "MHz", "MHz"),
    Meaning("Kpa,KPa,KPA,kpa", "kPa", "kPa"), Meaning("Mcg,MCG", "mcg", "ug"),
    Meaning("Cc,CC", "mL", "mL"), Meaning("°K", "K", "K"),
    Meaning("mM", "mmol/L", "mmol/L"), Meaning("uM,mcM", "mcmol/L", "umol/L"),
    Meaning("nM", "nmol/L", "nmol/L"),
    Meaning("mEq,mEQ,MEQ", nil, "meq"), Meaning("uEq,mcEq,UEQ", nil, "ueq"),
    Meaning("mOsm,mosmol,mOsmol,MOSM,MOSMOL", nil, "mosm"),
    Meaning("mIU,miu", nil, "m[IU]"), Meaning("uIU,uiu,mcIU,mciu", nil, "u[IU]"),
    Meaning("kIU,KIU,kiu", nil, "k[IU]"), Meaning("nIU", nil, "n[IU]"),
    Meaning("KU,ku,Ku", nil, "kU"), Meaning("IE,I.E.,UI", "IU", "[IU]"),
  ]

  private static let phraseTable: [Meaning] = [
    Meaning(
      "mm hg,mm [hg],mm of mercury,millimeters of mercury,millimetres of mercury", "mmHg", "mm[Hg]"),
    Meaning("cm h2o,cm h20,cm of water,centimeters of water,cm aq", "cmAq", "cm[H2O]"),
    Meaning("mm h2o,mm of water", nil, "mm[H2O]"),
    Meaning("in hg,inches of mercury,inches hg,in. hg", "inHg", "[in_i'Hg]"),
    Meaning(
      "deg c,° c,º c,degree c,degrees c,deg celsius,degree celsius,degrees celsius,degrees centigrade,degree centigrade",
      "degC", "Cel"),
    Meaning(
      "deg f,° f,º f,degree f,degrees f,deg fahrenheit,degree fahrenheit,degrees fahrenheit",
      "degF", "[degF]"),
    Meaning(
      "fl oz,fl. oz,fl. oz.,fl oz.,fluid ounce,fluid ounces,us fl oz", "fl_oz_us", "[foz_us]"),
    Meaning("sq m,sq. m,square meter,square meters,square metre,square metres", "m^2", "m2"),
    Meaning(
      "sq cm,square centimeter,square centimeters,square centimetre,square centimetres", "cm^2",
      "cm2"),
    Meaning("sq ft,square foot,square feet", "ft^2", "[sft_i]"),
    Meaning("sq in,square inch,square inches", "in^2", "[sin_i]"),
    Meaning("cu m,cubic meter,cubic meters,cubic metre,cubic metres", "m^3", "m3"),
    Meaning(
      "cu cm,cubic centimeter,cubic centimeters,cubic centimetre,cubic centimetres", "cm^3", "cm3"),
    Meaning(
      "cu mm,cubic millimeter,cubic millimeters,cubic millimetre,cubic millimetres", "mm^3", "mm3"),
    Meaning("cu ft,cubic foot,cubic feet", "ft^3", "[cft_i]"),
    Meaning("cu in,cubic inch,cubic inches", "in^3", "[cin_i]"),
    Meaning("international unit,international units,intl unit,intl units", "IU", "[IU]"),
    Meaning(
      "milli-international unit,milli-international units,milli international units", nil, "m[IU]"),
    Meaning("colony forming unit,colony forming units", nil, "[CFU]"),
    Meaning("high power field", nil, "[HPF]"), Meaning("low power field", nil, "[LPF]"),
    Meaning("prism diopter,prism diopters,prism dioptre,prism dioptres", "pD", "[p'diop]"),
  ]

  private static let capitalWords: [Meaning] = [
    Meaning("G,GM", "g", "g"), Meaning("KG", "kg", "kg"), Meaning("MG", "mg", "mg"),
    Meaning("UG,MCG", "mcg", "ug"), Meaning("NG", "ng", "ng"), Meaning("PG", "pg", "pg"),
    Meaning("L", "L", "L"), Meaning("DL", "dL", "dL"), Meaning("ML", "mL", "mL"),
    Meaning("UL,MCL", "mcL", "uL"), Meaning("FL", "fL", "fL"), Meaning("MOL", "mol", "mol"),
    Meaning("MMOL", "mmol", "mmol"), Meaning("UMOL", "mcmol", "umol"),
    Meaning("NMOL", "nmol", "nmol"), Meaning("PMOL", "pmol", "pmol"), Meaning("MEQ", nil, "meq"),
    Meaning("U", nil, "U"), Meaning("IU", "IU", "[IU]"), Meaning("M", "m", "m"),
    Meaning("CM", "cm", "cm"), Meaning("MM", "mm", "mm"), Meaning("KM", "km", "km"),
    Meaning("MIN", "min", "min"), Meaning("HR,H", "hr", "h"), Meaning("SEC,S", "s", "s"),
    Meaning("DAY,D", "d", "d"), Meaning("COUNT,BEATS,BREATHS", "count", "{count}"),
    Meaning("KCAL", "kcal", "kcal"), Meaning("KJ", "kJ", "kJ"), Meaning("LB,LBS", "lb", "[lb_av]"),
    Meaning("OZ", "oz", "[oz_av]"), Meaning("IN", "in", "[in_i]"), Meaning("FT", "ft", "[ft_i]"),
    Meaning("MI", "mi", "[mi_i]"),
  ]
}
