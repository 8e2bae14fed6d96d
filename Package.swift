// swift-tools-version: 6.2
import PackageDescription

// Warnings are errors where .ci/run and CONTRIBUTING.md say so: a newer compiler, which warns of more,
// still builds this package for its clients.
let strict: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
  ]
  + (Context.environment["HKSTATS_WARNINGS"] == "errors" ? [.treatAllWarnings(as: .error)] : [])

// Tests and the command compile in a third of the time without optimisation. What they call is
// optimised: a loop over samples, cells or characters stands in a module below. LLVM's own check of
// what it gets is left out.
let plain = strict + [.unsafeFlags(["-Onone", "-Xfrontend", "-disable-llvm-verify"])]

func onLinux(_ target: String) -> Target.Dependency {
  .target(name: target, condition: .when(platforms: [.linux]))
}

// With what Foundation's static archives name but do not contain.
let staticLibraries = [
  "-static-stdlib", "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCShims",
  "-l_FoundationCollections",
]

// Only the functions of the header and the program are exported. SQLite is the library's own: another
// one in the process must not see it. So are the libraries of C++ and of its compiler, which a system
// may have in an older version.
let libraryFlags =
  ["-use-ld=lld"]
  + [
    "--version-script=\(Context.packageDirectory)/Sources/hkstats-library/exports.map", "-O2",
    "-soname=libhkstats.so.2", "--icf=safe", "-z", "nodelete", "-z", "pack-relative-relocs",
    "--whole-archive",
    "-l:libsqlite3.a", "-l:libstdc++.a", "--no-whole-archive",
  ].flatMap { ["-Xlinker", $0] } + ["-Xclang-linker", "-static-libgcc"]

