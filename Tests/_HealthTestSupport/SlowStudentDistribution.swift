import Foundation

/// Student's *t* distribution by finite sums (Abramowitz and Stegun 26.7.3 and 26.7.4).
public enum SlowStudentDistribution {
  /// *P(|T| < t)* for *t* ≥ 0. - Complexity: O(*ν*)
  public static func central(_ t: Double, degreesOfFreedom: Int) -> Double {
    let angle = atan(t / Double(degreesOfFreedom).squareRoot())
    let cosine = cos(angle)
    let sine = sin(angle)
    let isOdd = degreesOfFreedom % 2 == 1
    // cosθ + (2/3)cos³θ + (2·4)/(3·5)cos⁵θ + …, or 1 + (1/2)cos²θ + (1·3)/(2·4)cos⁴θ + …
    var term = isOdd ? cosine : 1
    var sum = degreesOfFreedom > 1 ? term : 0
    var power = isOdd ? 3 : 2
    while power <= degreesOfFreedom - 2 {
      term *= cosine * cosine * Double(power - 1) / Double(power)
      sum += term
      power += 2
    }
    return isOdd ? 2 / Double.pi * (angle + sine * sum) : sine * sum
  }
}
