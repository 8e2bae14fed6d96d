/// How regular and how fragmented the days of a series are: the nonparametric measures of rest and
/// activity.
///
/// ```swift
/// let steps = try RegularSeries(hourlySteps)  // from midnight on, one row an hour
/// let days = try steps.restAndActivity()
/// days.interdailyStability   // 0.62
/// days.leastActive.onset     // 1: the five quietest hours begin at 1:00
/// ```
///
/// With *x̄* the mean of the *n* values that are there and *x̄ₕ* the mean of the *nₕ* at time of day
/// *h* (Witting, Kwa, Eikelenboom, Mirmiran and Swaab, *Biological Psychiatry* 27, 1990, 563–572; Van
/// Someren, Swaab, Colenda, Cohen, McCall and Rosenquist, *Chronobiology International* 16, 1999,
/// 505–518):
/// - interdaily stability IS = Σₕ *nₕ*(*x̄ₕ* − *x̄*)² / Σ(*x* − *x̄*)²,
/// - intradaily variability IV = [Σ(*xᵢ* − *xᵢ₋₁*)²/*m*] / [Σ(*x* − *x̄*)²/*n*], over the *m* pairs of
///   neighbours that are both there.
///
/// Without gaps, over whole days, these are the published forms *n*Σ(*x̄ₕ* − *x̄*)²/(*p*Σ(*x* − *x̄*)²) and
/// *n*Σ(*xᵢ* − *xᵢ₋₁*)²/((*n* − 1)Σ(*x* − *x̄*)²). Some packages divide by *n* − 1 and *p* − 1 instead.
public struct RestAndActivity: Sendable, Hashable {
  /// IS: 0 when times of day do not differ, 1 when every day is the same.
  public let interdailyStability: Double
  /// IV: near 0 for a smooth rhythm, about 2 for values without any order.
  public let intradailyVariability: Double
  /// L5: the quietest hours of the mean day.
  public let leastActive: Spell
  /// M10: the most active hours of the mean day.
  public let mostActive: Spell
  /// RA = (M10 − L5)/(M10 + L5), between 0 and 1; `nil` when a value of the mean day is negative, or
  /// all are 0.
  public let relativeAmplitude: Double?
  /// The mean day: *x̄ₕ*, one for each row of a day.
  public let meanDay: [Double]
  /// How many rows have a value.
  public let presentCount: Int
  /// How many pairs of neighbouring rows have both.
  public let pairCount: Int

  /// Some hours of the mean day in a row, which may go beyond midnight.
  public struct Spell: Sendable, Hashable {
    /// Their mean.
    public let mean: Double
    /// When they begin, in hours after the start of the day, 0 to below 24: the earliest if equal.
    public let onset: Double
    /// How long they are, in hours.
    public let hours: Int
  }
}
