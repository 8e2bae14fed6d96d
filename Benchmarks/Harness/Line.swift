import Foundation

/// A line of a table.
public enum Line {
  /// Cells in columns: to the left where a width is below zero, else to the right.
  public static func of(_ cells: [String], widths: [Int]) -> String {
    zip(cells, widths).map { cell, width in
      let space = String(repeating: " ", count: max(0, abs(width) - cell.count))
      return width < 0 ? cell + space : space + cell
    }.joined(separator: " ")
  }

  /// A number with `digits` digits after the point, and its unit.
  public static func number(_ value: Double, digits: Int = 2, _ unit: String = "") -> String {
    String(format: "%.*f", digits, value) + (unit.isEmpty ? "" : " " + unit)
  }
}
