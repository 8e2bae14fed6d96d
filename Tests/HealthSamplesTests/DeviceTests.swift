import HealthSamples
import Testing
import _HealthTestSupport

@Suite("Descriptions of devices")
struct DeviceTests {
  @Test("have the fields that exports write")
  func fields() throws {
    let text =
      "<<HKDevice: 0x283754780>, name:Apple Watch, manufacturer:Apple Inc., model:Watch, "
      + "hardware:Watch6,1, software:9.1, creation date:2025-08-14 23:49:07 +0000>"
    let device = try #require(Device(text))
    #expect(device.name == "Apple Watch" && device.manufacturer == "Apple Inc.")
    #expect(device.model == "Watch" && device.hardwareVersion == "Watch6,1")
    #expect(device.softwareVersion == "9.1" && device.firmwareVersion == nil)
    #expect(device.localIdentifier == nil && device.udiDeviceIdentifier == nil)
    #expect(device[.creationDate] == "2025-08-14 23:49:07 +0000")
    #expect(
      device.description
        == "name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,1, "
        + "software:9.1, creation date:2025-08-14 23:49:07 +0000")
    let headphones = try #require(Device("name:Beats, one, two, localIdentifier:Wired, UDI:7"))
    #expect(headphones.name == "Beats, one, two" && headphones.localIdentifier == "Wired")
    #expect(headphones.udiDeviceIdentifier == "7")
  }

  @Test(
    "that do not read as fields in order are no device",
    arguments: [
      "", "Watch6,7", "model", "x, name:Anna", "model:Watch, name:Anna", "name:a, name:b",
    ]
  )
  func others(text: String) {
    #expect(Device(text) == nil)
  }

  @Test("read back, whatever their values are", arguments: 0..<300)
  func roundTrip(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let pieces = [",", " ", "\\", "name:", "model:", "UDI:", ":", "é", "🍎", "", "creation date:"]
    func value() -> String? {
      guard Bool.random(using: &random) else { return nil }
      return (0..<Int.random(in: 0...9, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
    }
    var device = Device(
      name: value(), manufacturer: value(), model: value(), hardwareVersion: value(),
      firmwareVersion: value(), softwareVersion: value(), localIdentifier: value(),
      udiDeviceIdentifier: value())
    device[.creationDate] = value()
    let text = device.description
    guard !text.isEmpty else { return }
    #expect(Device(text) == device)
    // A text that reads as a device is the canonical one.
    let raw = "name:" + (value() ?? "") + ", " + (value() ?? "") + ", software:" + (value() ?? "")
    if let read = Device(raw) { #expect(read.description == raw) }
  }
}
