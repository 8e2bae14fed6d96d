import HealthSamples
import HealthUnits

/// Reads times and values of a segment as questions take them: values in the canonical unit, and
/// no end before its start.
struct CanonicalReader {
  private var core: CoreReader
  private let meanings: [LabelMeaning]
  /// Whether a block gets the numbers as they were recorded, too: ``conversions`` says in what.
  var keepsRecorded = false

  init(_ core: CoreReader, meanings: inout LabelMeanings) throws {
    self.core = core
    var resolved: [LabelMeaning] = []
    for label in core.labelTable {
      guard let meaning = meanings.meaning(of: label) else {
        throw StoreError(.unknownUnit(label), path: "")
      }
      resolved.append(meaning)
    }
    self.meanings = resolved
  }

  /// The way from recorded numbers to values, label by label; the numbers of a level are taken as
  /// they are converted.
  var conversions: [RecordedValues.Conversion] {
    meanings.map { meaning in
      guard case .converted(let conversion) = meaning else { return .identity }
      return RecordedValues.Conversion(conversion) ?? .identity
    }
  }

  /// Decodes the next block; 0 at the end.
  mutating func next(into block: RowBlock) throws(SegmentDamage) -> Int {
    let count = try core.next(into: block)
    // Without a branch: this is read for every sample.
    for row in 0..<count { block.ends[row] = max(block.starts[row], block.ends[row]) }
    if keepsRecorded { keepRecorded(count, of: block) }
    if !meanings.areCanonical {
      let converted = LabelMeaning.convert(
        Array(block.values[..<count]), labels: block.labels[..<count].lazy.map(Int.init),
        meanings: meanings)
      for row in 0..<count { block.values[row] = converted[row] }
    }
    return count
  }

  private func keepRecorded(_ count: Int, of block: RowBlock) {
    for row in 0..<count {
      let value = block.values[row]
      if case .converted(let conversion) = meanings[Int(block.labels[row])], !conversion.isLinear {
        block.recorded[row] = conversion(value)
      } else {
        block.recorded[row] = value
      }
    }
  }

  /// Decodes one block, which begins at an offset; how many rows it has.
  mutating func read(
    block number: Int, at offset: Int, into block: RowBlock
  ) throws(SegmentDamage) -> Int {
    try core.move(toBlock: number, at: offset)
    return try next(into: block)
  }
}
