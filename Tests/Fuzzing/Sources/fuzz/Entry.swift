import Foundation

/// What the environment variable `HKSTATS_FUZZ` names.
private let check: FuzzCheck = {
  let name = ProcessInfo.processInfo.environment["HKSTATS_FUZZ"] ?? ""
  guard let subject = FuzzSubject(rawValue: name) else {
    fatalError("HKSTATS_FUZZ is \(FuzzSubject.allCases.map(\.rawValue)), not “\(name)”")
  }
  do { return try FuzzCheck(of: subject) } catch { fatalError("\(error)") }
}()

/// The entry that libFuzzer calls with every input: it saves one that traps.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  do {
    try check.check(Array(UnsafeBufferPointer(start: data, count: size)))
  } catch {
    fatalError("\(error)")
  }
  return 0
}