let package = Package(
  name: "hkstats",
  products: [
    .library(name: "HealthEngine", targets: ["HealthEngine"]),
    .library(name: "HealthKit", targets: ["HealthKit"]),
    .library(name: "HealthKitTesting", targets: ["HealthKitTesting"]),
    .library(name: "HealthKitSignatures", targets: ["HealthKitSignatures"]),
    .library(name: "HealthKitFixtures", targets: ["HealthKitFixtures"]),
    .library(name: "CoreLocation", targets: ["CoreLocation"]),
    .library(name: "HealthUnits", targets: ["HealthUnits"]),
    .library(name: "HealthSamples", targets: ["HealthSamples"]),
    .library(name: "HealthMerge", targets: ["HealthMerge"]),
    .library(name: "HealthStatistics", targets: ["HealthStatistics"]),
    .library(name: "HealthAnalysis", targets: ["HealthAnalysis"]),
    .library(name: "HealthImport", targets: ["HealthImport"]),
    .library(name: "HealthStore", targets: ["HealthStore"]),
    .library(name: "HealthQuery", targets: ["HealthQuery"]),
    .library(name: "HealthAnswers", targets: ["HealthAnswers"]),
    .library(name: "HealthExchange", targets: ["HealthExchange"]),
    .library(name: "HealthReport", targets: ["HealthReport"]),
    .library(name: "HealthSignatures", targets: ["HealthSignatures"]),
    .executable(name: "hkstats", targets: ["hkstats-program"]),
    .executable(name: "generate-export", targets: ["generate-export"]),
  ],
  traits: [
    .trait(
      name: "AppleDeprecations",
      description: "Warns of what Apple's SDK deprecates, as on its platforms")
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.4"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // MARK: The core, in the order in which it reads: each may import only what stands above it.
    // A program of units alone imports nothing else that would link the C library's mathematics.
    .target(name: "CKernels", linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .target(name: "_HealthNumerics", dependencies: ["CKernels"], swiftSettings: strict),
    .target(
      name: "HealthUnits", dependencies: ["CKernels", "_HealthNumerics"], swiftSettings: strict),
    .target(
      name: "HealthSamples",
      dependencies: ["CKernels", "_HealthNumerics", "HealthUnits"],
      swiftSettings: strict),
    .target(
      name: "HealthMerge", dependencies: ["_HealthNumerics", "HealthSamples"],
      swiftSettings: strict),
    .target(
      name: "HealthStatistics",
      dependencies: ["CKernels", "_HealthNumerics", "HealthSamples"],
      swiftSettings: strict),

    // MARK: The edges: files, the database, the calendar, LAPACK (loaded when it is called).
    .target(name: "CFiles"),
    .target(
      name: "CSealing", dependencies: [.product(name: "GRDBSQLite", package: "GRDB.swift")]),
    .systemLibrary(name: "CISAL", pkgConfig: "libisal", providers: [.apt(["libisal-dev"])]),
    .target(name: "CLAPACK"),
    .target(
      name: "HealthAnalysis",
      dependencies: [
        "CKernels", "CLAPACK", "_HealthNumerics", "HealthSamples", "HealthStatistics",
      ],
      swiftSettings: strict),
    .target(
      name: "HealthImport",
      dependencies: [
        "HealthUnits", "HealthSamples", "CFiles", "CISAL",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    // The law of history, without a store.
    .target(
      name: "HealthLedger", dependencies: ["_HealthNumerics", "HealthUnits", "HealthSamples"],
      swiftSettings: strict),
    .target(
      name: "HealthStore",
      dependencies: [
        "_HealthNumerics", "HealthUnits", "HealthSamples", "HealthLedger", "CFiles", "CSealing",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .target(
      name: "HealthQuery",
      dependencies: [
        "_HealthNumerics", "HealthUnits", "HealthSamples", "HealthMerge", "HealthStatistics",
        "HealthStore",
      ],
      swiftSettings: strict),
    .target(
      name: "HealthAnswers",
      dependencies: [
        "_HealthNumerics", "HealthUnits", "HealthSamples", "HealthMerge", "HealthStatistics",
        "HealthAnalysis", "HealthStore", "HealthQuery",
      ],
      swiftSettings: strict),
    .target(
      name: "HealthExchange",
      dependencies: [
        "CFiles", "_HealthNumerics", "HealthUnits", "HealthSamples", "HealthMerge",
        "HealthStatistics", "HealthAnalysis", "HealthImport", "HealthStore", "HealthQuery",
        "HealthAnswers",
      ],
      swiftSettings: strict),

    // MARK: The page that people look at.
    .target(name: "CPage", exclude: ["page.css", "page.js", "words.tsv"]),
    .target(
      name: "HealthReport",
      dependencies: [
        "CPage", "HealthUnits", "HealthSamples", "HealthMerge", "HealthStatistics",
        "HealthAnalysis", "HealthStore", "HealthQuery", "HealthAnswers", "CISAL",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: strict),

    .target(
      name: "HealthSignatures",
      dependencies: [
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
      ],
      swiftSettings: strict),

    // MARK: One import for all of it.
    .target(
      name: "HealthEngine",
      dependencies: [
        "HealthUnits", "HealthSamples", "HealthMerge", "HealthStatistics", "HealthAnalysis",
        "HealthImport", "HealthStore", "HealthQuery", "HealthAnswers", "HealthExchange",
      ],
      swiftSettings: strict),

    // MARK: Apple's vocabulary over it.
    .target(
      name: "HealthKit",
      dependencies: [
        "HealthUnits", "HealthSamples", "HealthMerge", "HealthStatistics", "HealthStore",
        "HealthQuery",
      ],
      swiftSettings: strict),
    .target(
      name: "HealthKitSignatures", dependencies: ["HealthKit", "HealthSignatures"],
      swiftSettings: strict),

    // Core Location's names for its places: apart, because an app's target that does not depend on it
    // must not find it.
    .target(name: "CoreLocation", dependencies: ["HealthKit"], swiftSettings: strict),

    // The kit for tests of apps: it imports Swift Testing and XCTest. On Apple's platforms it is a
    // stub beside Apple's HealthKit, and needs nothing of this package.
    .target(name: "HealthKitTesting", dependencies: [onLinux("HealthKit")], swiftSettings: strict),

    // MARK: The command, as a library for its tests, and the program.
    .target(
      name: "hkstats",
      dependencies: [
        "_HealthNumerics", "HealthUnits", "HealthSamples", "HealthMerge", "HealthStatistics",
        "HealthAnalysis", "HealthImport", "HealthStore", "HealthQuery", "HealthAnswers",
        "HealthExchange", "HealthReport", "HealthSignatures",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: plain),
    // The program holds the Swift libraries itself, so it runs where no Swift is. Its modules are
    // those of the tests: only the link differs.
    .executableTarget(
      name: "hkstats-program", dependencies: ["hkstats"], swiftSettings: strict,
      linkerSettings: [.unsafeFlags(staticLibraries, .when(platforms: [.linux]))]),

    // MARK: Tools: test equipment.
    .target(
      name: "ExportGenerator",
      dependencies: ["CISAL", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      path: "Tools/ExportGenerator", swiftSettings: strict),
    .executableTarget(
      name: "generate-export",
      dependencies: [
        "ExportGenerator", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tools/generate-export", swiftSettings: strict),
    // The kit's fixtures of exports and made-up people, apart: they take longer to build.
    .target(
      name: "HealthKitFixtures",
      dependencies: [
        "HealthKitTesting", onLinux("HealthKit"), onLinux("HealthSamples"), onLinux("HealthStore"),
        onLinux("HealthExchange"), onLinux("ExportGenerator"),
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(platforms: [.linux])),
      ],
      swiftSettings: strict),
    // One plan of the build makes both programs, side by side: swift build --target programs.
    .target(
      name: "programs", dependencies: ["hkstats-program", "generate-export"],
      path: "Tools/programs", swiftSettings: strict),

    .executableTarget(
      name: "store-trials",
      dependencies: [
        "HealthSamples", "HealthMerge", "HealthStatistics", "HealthStore", "HealthQuery",
        "HealthAnswers", "_HealthTestSupport",
      ],
      path: "Tools/store-trials", swiftSettings: strict),

    // MARK: Tests: one target per module, the slow oracles and seeded generators in one place.
    .target(
      name: "_HealthTestSupport",
      dependencies: ["_HealthNumerics", "HealthUnits", "HealthSamples", "CISAL"],
      path: "Tests/_HealthTestSupport", exclude: ["References"], swiftSettings: strict),
    // Whole stores, thing by thing.
    .target(
      name: "_HealthStoreSupport", dependencies: ["HealthSamples", "HealthStore"],
      path: "Tests/_HealthStoreSupport", swiftSettings: strict),
    // What the suite replays, libFuzzer looks for.
    .target(
      name: "_HealthFuzzing",
      dependencies: [
        "HealthUnits", "HealthSamples", "HealthImport", "HealthStore", "ExportGenerator",
        "_HealthTestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Tests/Fuzzing/Sources", exclude: ["fuzz", "fuzz-seeds"],
      sources: ["Checks", "Seeds"], swiftSettings: strict),
    .executableTarget(
      name: "fuzz-seeds", dependencies: ["_HealthFuzzing"],
      path: "Tests/Fuzzing/Sources/fuzz-seeds", swiftSettings: strict),
    .testTarget(
      name: "_HealthNumericsTests", dependencies: ["_HealthNumerics", "_HealthTestSupport"],
      swiftSettings: plain),
    .testTarget(
      name: "HealthUnitsTests",
      dependencies: ["_HealthNumerics", "HealthUnits", "_HealthFuzzing", "_HealthTestSupport"],
      swiftSettings: plain),
    .testTarget(
      name: "HealthSamplesTests",
      dependencies: ["_HealthNumerics", "HealthUnits", "HealthSamples", "_HealthTestSupport"],
      swiftSettings: plain),
    .testTarget(
      name: "HealthMergeTests",
      dependencies: ["HealthSamples", "HealthMerge", "_HealthTestSupport"],
      swiftSettings: plain),
    .testTarget(
      name: "HealthStatisticsTests",
      dependencies: [
        "_HealthNumerics", "HealthUnits", "HealthSamples", "HealthMerge", "HealthStatistics",
        "_HealthTestSupport",
      ],
      swiftSettings: plain),
    .testTarget(
      name: "HealthAnalysisTests",
      dependencies: [
        "_HealthNumerics", "HealthSamples", "HealthMerge", "HealthStatistics", "HealthAnalysis",
        "_HealthTestSupport",
      ],
      swiftSettings: plain),
    .testTarget(
      name: "HealthImportTests",
      dependencies: [
        "HealthUnits", "HealthSamples", "HealthImport", "CISAL", "_HealthFuzzing",
        "_HealthTestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: plain),
    .testTarget(
      name: "HealthLedgerTests",
      dependencies: ["HealthSamples", "HealthLedger", "_HealthTestSupport"],
      swiftSettings: plain),
    .testTarget(
      name: "HealthStoreTests",
      dependencies: [
        "HealthUnits", "HealthSamples", "HealthLedger", "HealthStore", "_HealthTestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: plain),
    .testTarget(
      name: "HealthQueryTests",
      dependencies: [
        "_HealthNumerics", "HealthUnits", "HealthSamples", "HealthMerge", "HealthStatistics",
        "HealthStore", "HealthQuery", "_HealthTestSupport",
      ],
      swiftSettings: plain),
    .testTarget(
      name: "HealthAnswersTests",
      dependencies: [
        "_HealthNumerics", "HealthUnits", "HealthSamples", "HealthMerge", "HealthStatistics",
        "HealthAnalysis", "HealthStore", "HealthQuery", "HealthAnswers", "_HealthTestSupport",
      ],
      swiftSettings: plain),
    .testTarget(
      name: "HealthExchangeTests",
      dependencies: [
        "_HealthNumerics", "HealthUnits", "HealthSamples", "HealthMerge", "HealthStatistics",
        "HealthImport", "HealthStore", "HealthQuery", "HealthAnswers", "HealthExchange",
        "ExportGenerator", "_HealthStoreSupport", "_HealthTestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: plain),
    .testTarget(
      name: "HealthReportTests",
      dependencies: [
        "CPage", "HealthSamples", "HealthStore", "HealthQuery", "HealthAnswers", "HealthReport",
        "_HealthTestSupport",
      ],
      swiftSettings: plain),
    .testTarget(
      name: "HealthSignaturesTests",
      dependencies: [
        "HealthSignatures", "_HealthTestSupport",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
      ],
      swiftSettings: plain),
    .testTarget(
      name: "HealthKitTests",
      dependencies: [
        "_HealthNumerics", "HealthUnits", "HealthSamples", "HealthMerge", "HealthStatistics",
        "HealthImport", "HealthStore", "HealthQuery", "HealthKit", "_HealthTestSupport",
      ],
      swiftSettings: plain),
    .testTarget(
      name: "HealthKitSignaturesTests",
      dependencies: [
        "HealthKit", "HealthKitSignatures", "HealthSignatures", "_HealthTestSupport",
      ],
      swiftSettings: plain),
    .testTarget(
      name: "HealthKitTestingTests", dependencies: ["HealthKit", "HealthKitTesting"],
      swiftSettings: plain),
    .testTarget(
      name: "HealthKitFixturesTests",
      dependencies: ["HealthKit", "HealthKitTesting", "HealthKitFixtures"], swiftSettings: plain),
    .testTarget(
      name: "hkstatsTests",
      dependencies: [
        "_HealthNumerics", "HealthUnits", "HealthSamples", "HealthMerge", "HealthStatistics",
        "HealthImport", "HealthStore", "HealthQuery", "HealthAnswers", "HealthExchange",
        "HealthSignatures", "hkstats", "ExportGenerator", "generate-export",
        "_HealthFuzzing", "_HealthStoreSupport", "_HealthTestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: plain),
    .testTarget(
      name: "ExportGeneratorTests",
      dependencies: [
        "ExportGenerator", "_HealthTestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: plain),
  ]
)

// The attribute that lets the compiler check functions against a header of C is of Swift 6.3.
#if compiler(>=6.3)
package.products.append(
  .library(name: "hkstats-c", type: .dynamic, targets: ["hkstats-library"]))
package.targets += [
  // MARK: The engine as columns of Arrow, behind a C interface.
  .target(
    name: "CHKStats", dependencies: [.product(name: "GRDBSQLite", package: "GRDB.swift")],
    linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
  .target(
    name: "HealthC",
    dependencies: [
      "CHKStats", "_HealthNumerics", "HealthUnits", "HealthSamples", "HealthMerge",
      "HealthStatistics", "HealthAnalysis", "HealthStore", "HealthQuery", "HealthAnswers",
      "HealthExchange",
    ],
    swiftSettings: strict),
  .target(
    name: "hkstats-library", dependencies: ["HealthC", "hkstats"],
    exclude: ["exports.map", "launcher.c"],
    swiftSettings: strict,
    linkerSettings: [.unsafeFlags(staticLibraries + libraryFlags, .when(platforms: [.linux]))]),
  .testTarget(
    name: "HealthCTests",
    dependencies: [
      "CHKStats", "HealthC", "HealthSamples", "HealthStore", "HealthQuery", "HealthAnswers",
      "HealthExchange", "_HealthTestSupport",
    ],
    swiftSettings: plain),
]
#endif
