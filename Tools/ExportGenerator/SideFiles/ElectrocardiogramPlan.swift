import Foundation

/// An electrocardiogram of half a minute, before it is text.
struct ElectrocardiogramPlan {
  /// What the watch made of it.
  enum Classification: String {
    case sinusRhythm, atrialFibrillation, inconclusive, poorRecording, highHeartRate
  }

  /// The path of its file, from the top folder.
  let path: String
  let start: Int
  /// When it was over.
  var end: Int { start + Int((Double(count) / Self.rate).rounded(.up)) }
  let classification: Classification
  let software: String
  private let count: Int
  private let beats: Double
  private let seed: UInt64

  /// Voltages a second.
  static let rate = 512.0
}

extension ElectrocardiogramPlan {
  /// The waves of a heartbeat: when they peak, as a share of the time between beats, how wide they
  /// are and how high in microvolts.
  private static let waves: [(peak: Double, width: Double, height: Double)] = [
    (0.18, 0.028, 110), (0.285, 0.009, -95), (0.31, 0.011, 940), (0.335, 0.010, -210),
    (0.56, 0.050, 240),
  ]

  /// The voltages in microvolts, to three decimals.
  func voltages() -> [Double] {
    var chance = Chance(seed: seed, stream: 0x65, day: 0)
    let isIrregular = classification == .atrialFibrillation
    var phase = chance.fraction()
    var pace = 1.0
    return (0..<count).map { index in
      phase += beats / 60 / Self.rate * pace
      if phase >= 1 {
        phase -= 1
        pace = 1 + (isIrregular ? 0.25 : 0.03) * chance.bell()
      }
      var voltage = 30 * sin(Double(index) / 900) + 9 * chance.bell()
      for wave in Self.waves where abs(phase - wave.peak) < 4 * wave.width {
        let distance = (phase - wave.peak) / wave.width
        voltage += wave.height * exp(-distance * distance / 2)
      }
      return (voltage * 1_000).rounded() / 1_000
    }
  }

  /// The electrocardiograms of a day: one in three weeks, now and then two.
  static func plans(of day: DayPlan, plan: ExportPlan) -> [ElectrocardiogramPlan] {
    guard day.isWatchDay, plan.version.hasElectrocardiograms else { return [] }
    var chance = Chance(seed: day.variation, stream: 0x45, day: day.index)
    guard day.index % 21 == 2 else { return [] }
    let date = CivilDate(day: plan.timeline.firstDay + day.index)
    return (0..<(chance.happens(0.3) ? 2 : 1)).map { number in
      let draw = chance.fraction()
      let classification: Classification =
        switch draw {
        case ..<0.82: .sinusRhythm
        case ..<0.86: .atrialFibrillation
        case ..<0.91: .inconclusive
        case ..<0.95: .poorRecording
        default: .highHeartRate
        }
      return ElectrocardiogramPlan(
        path: "/electrocardiograms/ecg_\(date)\(number == 0 ? "" : "_\(number)").csv",
        start: day.wake + 7_200 + 3_600 * number + chance.whole(in: 0...900),
        classification: classification, software: number == 0 ? "1.90" : "2",
        count: chance.whole(in: 14_863...15_359),
        beats: classification == .highHeartRate ? 131 : day.restingHeartRate + 6,
        seed: chance.bits())
    }
    .filter { $0.end <= plan.exported }
  }
}
