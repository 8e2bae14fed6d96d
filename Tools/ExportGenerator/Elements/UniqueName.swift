/// A name that no other thing has: 32 hexadecimal digits in five groups, from a seed.
struct UniqueName {
  let text: String

  init(seed: UInt64) {
    var chance = Chance(seed: seed, stream: 0x75, day: 0)
    let digits = Array("0123456789ABCDEF")
    text = String(
      (0..<36).map { [8, 13, 18, 23].contains($0) ? "-" : digits[chance.whole(in: 0...15)] })
  }
}
