import Foundation
import HealthExchange
import HealthStore
import Synchronization
import Testing
import _HealthFuzzing
import _HealthTestSupport

@testable import hkstats

@Suite("Randomly broken exports")
struct BrokenExportTests {
  /// The files that are broken, the largest share of them exports of every profile and version.
  private static let whole = Result {
    try MadeExport.all().flatMap { [Breakable("xml", $0.main), Breakable($0.entries)] }
      + [.json, .csv, .connect].flatMap { try FuzzSeeds.made(for: $0) }
  }

  private static let environment = ProcessInfo.processInfo.environment
  private static let seed =
    environment["HKSTATS_SEED"].flatMap { UInt64($0) }
    ?? (Soak.isLong ? .random(in: 0...9999) : 1)
  private static let tally = Mutex(SoakTally())
  /// How many imports a part has: a part is a test, so that there is work for each core.
  private static let partCount = Soak.isLong ? 1000 : 40
  /// One import of how many is one of the program.
  private static let importsForProgram = Soak.isLong ? 20 : 10
  private static let mostBytes = 400_000_000

  @Test(
    "An import of one is done or refused; what was in the store stays, and nothing lies beside it",
    arguments: 0..<(Soak.isLong ? 8 : 4))
  func imports(part: Int) throws {
    let whole = try Self.whole.get()
    let base = try Base()
    for index in part * Self.partCount..<(part + 1) * Self.partCount {
      var generator = SplitMix64(seed: Self.seed << 32 + UInt64(index))
      // Neighbours are of different kinds, and each part has some of all.
      let file = whole[(index * 7) % whole.count]
      let broken = file.broken(using: &generator)
      let name = "HKSTATS_SEED=\(Self.seed), import \(index) (.\(file.suffix))"
      let end = try Self.importBroken(
        broken, "broken." + file.suffix, into: base, name,
        byProgram: index % Self.importsForProgram == 0)
      Self.tally.withLock { $0.add(bytes: broken.count, end: end) }
    }
    if Soak.isLong {
      print(Self.tally.withLock { $0.line("broken exports of seed \(Self.seed)") })
    }
  }

  /// A store that holds an export.
  private struct Base {
    let folder: TemporaryFolder
    let export: String
    let store: String

    init() throws {
      folder = try TemporaryFolder()
      let options = ["--years", "0.005", "--seed", "9", "--until", "2026-10-30"]
      export = try folder.write(try MadeExport("base", options).main, to: "base.xml")
      store = folder.path + "/base.sqlite"
      #expect(try read(export, into: store) > 100)
    }

    /// Imports a file and gives the number of what is new.
    func read(_ path: String, into store: String, isDryRun: Bool = false) throws -> Int {
      let result = try ImportPipeline(path: path, isDryRun: isDryRun).run(
        into: { () throws(StoreError) in try SampleStore(path: store, mode: .readWrite) },
        isCancelled: { false }, progress: { _ in })
      return result.report.types.values.reduce(0) { $0 + $1.new }
        + result.report.elements.values.reduce(0) { $0 + $1.new }
    }
  }

  /// Imports into a copy of the store and gives how that ended.
  private static func importBroken(
    _ bytes: [UInt8], _ fileName: String, into base: Base, _ name: String, byProgram: Bool
  ) throws -> String {
    let folder = try TemporaryFolder()
    let path = try folder.write(bytes, to: fileName)
    let store = folder.path + "/store.sqlite"
    try FileManager.default.copyItem(atPath: base.store, toPath: store)
    let end: String
    if byProgram {
      let measured = try MeasuredRun(["import", path, "--store", store])
      let run = measured.run
      #expect([0, 65].contains(run.exitCode), "\(name): \(run.exitCode) \(run.errors)")
      #expect(
        run.exitCode == 0 || run.errors.hasPrefix("hkstats: "), "\(name): \(run.errors)")
      #expect(1..<mostBytes ~= measured.peakBytes, "\(name): \(measured.peakBytes) bytes")
      end = "ended with \(run.exitCode)"
    } else {
      do {
        _ = try base.read(path, into: store)
        end = "imported"
      } catch let error as ImportError {
        #expect(Failure(error)?.exitCode == .badData, "\(name): \(error)")
        end = "refused"
      }
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(files == [fileName, "store.sqlite"], "\(name)")
    #expect(throws: Never.self, "\(name)") {
      try SampleStore(path: store, mode: .readOnly).verify()
    }
    #expect(try base.read(base.export, into: store, isDryRun: true) == 0, "\(name)")
    return end
  }
}
