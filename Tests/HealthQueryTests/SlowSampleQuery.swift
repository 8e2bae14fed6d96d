import HealthQuery
import HealthSamples
import HealthUnits
import _HealthTestSupport

/// A sample as a slow query sees it.
struct SlowSample: Equatable {
  var type: SampleType
  var source: Source
  var start: Double
  var end: Double
  var value: Double
  var label: String
  var version = ""
  var device = ""
  var metadata = Metadata()

  var lastEnd: Double { Swift.max(start, end) }

  /// The value in a unit, else in the canonical one; `nil` where it has no such unit.
  func value(in unit: UnitExpression?) -> Double? {
    guard let canonical = type.canonicalUnit else { return unit == nil ? value : nil }
    guard let recorded = try? UnitExpression(label) else { return nil }
    return (try? UnitConversion(from: recorded, to: unit ?? canonical))?(value)
  }

  /// Whether a predicate holds, by its definition.
  func meets(_ predicate: SamplePredicate) -> Bool {
    switch predicate {
    case .all(let parts): parts.allSatisfy(meets)
    case .any(let parts): parts.contains(where: meets)
    case .not(let part): !meets(part)
    case .start(let compares, let instant): compares.holds(start, instant)
    case .end(let compares, let instant): compares.holds(lastEnd, instant)
    case .duration(let compares, let seconds): compares.holds(lastEnd - start, seconds)
    case .value(let compares, let number, let unit):
      value(in: unit).map { compares.holds($0, number) } ?? false
    case .constant(let name): type.canonicalUnit == nil && label == name
    case .source(let name): source.isNamed(name)
    case .sources(let names):
      names.contains {
        $0.name == source.matchingName && $0.bundleIdentifier == source.bundleIdentifier
      }
    case .userEntered(let isUserEntered): source.isUserEntered == isUserEntered
    case .sourceVersion(let other): version == other
    case .device(.name, let other): (Device(device)?.name ?? (device == "" ? nil : device)) == other
    case .device(let field, let other): Device(device)?[field] == other
    case .metadata(let key, .exists): metadata.entries.contains { $0.key == key }
    case .metadata(let key, .text(let compares, let text)):
      metadata.entries.contains { $0.key == key && compares.holds($0.value, text) }
    case .metadata(let key, .number(let compares, let number)):
      metadata.entries.contains { entry in
        entry.key == key && Double(entry.value).map { compares.holds($0, number) } ?? false
      }
    case .metadata(let key, .quantity(let compares, let number, let unit)):
      metadata.entries.contains { entry in
        guard entry.key == key, case .quantity(let found, let recorded) = entry.typed else {
          return false
        }
        return (try? UnitConversion(from: recorded, to: unit))
          .map { compares.holds($0(found), number) } ?? false
      }
    case .metadata(let key, .date(let compares, let instant)):
      metadata.entries.contains { $0.key == key && $0.typed == .date(instant) }
        && compares.holds(instant, instant)
    case .rows, .uuid: false
    }
  }
}

extension Comparison {
  /// The comparison by its sign.
  func holds<Value: Comparable>(_ value: Value, _ given: Value) -> Bool {
    switch rawValue {
    case "<": value < given
    case "<=": value < given || value == given
    case "=": value == given
    case "!=": !(value == given)
    case ">=": value > given || value == given
    default: value > given
    }
  }
}

extension RecordColumns {
  /// The rows as slow queries see them.
  var slowSamples: [SlowSample] {
    (0..<count).map { row in
      let origin = originTable[Int(origins[row])]
      return SlowSample(
        type: type, source: source, start: starts[row], end: ends[row], value: values[row],
        label: labelTable[Int(labels[row])], version: origin.sourceVersion, device: origin.device,
        metadata: metadataTable[Int(metadata[row])])
    }
  }
}

extension SampleQuery {
  /// The answer by filtering and sorting all samples, which are in the order of the query's types.
  func answer(from samples: [SlowSample]) -> [SlowSample] {
    let found = samples.enumerated().filter { $0.element.meets(predicate) }
    let sorted = found.sorted { left, right in
      let (a, b) = (left.element, right.element)
      for sort in sort {
        let (x, y) = sort.isDescending ? (b, a) : (a, b)
        switch sort.key {
        case .start where x.start != y.start: return x.start < y.start
        case .end where x.lastEnd != y.lastEnd: return x.lastEnd < y.lastEnd
        case .value where x.value(in: nil) != y.value(in: nil):
          return (x.value(in: nil) ?? x.value) < (y.value(in: nil) ?? y.value)
        case .source where x.source.matchingName != y.source.matchingName:
          return x.source.matchingName < y.source.matchingName
        default: continue  // the order of addition has a test of its own
        }
      }
      func place(_ sample: SlowSample) -> (Double, Double, Int, Source) {
        (sample.start, sample.end, types.firstIndex(of: sample.type) ?? 0, sample.source)
      }
      let isReversed = sort == [SampleSort(.start, isDescending: true)]
      let (x, y) = isReversed ? (right, left) : (left, right)
      return place(x.element) == place(y.element)
        ? x.offset < y.offset : place(x.element) < place(y.element)
    }
    return sorted.prefix(limit ?? .max).map(\.element)
  }
}
