// The dynamic library libhkstats: the functions of hkstats.h, and nothing else.
//
// A target of its own has the flags of the linker, which otherwise went to every product.
import HealthC
