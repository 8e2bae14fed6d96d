import _HealthNumerics

/// Conventional relations between different quantities: never applied implicitly, each has its own
/// function.
public enum Equivalence {
  /// The share of glycated haemoglobin in mmol/mol (IFCC) for one in per cent (NGSP):
  /// `IFCC = (NGSP − 2.152) / 0.09148` (Hoelzel and others 2004, the master equation).
  public static func glycatedHemoglobinIFCC(fromNGSP percent: Double) -> Double {
    (percent - 2.152) / 0.09148
  }

  /// The share of glycated haemoglobin in per cent (NGSP) for one in mmol/mol (IFCC):
  /// `NGSP = 0.09148 · IFCC + 2.152`.
  public static func glycatedHemoglobinNGSP(fromIFCC value: Double) -> Double {
    value * 0.09148 + 2.152
  }

  /// The oxygen uptake in mL/(kg·min) of a number of metabolic equivalents: one is 3.5 by
  /// convention.
  public static func oxygenUptake(fromMetabolicEquivalents value: Double) -> Double {
    value * 3.5
  }

  /// The metabolic equivalents of an oxygen uptake in mL/(kg·min).
  public static func metabolicEquivalents(fromOxygenUptake value: Double) -> Double {
    value / 3.5
  }

  /// Converts a pace to a speed or a speed to a pace, in the given units.
  ///
  /// ```swift
  /// try Equivalence.reciprocal(5, UnitExpression("min/km"), in: UnitExpression("km/hr"))    // 12
  /// ```
  ///
  /// The result is the nearest double; a value of 0 gives infinity.
  /// - Throws: `UnitError` with reason `incompatible` unless one unit measures the reciprocal of the
  ///   other.
  public static func reciprocal(
    _ value: Double, _ unit: UnitExpression, in target: UnitExpression
  ) throws(UnitError) -> Double {
    let inverse = try UnitExpression.null.divided(by: unit)
    let conversion = try UnitConversion(from: inverse, to: target)
    guard value.isFinite, value != 0 else { return 1 / value }
    return (conversion.exactFactor / ExactRatio(exactly: value)).nearestDouble
  }
}
