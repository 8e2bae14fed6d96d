"""Puts structures in capsules with the library's destructor and lets Python drop them.

    capsules.py LIBRARY    prints "schema array stream" when the interpreter ends
"""

import ctypes
import resource
import sys

library = ctypes.CDLL(sys.argv[1])
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
destructor = ctypes.cast(library.hkstats_capsule_destructor, ctypes.c_void_p)
kinds = {"schema": b"arrow_schema", "array": b"arrow_array", "stream": b"arrow_array_stream"}


def capsule(kind, name=None):
    make = getattr(library, f"make_{kind}")
    make.restype = ctypes.c_void_p
    pointer = make()
    return new_capsule(pointer, name or kinds[kind], destructor), pointer


for kind in kinds:
    before = library.released_count()
    for _ in range(1000):
        capsule(kind)
    assert library.released_count() == before + 1000, kind
    # A reader that takes the structure leaves nothing to release.
    held, pointer = capsule(kind)
    take = getattr(library, f"take_{kind}")
    take.argtypes = [ctypes.c_void_p]
    take(pointer)
    del held
    assert library.released_count() == before + 1000, kind

# Another name is another owner's, and an exception on its way stays.
before = library.released_count()
capsule("stream", b"another_name")
assert library.released_count() == before
try:
    held, _ = capsule("stream")
    raise KeyError("kept")
except KeyError as error:
    held = None
    assert error.args == ("kept",)
assert library.released_count() == before + 1

# Nothing is left of a million.
for _ in range(200_000):
    capsule("array")
resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for _ in range(800_000):
    capsule("array")
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - resident
assert grown < 8000, f"{grown} kB more"

library.say_so()
keep = [capsule(kind) for kind in kinds]
