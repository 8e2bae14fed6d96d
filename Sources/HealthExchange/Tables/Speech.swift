/// How tables and charts are written for people: the separators of numbers, and the heads of columns.
///
/// csv and json never ask, as they are for programs.
package struct Speech: Sendable {
  /// That of what is being written.
  @TaskLocal package static var current = Speech()

  /// What stands before the decimals of a number.
  let decimalMark: [UInt8]
  /// What stands between groups of three digits.
  let groupMark: [UInt8]
  /// From where on digits are grouped.
  let leastGrouped: UInt
  /// The head of a column from its English form.
  package let head: @Sendable (String) -> String

  /// English numbers and heads; or those of another language.
  package init(
    decimalMark: String = ".", groupMark: String = ",", leastGrouped: UInt = 1000,
    head: @escaping @Sendable (String) -> String = { $0 }
  ) {
    (self.decimalMark, self.groupMark) = (Array(decimalMark.utf8), Array(groupMark.utf8))
    (self.leastGrouped, self.head) = (leastGrouped, head)
  }
}
