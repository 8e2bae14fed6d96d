extension UnitExpression {
  /// The product of two units; equal names add their powers.
  public func multiplied(by other: UnitExpression) throws(UnitError) -> UnitExpression {
    try combined(with: other, power: 1)
  }

  /// The quotient of two units; equal names cancel.
  public func divided(by other: UnitExpression) throws(UnitError) -> UnitExpression {
    try combined(with: other, power: -1)
  }

  /// The unit raised to a whole power; power 0 gives the null unit.
  public func raised(to power: Int) throws(UnitError) -> UnitExpression {
    try UnitExpression.null.combined(with: self, power: power)
  }

  private func combined(
    with other: UnitExpression, power: Int
  ) throws(UnitError) -> UnitExpression {
    var list = list
    guard list.multiply(by: other.list, power: power) else {
      throw UnitError(.exponentOutOfRange, at: 0, expected: .wholeNumber)
    }
    return try list.unit()
  }
}
