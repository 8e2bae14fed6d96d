/// The slow twin of the search for spans that no span of another source touches.
public enum ReferenceUncontestedSpans {
  /// Whether each span is touched by none of another source, ends included: by looking at all pairs.
  public static func ofSpans(_ spans: [(start: Double, end: Double, source: Int)]) -> [Bool] {
    spans.map { span in
      !spans.contains { other in
        other.source != span.source && other.start <= span.end && span.start <= other.end
      }
    }
  }
}
