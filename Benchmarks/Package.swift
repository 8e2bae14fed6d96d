// swift-tools-version: 6.2
import PackageDescription

// Benchmarks stand apart, so that neither users nor tests of the library need expat and libxml2.
// `make bench` builds them into the scratch folder of the tests, with what those have compiled.

let strict: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
  ]
  + (Context.environment["HKSTATS_WARNINGS"] == "errors" ? [.treatAllWarnings(as: .error)] : [])

func library(_ name: String) -> Target.Dependency { .product(name: name, package: "hkstats") }

/// A program that a user of the benchmarks runs.
func program(_ name: String, path: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

let algorithms = Target.Dependency.product(name: "Algorithms", package: "swift-algorithms")

let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(name: "hkstats", path: ".."),
    .package(url: "https://github.com/apple/swift-algorithms", from: "1.2.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // MARK: What programs share.
    .target(name: "Harness", path: "Harness", swiftSettings: strict),
    .target(
      name: "Samples",
      dependencies: [
        algorithms, library("HealthMerge"), library("HealthQuery"), library("HealthSamples"),
        library("HealthStatistics"), library("HealthUnits"),
      ],
      path: "Samples", swiftSettings: strict),
    .systemLibrary(
      name: "CLibXML2", path: "CLibXML2", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"])]),
    .target(
      name: "Floors", dependencies: ["CLibXML2"], path: "Floors",
      linkerSettings: [.linkedLibrary("expat")]),
    program("import-floor", path: "ImportFloor", ["Floors", "Harness"]),

    // MARK: The guards of `make bench`. Kernels run with the instruction set that they name.
    .target(name: "InstructionSets", path: "InstructionSets"),
    .executableTarget(
      name: "guards",
      dependencies: [
        "Harness", "InstructionSets", "Samples", "Floors", algorithms, library("HealthExchange"),
        library("HealthImport"), library("HealthKit"), library("HealthMerge"),
        library("HealthQuery"), library("HealthSamples"), library("HealthStatistics"),
        library("HealthStore"), library("HealthUnits"), "import-floor", library("hkstats"),
        library("generate-export"),
      ],
      path: "Guards", swiftSettings: strict,
      linkerSettings: [.unsafeFlags(["-Xlinker", "--wrap=hk_best_instruction_set"])]),

    // MARK: Long forms, run by hand.
    program("statistics-scaling", path: "StatisticsScaling", ["Harness", "Samples"]),
    program(
      "peer-columns", path: "PeerColumns",
      [
        "Harness", "Samples", library("HealthMerge"), library("HealthQuery"),
        library("HealthSamples"), library("HealthStatistics"), library("HealthUnits"),
      ]),
    program(
      "store-scale", path: "StoreScale",
      [
        "Harness", "Samples", library("HealthMerge"), library("HealthQuery"),
        library("HealthSamples"), library("HealthStatistics"), library("HealthStore"),
      ]),
    program(
      "ten-years", path: "TenYears",
      [
        "Harness", "Samples", library("HealthSamples"), library("HealthStore"),
        library("HealthUnits"),
      ]),
    program(
      "store-costs", path: "StoreCosts",
      [
        "Harness", "Samples", .product(name: "GRDB", package: "GRDB.swift"),
        library("HealthMerge"), library("HealthQuery"), library("HealthSamples"),
        library("HealthStatistics"), library("HealthStore"),
      ]),
    program("decomposition", path: "Decomposition", ["Harness", library("HealthAnalysis")]),
    program("relations", path: "Relations", ["Harness", library("HealthAnalysis")]),
    program("relation-alarms", path: "RelationAlarms", ["Harness", library("HealthAnalysis")]),
    program(
      "saves", path: "Saves",
      [
        "Harness", "Samples", .product(name: "GRDB", package: "GRDB.swift"),
        library("HealthMerge"), library("HealthQuery"), library("HealthSamples"),
        library("HealthStatistics"), library("HealthStore"),
      ]),
  ]
)
