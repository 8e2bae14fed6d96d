import Foundation
public import HealthSamples

/// A made-up phone over some months, and the exports that its owner makes.
///
/// Between exports the phone records, joins old samples into fewer, loses some that the owner
/// deletes, changes its units, learns new names of constants, and may be restored from a backup,
/// which brings back what it had joined.
public struct PhoneHistory {
  /// One export.
  public struct Export {
    /// When it was made; `nil` when it does not say so.
    public var exportedAt: Double?
    public var batches: [RecordColumns]
  }

  /// A sample of the phone, in the base unit of its stream.
  private struct Sample {
    var start: Double
    var end: Double
    var value: Double
    var copies = 1
  }

  private enum Stream: CaseIterable {
    case steps, energy, distance, heartRate, sleep

    var type: SampleType {
      switch self {
      case .steps: StoreRecords.steps
      case .energy: StoreRecords.energy
      case .distance: StoreRecords.distance
      case .heartRate: StoreRecords.heartRate
      case .sleep: StoreRecords.sleep
      }
    }

    /// The labels in which it may be written, with the factor from the base unit.
    var labels: [(text: String, factor: Double)] {
      switch self {
      case .steps: [("count", 1)]
      case .energy: [("kcal", 1), ("kJ", 4.184)]
      case .distance: [("km", 1), ("mi", 1 / 1.609344)]
      case .heartRate: [("count/min", 1), ("count/s", 1.0 / 60)]
      case .sleep: [("", 1)]
      }
    }
  }

  public private(set) var exports: [Export] = []
  /// Whether the phone once made of some samples one that says something else.
  public private(set) var isDisagreeing = false
  public static let types = Stream.allCases.map(\.type)

  private var random: SplitMix64
  private var samples: [Stream: [Sample]] = [:]
  private var backups: [[Stream: [Sample]]] = []
  private var now = 1000.0
  private var labels: [Stream: Int] = [:]

  /// An honest one never deletes, nor joins what does not add up.
  public init(seed: UInt64, exports count: Int, honest: Bool) {
    random = SplitMix64(seed: seed)
    for number in 0..<count {
      record()
      let isTwin = number > 0 && chance(6)
      if number > 0 { age(honest: honest, keepsLabels: isTwin) }
      if isTwin { now -= 50 } else { backups.append(samples) }
      let isUndated = !isTwin && exports.allSatisfy { $0.exportedAt != nil } && chance(5)
      exports.append(
        export(exportedAt: isUndated ? nil : isTwin ? exports.last?.exportedAt ?? now : now))
    }
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Double {
    Double(Int.random(in: range, using: &random))
  }

  /// Records for an hour or two; the last sample of some streams is still growing.
  private mutating func record() {
    let end = now + number(1_800...5_400)
    for stream in Stream.allCases {
      var list = samples[stream] ?? []
      if let last = list.last, stream != .heartRate, stream != .sleep, chance(40) {
        list[list.count - 1].end = max(last.end, now) + 40
        list[list.count - 1].value += number(1...50)
      }
      var next = max(now + 60, list.map(\.end).max() ?? 0)
      // A phone whose clock was set back.
      if chance(8) { next -= number(100...2_000) }
      while next < end {
        let length = stream == .heartRate ? 0 : number(1...5) * 60
        let gap = stream == .energy ? 0 : chance(60) ? number(0...80) : number(100...900)
        var value: Double
        switch stream {
        case .steps: value = number(1...400)
        case .heartRate: value = number(50...150)
        case .sleep: value = number(0...5)
        default: value = Double.random(in: 0.001...20, using: &random)
        }
        if stream == .distance, chance(4) { value = chance(50) ? 0 : -value }
        let isInstant = chance(5)
        list.append(
          Sample(
            start: next, end: isInstant ? next : next + length, value: value,
            copies: chance(3) ? 2 : 1))
        next += (isInstant ? 0 : length) + (stream == .heartRate ? number(20...300) : gap)
        if isInstant, gap == 0 { next += 1 }
      }
      list.removeAll { $0.end > end }
      samples[stream] = list
    }
    now = end
  }

  /// What happens to what the phone has.
  private mutating func age(honest: Bool, keepsLabels: Bool) {
    for stream in Stream.allCases {
      if !keepsLabels, chance(25) {
        labels[stream] = Int.random(in: 0..<stream.labels.count, using: &random)
      }
      if chance(70) { join(stream, honest: honest) }
      if !honest, chance(20), let count = samples[stream]?.count, count > 4 {
        samples[stream]?.remove(at: Int.random(in: 0..<count, using: &random))
      }
    }
    if chance(12), let backup = backups.randomElement(using: &random) {
      // What was recorded since then is still there.
      for stream in Stream.allCases {
        let restored = backup[stream] ?? []
        let end = restored.map(\.end).max() ?? 0
        samples[stream] = restored + (samples[stream] ?? []).filter { $0.start >= end }
      }
    }
  }

  /// Joins neighbours among older samples.
  private mutating func join(_ stream: Stream, honest: Bool) {
    let list = samples[stream] ?? []
    guard list.count > 6 else { return }
    let most = chance(50) ? 4 : 2
    var joined: [Sample] = []
    var members = 0
    for sample in list.dropLast(3) {
      let isNear = joined.last.map { (0...90).contains(sample.start - $0.end) } ?? false
      if let last = joined.last, isNear, members < most, last.copies == 1, sample.copies == 1,
        stream != .sleep || last.value == sample.value && last.end == sample.start
      {
        joined[joined.count - 1].end = sample.end
        switch stream {
        case .heartRate:
          joined[joined.count - 1].value =
            (last.value * Double(members) + sample.value) / Double(members + 1)
        case .sleep: break
        default: joined[joined.count - 1].value += sample.value
        }
        members += 1
        if !honest, chance(2) {
          joined[joined.count - 1].value += 777
          isDisagreeing = true
        }
      } else {
        joined.append(sample)
        members = 1
      }
    }
    samples[stream] = joined + list.suffix(3)
  }

  private func export(exportedAt: Double?) -> Export {
    var batches: [RecordColumns] = []
    for stream in Stream.allCases {
      let label = stream.labels[labels[stream] ?? 0]
      var batch = RecordColumns(type: stream.type, source: Source(name: "Phone"))
      batch.labelTable = [stream == .sleep ? "Constant of \(Int(exportedAt ?? 0))" : label.text]
      batch.originTable = [Origin(sourceVersion: "\(exportedAt ?? 0)", device: "phone")]
      // The order of a file says nothing.
      for sample in (samples[stream] ?? []).reversed() {
        for _ in 0..<sample.copies {
          batch.starts.append(sample.start)
          batch.ends.append(sample.end)
          batch.created.append(sample.end + 5)
          batch.values.append(
            Double(String(format: "%.6g", sample.value * label.factor)) ?? sample.value)
          batch.labels.append(0)
          batch.origins.append(0)
          batch.metadata.append(0)
          batch.copies.append(1)
        }
      }
      batches.append(batch)
    }
    return Export(exportedAt: exportedAt, batches: batches)
  }
}
