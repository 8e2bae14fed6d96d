public import HealthSamples

/// The rows of batches in the order of time, by sorting them all: start, end, then the place of
/// the batch and the row in it.
public enum ReferenceTimeOrder {
  public static func places(of batches: [RecordColumns]) -> [(batch: Int, row: Int)] {
    batches.indices.flatMap { batch in (0..<batches[batch].count).map { (batch, $0) } }
      .sorted { left, right in
        let (a, b) = (batches[left.0], batches[right.0])
        return (a.starts[left.1], a.ends[left.1], left.0, left.1)
          < (b.starts[right.1], b.ends[right.1], right.0, right.1)
      }.map { (batch: $0.0, row: $0.1) }
  }
}
