import Testing

@testable import HealthStore

@Suite struct ChecksumTests {
  @Test(
    "gives the published sums of XXH64",
    arguments: [
      ("", 0xEF46_DB37_51D8_E999 as UInt64), ("a", 0xD24E_C4F1_A98C_6E5B),
      ("abc", 0x44BC_2CF5_AD77_0999),
      ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
    ])
  func published(text: String, sum: UInt64) {
    #expect(Checksum.of(Array(text.utf8)[...]) == sum)
  }

  @Test("changes with every bit")
  func everyBit() {
    let bytes = (0..<75).map { UInt8($0) }
    let sum = Checksum.of(bytes[...])
    for bit in 0..<bytes.count * 8 {
      var other = bytes
      other[bit / 8] ^= 1 << (bit % 8)
      #expect(Checksum.of(other[...]) != sum)
    }
  }
}
