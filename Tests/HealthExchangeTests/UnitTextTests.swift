import HealthExchange
import HealthUnits
import Testing

@Suite("Units as text")
struct UnitTextTests {
  @Test("Every name of a dimension stands for a dimension of its own")
  func dimensionNames() {
    #expect(Set(DimensionName.all.map(\.dimension)).count == DimensionName.all.count)
    #expect(DimensionName.all.count >= 20)
  }

  @Test("The offset in a batch counts the bytes of the input")
  func offsets() {
    var conversions = BatchConversions(dialect: .ucum)
    let line = Array("1\t".utf8) + [0x5B, 0xFF, 0xFE] + Array("a\tm".utf8)
    #expect(conversions.answer(to: line).hasPrefix("error\t4\t"))
    #expect(conversions.answer(to: Array("1\tm\u{FFFD}\tm".utf8)).hasPrefix("error\t1\t"))
    #expect(conversions.answer(to: Array("2\tdm\tm".utf8)) == "0.2")
  }
}
