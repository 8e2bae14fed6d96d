# make demo    shows what hkstats does, on a sample export that it makes itself
# make install      puts the program, its manual page and completions, and the library for C below PREFIX
#                   (/usr/local); make install-program or install-library only the one or the other
# make uninstall    takes them away again
# make library      builds the library for C, with its header: .build/library
# make package      packs program and library as wheel, Debian package and folder: .build/packages
# make wheel        packs them for Python alone: Python/dist/*.whl
# make test    passes all tests
# make source-compatibility    builds and tests what apps write with import HealthKit alone
# make examples    builds and tests the example app and the server
# make lint    checks the style of the sources
# make docs    builds the documentation: .build/documentation
# make release      builds the program that make install installs: .build/release/hkstats
# make release-check VERSION=1.2.3    says whether this commit can become that version
# make soak    looks for rare failures, for some hours: each check of .ci/soak in its long form
# make pictures FOLDER=.build/pictures    draws the pages of hkstats report as a browser shows them
# make bench   measures every kernel beside its floor
# make bench-import SIZE="1GB 2GB"    measures imports end to end
# make bench-peers    measures other tools on the same samples and the same export
# make bench-saves    measures saves and deletions beside rows of SQLite
# make bench-store SCALE=0.1    measures what a store costs as it grows older
#
# Each installs the Debian packages that are missing, and says which.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# What the build needs besides Swift, and LAPACK, which analyses load.
PACKAGES := git libisal-dev liblapacke-dev libopenblas-dev libsqlite3-dev pkg-config

# One kind of build serves program, tests, benchmarks and examples, so that everything is compiled
# once, and the tests test what `make install` installs.
# A module is emitted with its code: a process of its own would check all of it a second time.
# What is installed is stripped, and information for debuggers takes a fifth of the time. Sources of C
# that name their own file name it without the folder of this machine. Several packages are built in one
# folder, and a plan that SwiftPM kept may be that of another.
FLAGS := -c release -Xswiftc -enable-testing -Xswiftc -no-emit-module-separately-wmo \
  -debug-info-format none --disable-build-manifest-caching \
  -Xcc -ffile-prefix-map=$(CURDIR)/= --explicit-target-dependency-import-check error
# The compiler's memory in large pages, where the system gives them to programs that ask: it compiles
# 3 to 6 % quicker.
SWIFT_BUILD := GLIBC_TUNABLES=glibc.malloc.hugetlb=1 swift build
RELEASE := .build/release
HKSTATS := $(RELEASE)/hkstats
LIBRARY := .build/library/libhkstats.so
LAUNCHER := .build/library/hkstats
TOOLCHAIN = "$$(dirname "$$(readlink -f "$$(command -v swift)")")"
SONAME := libhkstats.so.$(shell sed -n 's/^\#define HKSTATS_ABI_VERSION //p' Sources/CHKStats/include/hkstats.h)
VERSION_IN_SOURCES := $(shell sed -n 's/.* text = "\(.*\)"$$/\1/p' Sources/HealthExchange/Output/EngineVersion.swift)
EXTRAS := .build/extras

.PHONY: help packages pin flags benchmark-flags release build-tests library wheel package install \
  install-program install-extras install-library uninstall release-check demo test source-compatibility examples docs lint soak \
  pictures bench bench-build bench-versions bench-import bench-peers bench-saves bench-store clean

help:
	@sed -n '/^#/!q; s/^# //p' Makefile

packages:
	@missing=""; \
	for package in $(PACKAGES); do \
	  status=$$(dpkg-query -W -f='$${db:Status-Status}' $$package 2>/dev/null || true); \
	  if [ "$$status" != installed ]; then missing="$$missing $$package"; fi; \
	done; \
	if [ -n "$$missing" ]; then \
	  if ! command -v apt-get >/dev/null; then \
	    echo "There is no apt-get here. The build needs what Debian calls:$$missing" >&2; exit 1; \
	  fi; \
	  if [ "$$(id -u)" = 0 ]; then administrator=""; else administrator=sudo; fi; \
	  echo "Installing with apt-get:$$missing"; \
	  $$administrator apt-get update -qq; \
	  DEBIAN_FRONTEND=noninteractive $$administrator apt-get install -qq -y --no-install-recommends $$missing; \
	fi

