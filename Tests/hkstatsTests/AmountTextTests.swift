import Testing

@testable import hkstats

@Suite("Amounts as text")
struct AmountTextTests {
  @Test(
    "Sizes and times are said in the largest fitting unit",
    arguments: [
      (999, "999 bytes"), (1000, "1.0 kB"), (12_345, "12 kB"), (999_600, "1.0 MB"),
      (1_200_000_000, "1.2 GB"), (Int.max, "9.2 EB"),
    ])
  func sizes(bytes: Int, text: String) { #expect(AmountText.bytes(bytes) == text) }

  @Test(arguments: [(0.4, "0 s"), (59.0, "59 s"), (125.0, "2 min 5 s"), (7260.0, "2 h 1 min")])
  func times(seconds: Double, text: String) { #expect(AmountText.duration(seconds) == text) }
}
