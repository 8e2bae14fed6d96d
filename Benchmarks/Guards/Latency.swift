import Foundation
import Harness
import HealthKit
import Synchronization

/// How long after a save an observer's handler is called, in this process and in another: printed,
/// since that is time on the wall, which a busy machine makes longer.
struct Latency {
  let folder: String
  private static let changes = 100

  private var path: String { folder + "/changes.sqlite" }

  /// The clock of all processes of the machine, in nanoseconds.
  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  func measure() async throws {
    let store = try await Facade.allowedStore(path)
    // Another app, which may read.
    let reader = HKHealthStore(host: Facade.host(path, app: "com.example.observer"))
    try await reader.requestAuthorization(toShare: [], read: [HKQuantityType(.heartRate)])

    let (calls, continuation) = AsyncStream<UInt64>.makeStream()
    let query = Self.query { continuation.yield(Self.now) }
    reader.execute(query)
    try await measure("one process", store, calls)
    reader.stop(query)

    let child = Process()
    child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    child.arguments = ["--observe", folder]
    let output = Pipe()
    child.standardOutput = output
    try child.run()
    defer { child.terminate() }
    let (lines, told) = AsyncStream<UInt64>.makeStream()
    let reading = Thread {
      var text = Data()
      while true {
        let bytes = output.fileHandleForReading.availableData
        guard !bytes.isEmpty else { return told.finish() }
        text += bytes
        while let end = text.firstIndex(of: 10) {
          if let time = UInt64(String(decoding: text[..<end], as: UTF8.self)) { told.yield(time) }
          text = text[text.index(after: end)...]
        }
      }
    }
    reading.start()
    try await measure("another process", store, lines)
  }

  /// Observes until the process is ended.
  static func observe(in folder: String) async throws {
    let host = Facade.host(folder + "/changes.sqlite", app: "com.example.observer")
    let reader = HKHealthStore(host: host)
    reader.execute(
      query { FileHandle.standardOutput.write(Data("\(now)\n".utf8)) })
    try await Task.sleep(for: .seconds(3600))
  }

  private static func query(_ body: @escaping @Sendable () -> Void) -> HKObserverQuery {
    HKObserverQuery(sampleType: HKQuantityType(.heartRate), predicate: nil) {
      _, completion, error in
      if error == nil { body() }
      completion()
    }
  }

  private func measure(
    _ name: String, _ store: HKHealthStore, _ calls: AsyncStream<UInt64>
  ) async throws {
    var calls = calls.makeAsyncIterator()
    // The first call says that the query has begun.
    _ = await calls.next()
    let unit = HKUnit.count().unitDivided(by: .minute())
    let date = Date(timeIntervalSinceReferenceDate: 800_000_000)
    var (fromStart, fromEnd): ([Double], [Double]) = ([], [])
    for change in 0..<Self.changes {
      let sample = HKQuantitySample(
        type: HKQuantityType(.heartRate),
        quantity: HKQuantity(unit: unit, doubleValue: Double(60 + change % 60)), start: date,
        end: date)
      let start = Self.now
      try await store.save(sample)
      let end = Self.now
      guard let call = await calls.next() else { break }
      fromStart.append(Double(call - start) / 1e9)
      // The handler may be called before the save has told its completion.
      fromEnd.append(max(0, Double(Int64(call) - Int64(end)) / 1e9))
      // Without a pause two saves may lead to one call.
      try await Task.sleep(for: .milliseconds(2))
    }
    for (moment, times) in [("the call of save", fromStart), ("its completion", fromEnd)] {
      let (middle, last) = (Times(times).median * 1e3, Times(times).percentile(99) * 1e3)
      print(
        "observer in \(name), from \(moment): median \(Line.number(middle, "ms")), "
          + "99 of 100 within \(Line.number(last, "ms"))")
    }
  }
}
