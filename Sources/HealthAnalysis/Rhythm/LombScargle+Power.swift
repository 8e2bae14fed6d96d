#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension LombScargle.Points {
  /// The power at each of some frequencies.
  func power(frequencies: [Double]) -> [Double] {
    var cosines = [Double](repeating: 0, count: times.count)
    var sines = cosines
    return frequencies.map { power(frequency: $0, &cosines, &sines) }
  }

  /// The power at one frequency.
  ///
  /// With the columns *c* and *s* about their means, and *τ* the rotation after which they are
  /// orthogonal, tan 2τ = 2CS/(CC − SS), it is (YC²/CC + YS²/SS)/YY (Zechmeister and Kürster 2009).
  /// A column without variation has no part in it.
  private func power(
    frequency: Double, _ cosines: inout [Double], _ sines: inout [Double]
  ) -> Double {
    let count = Double(times.count)
    var (cosineSum, sineSum) = (0.0, 0.0)
    for row in times.indices {
      // Whole periods drop out exactly, so that a large phase costs no digits here.
      let periods = frequency * times[row]
      let angle = 2 * Double.pi * (periods - periods.rounded())
      (cosines[row], sines[row]) = (cos(angle), sin(angle))
      cosineSum += cosines[row]
      sineSum += sines[row]
    }
    let (cosineMean, sineMean) = (cosineSum / count, sineSum / count)
    var (cc, ss, cs, yc, ys) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for row in times.indices {
      let (cosine, sine, value) = (cosines[row] - cosineMean, sines[row] - sineMean, values[row])
      cc += cosine * cosine
      ss += sine * sine
      cs += cosine * sine
      yc += value * cosine
      ys += value * sine
    }
    let rotation = 0.5 * atan2(2 * cs, cc - ss)
    let (c, s) = (cos(rotation), sin(rotation))
    // The larger of both first, as atan2 turns it.
    let major = cc * c * c + 2 * cs * c * s + ss * s * s
    let minor = cc * s * s - 2 * cs * c * s + ss * c * c
    let (along, across) = (yc * c + ys * s, ys * c - yc * s)
    var explained = 0.0
    let noise = 1e-14 * count
    if major > noise { explained += along / major * along }
    if minor > noise { explained += across / minor * across }
    return min(1, max(0, explained / variation))
  }
}