# Other packages are built in the versions that are tested.
pin: packages
	@Tools/pin

# For the checks that build other packages with this one.
flags:
	@echo "$(FLAGS)"

SHARED = $(FLAGS) --package-path $(1) --scratch-path .build
BENCHMARKS = $(call SHARED,Benchmarks)

benchmark-flags:
	@echo "$(BENCHMARKS)"

release: pin
	$(SWIFT_BUILD) $(FLAGS) --target programs
	@test -x $(HKSTATS) -a -x $(RELEASE)/generate-export

# It has its own SQLite and library of C++, and does not need those that Swift's linker names. Debuggers
# read nothing of what is stripped, and hashes of Swift's modules tell two builds apart; GNU's strip would
# take away the segment RELRO with them. The launcher is the program: the library has its code.
library: PACKAGES += patchelf
library: pin $(LAUNCHER)
	@swift package dump-package | grep '"hkstats-c"' > /dev/null || \
	  { echo "The library needs Swift 6.3 or later; the program does not: make install-program" >&2; exit 1; }
	$(SWIFT_BUILD) $(FLAGS) --product hkstats-c
	mkdir -p $(dir $(LIBRARY))
	$(TOOLCHAIN)/llvm-objcopy --strip-unneeded --remove-section=.swift_modhash \
	  $(RELEASE)/libhkstats-c.so $(LIBRARY).new
	patchelf --remove-needed libsqlite3.so.0 --remove-needed libstdc++.so.6 $(LIBRARY).new
	mv $(LIBRARY).new $(LIBRARY)
	cp Sources/CHKStats/include/hkstats.h $(dir $(LIBRARY))

$(LAUNCHER): Sources/hkstats-library/launcher.c Sources/HealthExchange/Output/EngineVersion.swift \
    Sources/CHKStats/include/hkstats.h Makefile
	mkdir -p $(dir $@)
	$(TOOLCHAIN)/clang -O2 -Wall -Wextra -Werror -s -Wl,--build-id=none -Wl,-z,relro,-z,now \
	  -DHKSTATS_SONAME='"$(SONAME)"' -DHKSTATS_VERSION='"$(VERSION_IN_SOURCES)"' -o $@ $<

wheel: PACKAGES += advancecomp python3-venv
wheel: $(LIBRARY) $(LAUNCHER) $(EXTRAS)/hkstats.1 packages
	Python/build-wheel

# What the files contain, and how they are made, is in Docs.docc/Install.md.
package: PACKAGES += advancecomp dpkg-dev python3-venv
package: $(LIBRARY) $(LAUNCHER) $(EXTRAS)/hkstats.1 packages
	Tools/package

# Below PREFIX, and all of that below DESTDIR for packagers.
PREFIX := /usr/local
DESTDIR :=
SHARE := $(PREFIX)/share
INSTALLED := $(PREFIX)/bin/hkstats $(SHARE)/man/man1/hkstats.1 \
  $(SHARE)/bash-completion/completions/hkstats $(SHARE)/zsh/site-functions/_hkstats \
  $(SHARE)/fish/vendor_completions.d/hkstats.fish $(SHARE)/doc/hkstats/THIRD_PARTY.txt \
  $(PREFIX)/lib/libhkstats.so $(PREFIX)/lib/$(SONAME) $(PREFIX)/include/hkstats.h \
  $(PREFIX)/lib/pkgconfig/hkstats.pc

# Builds only what is missing or older than the sources, so that root need not have Swift.
SOURCES := Package.swift $(shell find Sources -type f)

$(HKSTATS): $(SOURCES)
	$(MAKE) release
	touch -c $@

