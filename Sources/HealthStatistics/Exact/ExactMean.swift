import _HealthNumerics

/// The mean of the values of some samples as a fraction, times ``ExactValues/denominator``.
enum ExactMean {
  /// The value of one sample.
  case sample(Int)
  /// A sum and its divisor.
  case quotient(sum: Dyadic, count: Dyadic)

  init(of samples: some Collection<Int>, of values: ExactValues) {
    if samples.count == 1, let sample = samples.first {
      self = .sample(sample)
    } else {
      var total = ExactTotal(values)
      for sample in samples { total.add(sample, of: values) }
      self.init(total, count: samples.count, of: values)
    }
  }

  init(_ total: ExactTotal, count: Int, of values: ExactValues) {
    self = .quotient(
      sum: total.whole(of: values), count: Dyadic(magnitude: Natural(UInt(count))))
  }
}
