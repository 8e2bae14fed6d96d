import HealthSamples
import Testing

@Suite
struct SourceTests {
  @Test(
    "Names that people cannot tell apart are one source",
    arguments: [
      ("Anna’s iPhone", "Anna's iPhone"), ("Anna's\u{A0}iPhone", "Anna's iPhone"),
      ("Anna's\u{202F}iPhone", "Anna's iPhone"), ("  Scale\n", "Scale"),
      ("Ame\u{301}lie", "Am\u{E9}lie"), ("\u{A0}", ""),
    ])
  func sameNames(written: String, plain: String) {
    #expect(Source(name: written) == Source(name: plain))
    #expect(Set([Source(name: written), Source(name: plain)]).count == 1)
    #expect(Source(name: written).name == written)
    #expect(Source.matchingName(of: plain) == plain)
  }

  @Test("Capitals, inner spaces and what was typed in make another source")
  func otherSources() {
    #expect(Source(name: "Scale") != Source(name: "scale"))
    #expect(Source(name: "My Scale") != Source(name: "MyScale"))
    #expect(Source(name: "Scale") != Source(name: "Scale", isUserEntered: true))
  }

  @Test("A description tells samples that were typed in from the others")
  func description() {
    let measured = Source(name: "Scale")
    let entered = Source(name: "Scale", isUserEntered: true)
    #expect(measured.description == "Scale")
    #expect(entered.description.hasPrefix("Scale") && entered.description != "Scale")
  }
}
