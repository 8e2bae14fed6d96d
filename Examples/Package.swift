// swift-tools-version: 6.2
import PackageDescription

// Apps written for iOS, and a server: the two ways to use hkstats from another program.
//   swift test --package-path Examples
let warnings: [SwiftSetting] =
  Context.environment["HKSTATS_WARNINGS"] == "errors" ? [.treatAllWarnings(as: .error)] : []
let strict: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
  ] + warnings
// What existing apps are written in.
let older: [SwiftSetting] = [.swiftLanguageMode(.v5)] + warnings

// Tests are compiled in half the time without optimisation.
let onone: [SwiftSetting] = [.unsafeFlags(["-Onone"])]
let plain = strict + onone

// Apple's platforms have HealthKit and Core Location.
func onLinux(_ name: String) -> Target.Dependency {
  .product(name: name, package: "hkstats", condition: .when(platforms: [.linux]))
}
let healthKit = onLinux("HealthKit")
let coreLocation = onLinux("CoreLocation")
let kit: Target.Dependency = .product(name: "HealthKitTesting", package: "hkstats")
let arguments: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")

func library(_ name: String) -> Target.Dependency { .product(name: name, package: "hkstats") }
func nio(_ name: String) -> Target.Dependency { .product(name: name, package: "swift-nio") }

let package = Package(
  name: "hkstats-examples",
  platforms: [.iOS(.v17)],
  products: [
    .library(name: "Diary", targets: ["Diary"]),
    .library(name: "Training", targets: ["Training", "OlderTraining"]),
    .executable(name: "show-diary", targets: ["show-diary"]),
    .executable(name: "serve-days", targets: ["serve-days"]),
  ],
  dependencies: [
    .package(name: "hkstats", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
  ],
  targets: [
    // MARK: The app as on a phone, and a terminal in place of its views.
    .target(name: "Diary", dependencies: [healthKit], swiftSettings: strict),
    .executableTarget(
      name: "show-diary", dependencies: ["Diary", healthKit, arguments], swiftSettings: strict),

    // MARK: The training diary, with tests in three styles.
    .target(
      name: "Training", dependencies: [healthKit, coreLocation], swiftSettings: strict),
    .target(name: "OlderTraining", dependencies: [healthKit], swiftSettings: older),
    .testTarget(
      name: "TrainingTests", dependencies: ["Training", healthKit, coreLocation, kit],
      swiftSettings: plain),
    .testTarget(
      name: "OlderTrainingTests", dependencies: ["OlderTraining", healthKit, kit],
      swiftSettings: older + onone),

    // MARK: The server.
    .target(
      name: "DayTotals",
      dependencies: [
        library("HealthQuery"), library("HealthSamples"), library("HealthStatistics"),
        library("HealthStore"), library("HealthUnits"), nio("NIOCore"), nio("NIOHTTP1"),
        nio("NIOPosix"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "serve-days",
      dependencies: ["DayTotals", library("HealthStore"), arguments], swiftSettings: strict),

    // MARK: Tests, with a store of a synthetic export.
    .target(
      name: "SampleExport",
      dependencies: [library("HealthExchange"), library("HealthStore")],
      path: "Tests/SampleExport", swiftSettings: plain),
    .testTarget(
      name: "DiaryTests",
      dependencies: [
        "Diary", "SampleExport", healthKit, "show-diary", library("generate-export"),
      ],
      swiftSettings: plain),
    .testTarget(
      name: "DayTotalsTests",
      dependencies: [
        "DayTotals", "SampleExport", "serve-days", library("HealthSamples"),
        library("HealthStore"), library("generate-export"), nio("NIOCore"), nio("NIOHTTP1"),
        nio("NIOPosix"),
      ],
      swiftSettings: plain),
  ]
)