$(LIBRARY): $(SOURCES) Makefile
	$(MAKE) library
	touch $@

$(EXTRAS)/hkstats.1: $(HKSTATS) Makefile
	mkdir -p $(EXTRAS)
	$(SWIFT_BUILD) $(FLAGS) --product generate-manual
	for shell in bash zsh fish; do \
	  $(HKSTATS) --generate-completion-script $$shell > $(EXTRAS)/completion.$$shell; \
	done
	$(RELEASE)/generate-manual $(HKSTATS) --output-directory $(EXTRAS) \
	  --date "$$(git log -1 --format=%cs 2>/dev/null || date +%F)"
	sed -i 's/^$$/.Pp/' $@

# With the library, the program is its launcher; by itself it has all code.
install: install-extras install-library $(LAUNCHER)
	install -D -m 755 $(LAUNCHER) $(DESTDIR)$(PREFIX)/bin/hkstats

install-program: install-extras
	install -D -m 755 -s $(HKSTATS) $(DESTDIR)$(PREFIX)/bin/hkstats

install-extras: $(EXTRAS)/hkstats.1
	install -D -m 644 $(EXTRAS)/hkstats.1 $(DESTDIR)$(SHARE)/man/man1/hkstats.1
	install -D -m 644 $(EXTRAS)/completion.bash \
	  $(DESTDIR)$(SHARE)/bash-completion/completions/hkstats
	install -D -m 644 $(EXTRAS)/completion.zsh $(DESTDIR)$(SHARE)/zsh/site-functions/_hkstats
	install -D -m 644 $(EXTRAS)/completion.fish \
	  $(DESTDIR)$(SHARE)/fish/vendor_completions.d/hkstats.fish
	install -D -m 644 Python/THIRD_PARTY.txt $(DESTDIR)$(SHARE)/doc/hkstats/THIRD_PARTY.txt

# The linker of the system finds a new library in a cache.
install-library: $(LIBRARY)
	install -D -m 644 $(LIBRARY) $(DESTDIR)$(PREFIX)/lib/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(PREFIX)/lib/libhkstats.so
	install -D -m 644 Sources/CHKStats/include/hkstats.h $(DESTDIR)$(PREFIX)/include/hkstats.h
	install -D -m 644 Python/THIRD_PARTY.txt $(DESTDIR)$(SHARE)/doc/hkstats/THIRD_PARTY.txt
	install -d $(DESTDIR)$(PREFIX)/lib/pkgconfig
	printf '%s\n' 'prefix=$(PREFIX)' 'Name: hkstats' \
	  'Description: Statistics over Apple Health data, merged as HealthKit merges it' \
	  'Version: $(VERSION_IN_SOURCES)' 'Cflags: -I$${prefix}/include' \
	  'Libs: -L$${prefix}/lib -lhkstats' > $(DESTDIR)$(PREFIX)/lib/pkgconfig/hkstats.pc
	if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then ldconfig; fi

uninstall:
	rm -f $(addprefix $(DESTDIR),$(INSTALLED))

release-check:
	.ci/check-release $(VERSION)

# The sample ends on the same day whenever it is made, so the demo shows the same numbers.
DEMO := .build/demo
SAMPLE := --seed 1 --years 2 --until 2026-11-01 --zone Europe/Paris
FORTNIGHT := --from 2026-10-18 --to 2026-11-01 --timezone Europe/Paris

