/// Student's distribution with an uncertain scale: a mean over several scales.
struct ScaleMixture: Sendable, Hashable {
  /// A scale, and how much it counts.
  struct Part: Sendable, Hashable {
    let weight: Double
    let scale: Double
  }

  /// The scales, whose weights sum to 1.
  let parts: [Part]
  let distribution: StudentDistribution

  /// *P(T > t)*. - Complexity: O(parts · √*ν*)
  func upperTail(_ t: Double) -> Double { mean { distribution.upperTail(t / $0) } }

  /// The *t* with *P(T > t)* = `tail`.
  ///
  /// - Precondition: `tail` lies between 0 and 1.
  func quantile(upperTail tail: Double) -> Double {
    // In units of the usual scale the quantile is a few.
    let unit = parts.reduce(0) { $0 + $1.weight * $1.scale }
    let scaled = ScaleMixture(
      parts: parts.map { Part(weight: $0.weight, scale: $0.scale / unit) },
      distribution: distribution)
    return unit
      * UpperTail.quantile(
        tail, of: scaled.upperTail, central: { t in scaled.mean { distribution.centre(t / $0) } },
        density: { t in scaled.mean { distribution.density(t / $0) / $0 } })
  }

  private func mean(_ value: (Double) -> Double) -> Double {
    parts.reduce(0) { $0 + $1.weight * value($1.scale) }
  }
}
