public import HealthSamples

extension SampleColumns.Row {
  /// Rows on a coarse grid of whole numbers, so that edges touch, spans coincide and instants fall
  /// on them.
  public static func random(
    count: Int, sources: [Source], times: Range<Int> = 0..<24, longest: Int = 12,
    using generator: inout SplitMix64
  ) -> [SampleColumns.Row] {
    (0..<count).map { index in
      let start = Int.random(in: times, using: &generator)
      let length =
        Bool.random(using: &generator) ? Int.random(in: 0...longest, using: &generator) : index % 4
      return SampleColumns.Row(
        source: sources.randomElement(using: &generator) ?? Source(name: "none"),
        start: Double(start), end: Double(min(start + length, times.upperBound + longest)),
        value: Double(Int.random(in: 0...800, using: &generator)) / 8)
    }
  }
}

extension Source {
  /// Sources by name.
  public static func named(_ names: String...) -> [Source] { names.map { Source(name: $0) } }
}