demo: release
	@mkdir -p $(DEMO); rm -f $(DEMO)/store.sqlite
	@show() { printf '\n$$ %s\n' "$$*"; }; \
	export HKSTATS_STORE=$(DEMO)/store.sqlite; \
	show generate-export --out $(DEMO)/export.zip $(SAMPLE); \
	$(RELEASE)/generate-export --out $(DEMO)/export.zip $(SAMPLE); \
	show hkstats import $(DEMO)/export.zip; \
	$(HKSTATS) import $(DEMO)/export.zip; \
	show hkstats stats steps --by day $(FORTNIGHT); \
	echo "(beside the raw sum: --merge none)"; \
	paste -d, \
	  <($(HKSTATS) stats steps --by day $(FORTNIGHT) --format csv) \
	  <($(HKSTATS) stats steps --by day $(FORTNIGHT) --merge none --format csv) | \
	awk -F, 'NR == 1 { printf "%-10s  %7s  %7s\n", "day", "merged", "raw sum" } \
	  NR > 1 { printf "%s  %7.0f  %7.0f\n", substr($$1, 1, 10), $$3, $$11 }'; \
	show hkstats stats restingHeartRate --by week --timezone Europe/Paris --format chart; \
	$(HKSTATS) stats restingHeartRate --by week --timezone Europe/Paris --format chart; \
	show hkstats sources steps; \
	$(HKSTATS) sources steps; \
	show hkstats report --out $(DEMO)/report.html --with-samples; \
	$(HKSTATS) report --out $(DEMO)/report.html --force --timezone Europe/Paris --with-samples; \
	printf '\nThe report is a page for any browser: %s\n' $(DEMO)/report.html; \
	printf 'Ask on with: %s --help (the store is %s)\n' $(HKSTATS) $(DEMO)/store.sqlite

test:
	@echo "make test builds libraries, program and tests (11 to 34 minutes on 2 cores, once), then" \
	  "runs the tests (8 to 20)."
	@$(MAKE) --no-print-directory build-tests
	swift test $(FLAGS) --skip-build

build-tests: pin
	$(SWIFT_BUILD) $(FLAGS) --build-tests

# These packages share what the tests have built, and the versions of other packages. Where swift test
# builds, it adds a flag of its own, with which every module would be compiled again.
define test-beside
	cp Package.resolved $(1)/
	$(SWIFT_BUILD) $(call SHARED,$(1)) --build-tests
	swift test $(call SHARED,$(1)) --skip-build
endef

source-compatibility: pin
	$(call test-beside,Tests/SourceCompatibility)

examples: pin
	$(call test-beside,Examples)

docs soak: PACKAGES += python3
docs: pin
	$(SWIFT_BUILD) $(FLAGS)
	Tools/documentation

soak: pin
	$(SWIFT_BUILD) $(FLAGS)
	.ci/soak

FOLDER := .build/pictures

pictures: release
	.ci/check-page $(FOLDER)

# What is public in the sources has a sentence; in tests and benchmarks it need not.
lint:
	swift format lint --strict -p -r --configuration .swift-format Package.swift Sources Tests Tools Benchmarks \
	  Examples/Package.swift Examples/Sources Examples/Tests
	swift format lint --strict -p -r Sources --configuration \
	  "$$(sed 's/\("AllPublicDeclarationsHaveDocumentation" : \)false/\1true/' .swift-format)"

# The floors beside which we measure need expat and libxml2, and GNU time for peak memory.
bench bench-build bench-import bench-peers: PACKAGES += libexpat1-dev libxml2-dev time
bench bench-import bench-peers bench-saves bench-store: bench-versions

bench-versions: pin
	cp Package.resolved Benchmarks/

bench: bench-build
	$(RELEASE)/guards

bench-build: bench-versions
	$(SWIFT_BUILD) $(BENCHMARKS) --product guards

# SIZE may hold several, such as SIZE="1GB 2GB".
SIZE := 1GB

bench-import: release
	Benchmarks/import-end-to-end $(SIZE)

bench-peers: PACKAGES += python3-venv
bench-peers: release
	Benchmarks/Peers/run

bench-saves:
	$(SWIFT_BUILD) $(BENCHMARKS) --product saves
	$(RELEASE)/saves .build/saves-stores

SCALE := 1

bench-store:
	$(SWIFT_BUILD) $(BENCHMARKS) --product store-costs
	$(RELEASE)/store-costs .build/store-costs-stores --scale $(SCALE)

clean:
	rm -rf .build
