/// The mean of some doubles as a fraction.
struct ExactMean {
  let sum: Dyadic
  let count: Dyadic

  /// The mean of one value.
  init(_ value: Double) {
    sum = Dyadic(value).reduced
    count = Dyadic(1)
  }

  /// The mean of a sum without fractions.
  init(_ sum: ExactSum, count: Int) {
    self.sum = sum.wholePart.reduced
    self.count = Dyadic(magnitude: Natural(UInt(count)))
  }

  init(of values: [Double]) {
    var sum = ExactSum()
    for value in values { sum.add(value) }
    self.init(sum, count: values.count)
  }
}
