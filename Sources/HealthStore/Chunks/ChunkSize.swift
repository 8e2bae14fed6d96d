/// How large chunks are, and where rows are split.
extension EncodedChunk {
  /// The rows of a full chunk.
  static let rowCount = 1 << 16
  /// The most rows of any chunk.
  static let mostRows = 1 << 22

  /// The row near `target` before which rows may be split, preferably at `target` or before it.
  ///
  /// Rows of one instant stay in one chunk, so that a later import matches them together.
  static func boundary(
    near target: Int, between first: Int, and end: Int, _ isBoundary: (Int) -> Bool
  ) -> Int? {
    stride(from: target, to: first, by: -1).first(where: isBoundary)
      ?? (target..<end).first(where: isBoundary)
  }
}
