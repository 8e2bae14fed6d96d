// swift-tools-version: 6.2
import PackageDescription

// Benchmarks stand apart, so that a user of the library never fetches what they need.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

/// One suite: a folder per problem, in it our implementation, a naive one, and the floor.
func suite(_ folder: String, dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: folder + "Benchmarks",
    dependencies: dependencies + [
      "Samples", .product(name: "Benchmark", package: "benchmark"),
    ],
    path: folder, swiftSettings: strict,
    plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
}

func library(_ name: String) -> Target.Dependency { .product(name: name, package: "hkstats") }

let algorithms = Target.Dependency.product(name: "Algorithms", package: "swift-algorithms")

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "hkstats", path: ".."),
    .package(url: "https://github.com/apple/swift-algorithms", from: "1.2.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/ordo-one/benchmark.git", exact: "1.38.1", traits: []),
  ],
  targets: [
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
    suite("Units", dependencies: [library("HealthUnits")]),
    suite(
      "Objects",
      dependencies: [library("HealthKit"), library("HealthSamples"), library("HealthUnits")]),
    suite("Merge", dependencies: [algorithms, library("HealthSamples"), library("HealthMerge")]),
    suite("Statistics", dependencies: []),
    .executableTarget(
      name: "statistics-scaling", dependencies: ["Samples"], path: "StatisticsScaling",
      swiftSettings: strict),
    suite(
      "Import",
      dependencies: ["Floors", library("HealthExport"), library("HealthStore")]),
    suite(
      "Text",
      dependencies: [
        "Floors", library("HealthExchange"), library("HealthSamples"), library("HealthStore"),
      ]),
    .executableTarget(
      name: "peer-columns",
      dependencies: [
        "Samples", library("HealthMerge"), library("HealthQuery"), library("HealthSamples"),
        library("HealthStatistics"), library("HealthUnits"),
      ],
      path: "PeerColumns", swiftSettings: strict),
    .executableTarget(
      name: "store-scale",
      dependencies: [
        "Samples", library("HealthSamples"), library("HealthMerge"),
        library("HealthStatistics"), library("HealthStore"), library("HealthQuery"),
      ], path: "StoreScale", swiftSettings: strict),
    .executableTarget(
      name: "ten-years",
      dependencies: [
        "Samples", library("HealthSamples"), library("HealthStore"), library("HealthUnits"),
      ], path: "TenYears", swiftSettings: strict),
    .executableTarget(
      name: "saves",
      dependencies: [
        "Samples", .product(name: "GRDB", package: "GRDB.swift"), library("HealthSamples"),
        library("HealthMerge"), library("HealthStatistics"), library("HealthStore"),
        library("HealthQuery"),
      ], path: "Saves", swiftSettings: strict),
    .executableTarget(
      name: "facade",
      dependencies: [
        "Samples", library("HealthKit"), library("HealthQuery"), library("HealthSamples"),
        library("HealthStatistics"), library("HealthStore"),
      ], path: "Facade", swiftSettings: strict),
    .executableTarget(
      name: "import-floor", dependencies: ["Floors"], path: "ImportFloor", swiftSettings: strict),
  ]
)
