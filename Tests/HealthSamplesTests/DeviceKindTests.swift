import HealthSamples
import Testing

@Suite
struct DeviceKindTests {
  @Test(
    "The device text decides, and the name of the source only where the text says nothing",
    arguments: [
      ("name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,1", "X", "watch"),
      ("name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone10,1", "X", "phone"),
      ("manufacturer:Apple Inc., hardware:Watch4,2", "iPhone", "watch"),
      ("model:Scale, hardware:iPhone10,1", "X", "phone"),
      ("name:Watch, model:Forerunner", "My Watch", "other"),
      ("name:Apple Watch", "Scale", "other"),
      ("", "Anna’s Apple\u{A0}Watch", "watch"),
      ("", "Anna's iPhone", "phone"),
      ("", "iphone", "phone"),
      ("", "Garmin Connect", "other"),
      ("", "", "other"),
      ("name:watch, manufacturer:samsung, model:SM-R890", "Samsung Health", "watch"),
      ("name:phone, model:Pixel 8", "Android", "phone"), ("name:ring", "X", "wearable"),
      ("name:fitness band, manufacturer:Xiaomi", "My Watch", "wearable"),
      ("name:scale, model:Body+", "X", "other"), ("model:Pixel Watch", "Watch", "other"),
    ])
  func recognised(device: String, sourceName: String, kind: String) {
    #expect(DeviceKind(device: device, sourceName: sourceName).rawValue == kind)
  }
}
