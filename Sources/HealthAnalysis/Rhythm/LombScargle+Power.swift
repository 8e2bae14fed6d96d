import CKernels
import _HealthNumerics

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension LombScargle.Points {
  /// Where both columns together are this far from one, of 1 at most, digits suffice without means.
  private static let leastIndependence = 1e-3

  /// The power at each of some frequencies.
  ///
  /// Of equally spaced ones a phase is turned from one to the next, anew for every 32. A frequency
  /// counts as one of these when it is so to three units of its last place.
  func power(frequencies: [Double], on instructions: InstructionSet = .best) -> [Double] {
    let most = HK_MOST_WAVES
    var sums = Array(repeating: hk_wave_sums(), count: most)
    var power: [Double] = []
    power.reserveCapacity(frequencies.count)
    times.withUnsafeBufferPointer { times in
      values.withUnsafeBufferPointer { values in
        guard let times = times.baseAddress, let values = values.baseAddress else { return }
        while power.count < frequencies.count {
          let first = power.count
          var block = frequencies[first..<min(first + most, frequencies.count)]
          let step = Self.evenStep(block)
          if step == nil { block = block.prefix(1) }
          hk_sum_waves(
            instructions.code, times, values, count, frequencies[first], step ?? 0, block.count,
            &sums)
          for (frequency, sums) in zip(block, sums) {
            power.append(
              independentPower(sums) ?? centredPower(frequency, sums, on: instructions))
          }
        }
      }
    }
    return power
  }

  /// The step of equally spaced frequencies; `nil` when they are not.
  private static func evenStep(_ frequencies: ArraySlice<Double>) -> Double? {
    guard let first = frequencies.first, let last = frequencies.last else { return nil }
    let step = (last - first) / Double(max(1, frequencies.count - 1))
    guard step >= 0 else { return nil }
    let isEven = frequencies.enumerated().allSatisfy { place, frequency in
      (first + Double(place) * step - frequency).magnitude <= 3 * last.ulp
    }
    return isEven ? step : nil
  }

  /// The power at one frequency, of sums over points: Y′M⁻¹Y/YY with Y = (YC, YS) and M the sums
  /// of squares of both columns about their means.
  ///
  /// It is `nil` where the columns are nearly one, or one of them hardly varies.
  private func independentPower(_ sums: hk_wave_sums) -> Double? {
    let count = Double(self.count)
    let (cosineMean, sineMean) = (sums.c / count, sums.s / count)
    let cc = sums.cc - cosineMean * sums.c
    let ss = (count - sums.cc) - sineMean * sums.s
    let cs = sums.cs - cosineMean * sums.s
    let determinant = cc * ss - cs * cs
    guard determinant >= Self.leastIndependence * count * (cc + ss), determinant > 0 else {
      return nil
    }
    let yc = sums.yc - cosineMean * rest
    let ys = sums.ys - sineMean * rest
    let explained = (yc * (yc * ss - ys * cs) + ys * (ys * cc - yc * cs)) / determinant
    return min(1, max(0, explained / variation))
  }

  /// The power at one frequency, of sums about means, which a second pass adds.
  ///
  /// With the columns *c* and *s* about their means, and *τ* the rotation after which they are
  /// orthogonal, tan 2τ = 2CS/(CC − SS), it is (YC²/CC + YS²/SS)/YY (Zechmeister and Kürster 2009).
  /// A column without variation has no part in it.
  private func centredPower(
    _ frequency: Double, _ sums: hk_wave_sums, on instructions: InstructionSet
  ) -> Double {
    let count = Double(self.count)
    var centred = hk_centred_wave_sums()
    times.withUnsafeBufferPointer { times in
      values.withUnsafeBufferPointer { values in
        guard let times = times.baseAddress, let values = values.baseAddress else { return }
        hk_sum_centred_wave(
          instructions.code, times, values, self.count, frequency, sums.c / count, sums.s / count,
          &centred)
      }
    }
    let (cc, ss, cs) = (centred.cc, centred.ss, centred.cs)
    let rotation = 0.5 * atan2(2 * cs, cc - ss)
    let (c, s) = (cos(rotation), sin(rotation))
    // The larger of both first, as atan2 turns it.
    let major = cc * c * c + 2 * cs * c * s + ss * s * s
    let minor = cc * s * s - 2 * cs * c * s + ss * c * c
    let (along, across) = (centred.yc * c + centred.ys * s, centred.ys * c - centred.yc * s)
    let noise = 1e-14 * count
    var explained = 0.0
    if major > noise { explained += along / major * along }
    if minor > noise { explained += across / minor * across }
    return min(1, max(0, explained / variation))
  }
}
