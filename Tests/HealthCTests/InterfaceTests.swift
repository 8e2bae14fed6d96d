import CHKStats
import HealthC
import Testing

@Suite struct InterfaceTests {
  @Test("The library has the version of its header")
  func version() {
    #expect(hkstats_abi_version() == HKSTATS_ABI_VERSION)
  }
}
