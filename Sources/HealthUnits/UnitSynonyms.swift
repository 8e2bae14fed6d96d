/// What people write for units, and what they mean.
enum UnitSynonyms {
  static func table(of dialect: UnitDialect) -> [String: String] {
    switch dialect {
    case .healthKit: healthKit
    case .ucum: ucum
    }
  }

  private static let healthKit: [String: String] = [
    "bpm": "count/min", "rpm": "count/min", "spm": "count/min", "beats": "count",
    "times": "count", "steps": "count", "percent": "%", "pct": "%",
    "gram": "g", "grams": "g", "kilogram": "kg", "kilograms": "kg", "kilo": "kg", "kgs": "kg",
    "ounce": "oz", "ounces": "oz", "pound": "lb", "pounds": "lb", "lbs": "lb", "stone": "st",
    "meter": "m", "meters": "m", "metre": "m", "metres": "m", "inch": "in", "inches": "in",
    "foot": "ft", "feet": "ft", "yard": "yd", "yards": "yd", "mile": "mi", "miles": "mi",
    "second": "s", "seconds": "s", "sec": "s", "secs": "s", "minute": "min", "minutes": "min",
    "mins": "min", "hour": "hr", "hours": "hr", "hrs": "hr", "h": "hr", "day": "d", "days": "d",
    "liter": "L", "litre": "L", "liters": "L", "litres": "L", "cup": "cup_us", "cups": "cup_us",
    "pint": "pt_us", "pints": "pt_us", "pt": "pt_us", "floz": "fl_oz_us", "fl_oz": "fl_oz_us",
    "joule": "J", "joules": "J", "calorie": "cal", "calories": "cal", "kilocalorie": "kcal",
    "kilocalories": "kcal", "kcals": "kcal", "watt": "W", "watts": "W", "volt": "V",
    "hertz": "Hz", "pascal": "Pa", "siemens": "S", "lux": "lx", "kelvin": "K",
    "°c": "degC", "°f": "degF", "°": "deg", "c": "degC", "f": "degF", "celsius": "degC",
    "fahrenheit": "degF", "degree": "deg", "degrees": "deg",
    "mmh2o": "cmAq", "mmh20": "cmAq", "cmh2o": "cmAq", "cmh20": "cmAq", "torr": "mmHg",
    "db": "dBASPL", "dba": "dBASPL",
  ]

  private static let ucum: [String: String] = [
    "bpm": "{count}/min", "rpm": "{count}/min", "count": "{count}", "percent": "%",
    "gram": "g", "grams": "g", "kilogram": "kg", "kilograms": "kg", "lbs": "[lb_av]",
    "pound": "[lb_av]", "pounds": "[lb_av]", "ounce": "[oz_av]", "ounces": "[oz_av]",
    "meter": "m", "meters": "m", "metre": "m", "metres": "m", "inch": "[in_i]",
    "inches": "[in_i]", "foot": "[ft_i]", "feet": "[ft_i]", "mile": "[mi_i]", "miles": "[mi_i]",
    "second": "s", "seconds": "s", "sec": "s", "minute": "min", "minutes": "min", "mins": "min",
    "hour": "h", "hours": "h", "hr": "h", "hrs": "h", "day": "d", "days": "d", "year": "a",
    "years": "a", "yr": "a", "month": "mo", "months": "mo", "week": "wk", "weeks": "wk",
    "liter": "L", "litre": "L", "liters": "L", "litres": "L", "calorie": "cal",
    "calories": "cal", "mcg": "ug", "mmhg": "mm[Hg]", "cmh2o": "cm[H2O]", "cmh20": "cm[H2O]",
    "iu": "[IU]", "miu": "m[IU]", "uiu": "u[IU]", "°c": "Cel", "°f": "[degF]", "°": "deg",
    "degc": "Cel", "degf": "[degF]", "lb": "[lb_av]", "oz": "[oz_av]", "mi": "[mi_i]",
    "psi": "[psi]", "ppm": "[ppm]", "ppb": "[ppb]", "pi": "[pi]", "met": "[MET]",
    "ph": "[pH]", "torr": "mm[Hg]",
  ]
}
