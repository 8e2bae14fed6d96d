// The dynamic library libhkstats: the functions of hkstats.h, and the program for launcher.c.
//
// A target of its own has the flags of the linker, which otherwise went to every product.
import Foundation
import HealthC
import hkstats

/// Runs the program `hkstats` with the arguments of this process, and ends the process.
///
/// No function of hkstats.h: only launcher.c calls it.
@c(hkstats_main)
public func main() -> Never {
  runProgram()
  exit(0)
}
