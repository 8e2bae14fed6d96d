// swift-tools-version: 6.2
import PackageDescription

// The one build with the fuzzer's instrumentation: `.ci/fuzz` makes and runs it. The tests of the
// package above run the same checks, without it.
let package = Package(
  name: "fuzzing",
  dependencies: [.package(name: "hkstats", path: "../..")],
  targets: [
    .executableTarget(
      name: "fuzz",
      dependencies: [
        .product(name: "HealthImport", package: "hkstats"),
        .product(name: "HealthSamples", package: "hkstats"),
        .product(name: "HealthStore", package: "hkstats"),
        .product(name: "HealthUnits", package: "hkstats"),
      ],
      path: "Sources", exclude: ["Seeds", "fuzz-seeds"], sources: ["Checks", "fuzz"],
      // The fuzzer's run-time library brings `main`.
      swiftSettings: [.unsafeFlags(["-parse-as-library"])])
  ]
)
