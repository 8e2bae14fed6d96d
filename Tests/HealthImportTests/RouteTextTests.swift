import Foundation
import HealthImport
import HealthSamples
import Testing
import _HealthTestSupport

@Suite("Routes as GPX")
struct RouteTextTests {
  /// A route, and how GPX writes it.
  private struct Sample {
    var locations = LocationColumns()
    var text: String

    init(seed: UInt64, count: Int) {
      var random = SplitMix64(seed: seed)
      text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="Apple Health Export">
         <metadata><time>2025-10-01T08:00:00Z</time></metadata>
         <trk><name>Route 2025-09-26 7:08pm</name><trkseg>

        """
      for index in 0..<count {
        let time = 780_000_000 + Double(index)
        let latitude = Double(Int.random(in: -90_000_000...90_000_000, using: &random)) / 1e6
        let longitude = Double(Int.random(in: -180_000_000...180_000_000, using: &random)) / 1e6
        let altitude = Double(Int.random(in: -400_000...9_000_000, using: &random)) / 1e3
        let speed = Bool.random(using: &random) ? 2.5 : LocationColumns.unknown
        locations.append(
          time: time, latitude: latitude, longitude: longitude, altitude: altitude,
          horizontalAccuracy: 4, verticalAccuracy: 6, course: 90.25, speed: speed)
        let date = Date(timeIntervalSinceReferenceDate: time).formatted(.iso8601)
        var children = [
          "<ele>\(altitude)</ele>", "<time>\(date)</time>",
          "<extensions>\(speed < 0 ? "" : "<speed>\(speed)</speed>")<course>90.25</course>"
            + "<hAcc>4</hAcc>\n<vAcc> 6 </vAcc></extensions>",
        ]
        children.shuffle(using: &random)
        text += "<trkpt lon='\(longitude)' lat=\"\(latitude)\">\(children.joined())</trkpt>\n"
      }
      text += "</trkseg></trk></gpx>\n"
    }
  }

  @Test("Every place comes back as it was written", arguments: [0, 1, 2, 500])
  func roundTrip(count: Int) {
    let sample = Sample(seed: 7, count: count)
    #expect(RouteText.contents(of: Array(sample.text.utf8)).locations == sample.locations)
  }

  @Test("A file that was cut gives the places before the cut")
  func cut() {
    let sample = Sample(seed: 3, count: 40)
    let bytes = Array(sample.text.utf8)
    for length in stride(from: 0, through: bytes.count, by: 13) {
      let locations = RouteText.contents(of: Array(bytes[..<length])).locations
      #expect(locations.times.elementsEqual(sample.locations.times.prefix(locations.count)))
      #expect(locations.latitudes.elementsEqual(sample.locations.latitudes.prefix(locations.count)))
    }
  }

  @Test("Places without a time, with degrees out of range or with words for numbers are left out")
  func invalid() {
    let text = """
      <gpx><trkpt lat="10" lon="20"><ele>5</ele></trkpt>
      <trkpt lat="91" lon="20"><time>2025-01-01T00:00:00Z</time></trkpt>
      <trkpt lat="10" lon="181"><time>2025-01-01T00:00:00Z</time></trkpt>
      <trkpt lat="nan" lon="1"><time>2025-01-01T00:00:00Z</time></trkpt>
      <trkpt lat="1" lon="1"/><trkpt lat="1" lon="1"><time>yesterday</time></trkpt>
      <!-- <trkpt lat="1" lon="1"><time>2025-01-01T00:00:00Z</time></trkpt> -->
      <trkpt lat="-1.5" lon="2e1"><time>2025-01-01T01:00:00.250+01:00</time><ele>inf</ele></trkpt>
      """
    let contents = RouteText.contents(of: Array(text.utf8))
    let locations = contents.locations
    #expect(contents.leftOut == 6)
    #expect(locations.latitudes == [-1.5])
    #expect(locations.longitudes == [20])
    #expect(locations.altitude(row: 0) == nil)
    #expect(locations.times == [757_382_400.25])
  }

  @Test(
    "What a place lacks is unknown, and so is an altitude that is said to be invalid",
    arguments: [
      ("", nil), ("<ele></ele>", nil), ("<ele>-</ele>", nil), ("<ele>0</ele>", 0),
      ("<ele>-1</ele>", -1), ("<ele>0</ele><extensions><vAcc>-1</vAcc></extensions>", nil),
      ("<ele>150</ele><extensions><vAcc>0</vAcc></extensions>", 150),
      ("<extensions><vAcc>3</vAcc></extensions>", nil),
    ] as [(String, Double?)])
  func missing(children: String, altitude: Double?) {
    let text =
      "<gpx><trkpt lat='1' lon='2'><time>2025-01-01T00:00:00Z</time>\(children)</trkpt></gpx>"
    let locations = RouteText.contents(of: Array(text.utf8)).locations
    #expect(locations.count == 1)
    #expect(locations.altitude(row: 0) == altitude)
    #expect(locations.speed(row: 0) == nil && locations.course(row: 0) == nil)
    #expect(locations.horizontalAccuracy(row: 0) == nil)
  }

  @Test("Segments of one track and of several stay apart")
  func segments() {
    func place(_ second: Int) -> String {
      "<trkpt lat='1' lon='\(second)'><time>2025-01-01T00:00:0\(second)Z</time></trkpt>"
    }
    let text =
      "<gpx><trk><trkseg/><trkseg>\(place(0))\(place(1))</trkseg><trkseg></trkseg>"
      + "<trkseg><trkpt lat='1' lon='1'/>\(place(2))</trkseg></trk>"
      + "<trk><trkseg>\(place(3))\(place(4))</trkseg><trkseg></trkseg></trk></gpx>"
    let contents = RouteText.contents(of: Array(text.utf8))
    #expect(contents.locations.segments == [0..<2, 2..<3, 3..<5])
    #expect(contents.leftOut == 1)
  }

  @Test("Bytes at random neither trap nor give places out of range")
  func mutations() {
    var random = SplitMix64(seed: 11)
    let bytes = Array(Sample(seed: 5, count: 12).text.utf8)
    for _ in 0..<2000 {
      var mutated = bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        mutated[Int.random(in: mutated.indices, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      let locations = RouteText.contents(of: mutated).locations
      #expect(locations.latitudes.allSatisfy { abs($0) <= 90 })
      #expect(locations.count <= 12)
    }
  }
}
