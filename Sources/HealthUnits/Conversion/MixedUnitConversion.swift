internal import CKernels

/// A conversion to one unit of a column whose rows have different units.
///
/// ```swift
/// let conversion = try MixedUnitConversion(from: [pounds, kilograms], to: kilograms)
/// conversion.apply(to: &masses, units: unitOfEachRow)
/// ```
public struct MixedUnitConversion: Sendable {
  private let conversions: [UnitConversion]
  private let kernels: [hk_conversion]

  /// Prepares the conversion from each unit; a row names its unit by its index in the list.
  ///
  /// - Throws: `UnitError` with reason `incompatible` when a unit measures something else.
  public init(from sources: [UnitExpression], to target: UnitExpression) throws(UnitError) {
    var conversions: [UnitConversion] = []
    for source in sources { conversions.append(try UnitConversion(from: source, to: target)) }
    self.conversions = conversions
    kernels = conversions.map { $0.kernel ?? .never }
  }

  /// The number of units that rows can refer to.
  public var unitCount: Int { conversions.count }

  /// Converts a column in place, each value as the conversion of its row's unit does.
  ///
  /// Both columns must be equally long, and every unit must be below `unitCount`.
  /// - Complexity: O(n).
  public func apply(to column: inout [Double], units: [UInt16]) {
    apply(to: &column, units: units, path: .best)
  }

  package func apply(to column: inout [Double], units: [UInt16], path: KernelPath) {
    let path = path.path
    precondition(column.count == units.count, "every value needs a unit")
    precondition(
      units.allSatisfy { Int($0) < conversions.count }, "a row names a unit beyond the list")
    column.withUnsafeMutableBufferPointer { values in
      units.withUnsafeBufferPointer { units in
        guard let base = values.baseAddress, let unitBase = units.baseAddress else { return }
        var done = 0
        while done < values.count {
          done += hk_convert_mixed(
            path, base + done, base + done, unitBase + done, values.count - done, kernels)
          guard done < values.count else { return }
          base[done] = conversions[Int(unitBase[done])](base[done])
          done += 1
        }
      }
    }
  }
}

extension hk_conversion {
  /// A conversion that leaves every value to the caller.
  static let never = hk_conversion(
    factor: .nan, factor_tail: 0, factor_high: 0, factor_low: 0, factor_down: .nan, tail_least: 0,
    tail_most: 0, head: 0, tail: 0, offset: 0, offset_tail: 0)
}
