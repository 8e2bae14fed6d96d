// swift-tools-version: 6.2
import PackageDescription

// Build with the fuzzer's instrumentation:
//   swift build --package-path Tests/Fuzzing -c release --sanitize=fuzzer
// and run with a corpus and a time limit:
//   Tests/Fuzzing/.build/release/fuzz-units -max_total_time=60 -max_len=200 corpus
let package = Package(
  name: "fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "hkstats", path: "../..")],
  targets: [
    .executableTarget(
      name: "fuzz-units",
      dependencies: [.product(name: "HealthUnits", package: "hkstats")],
      // The fuzzer's run-time library brings `main`.
      swiftSettings: [.unsafeFlags(["-parse-as-library"])]),
    .executableTarget(
      name: "fuzz-readers",
      dependencies: [
        .product(name: "HealthExport", package: "hkstats"),
        .product(name: "HealthSamples", package: "hkstats"),
        .product(name: "HealthStore", package: "hkstats"),
      ],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])]),
  ]
)
