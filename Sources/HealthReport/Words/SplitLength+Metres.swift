import HealthAnswers

extension SplitLength {
  /// Metres in kilometres or miles.
  func callAsFunction(_ metres: Double?) -> Double? { metres.map { $0 / self.metres } }
}
