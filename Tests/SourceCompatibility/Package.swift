// swift-tools-version: 6.2
import PackageDescription

// What apps write, with no other import than HealthKit's and Core Location's: the same files in both
// language modes.
//   swift test --package-path Tests/SourceCompatibility
// Compiles in a fraction of the time.
let plain = SwiftSetting.unsafeFlags(["-Onone"])

let package = Package(
  name: "source-compatibility",
  dependencies: [.package(name: "hkstats", path: "../..")],
  targets: [
    .testTarget(
      name: "EverydaySwift6",
      dependencies: [
        .product(name: "HealthKit", package: "hkstats"),
        .product(name: "CoreLocation", package: "hkstats"),
      ],
      path: "Everyday",
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("ExistentialAny"),
        .treatAllWarnings(as: .error), plain,
      ]),
    .testTarget(
      name: "EverydaySwift5",
      dependencies: [
        .product(name: "HealthKit", package: "hkstats"),
        .product(name: "CoreLocation", package: "hkstats"),
      ],
      path: "EverydaySwift5",
      swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error), plain]),
  ]
)
