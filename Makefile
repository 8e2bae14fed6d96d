# make demo    shows what hkstats does, on a sample export that it makes itself
# make test    passes all tests
# make lint    checks the style of the sources
# make man     writes the manual pages to .build/man
# make bench   measures every kernel beside its floor
# make bench-import SIZE="1GB 2GB"    measures imports end to end
# make bench-peers    measures other tools on the same samples and the same export
#
# Each installs the Debian packages that are missing, and says which.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Everything that the build needs beside Swift.
PACKAGES := git libisal-dev liblapacke-dev libopenblas-dev libsqlite3-dev pkg-config

CHECKS := --explicit-target-dependency-import-check error
RELEASE := .build/release
HKSTATS := $(RELEASE)/hkstats

.PHONY: help packages release demo test lint man bench bench-import bench-peers clean

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

release: packages
	swift build -c release $(CHECKS) --product hkstats
	swift build -c release $(CHECKS) --product generate-export

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
	  NR > 1 { printf "%s  %7.0f  %7.0f\n", substr($$1, 1, 10), $$3, $$7 }'; \
	show hkstats stats restingHeartRate --by week --timezone Europe/Paris --format chart; \
	$(HKSTATS) stats restingHeartRate --by week --timezone Europe/Paris --format chart; \
	show hkstats sources steps; \
	$(HKSTATS) sources steps; \
	printf '\nAsk on with: %s --help (the store is %s)\n' $(HKSTATS) $(DEMO)/store.sqlite

test: packages
	swift build --build-tests $(CHECKS)
	swift test --skip-build

lint:
	swift format lint --strict -r --configuration .swift-format Package.swift Sources Tests Benchmarks

man: packages
	@mkdir -p .build/man
	swift package --allow-writing-to-directory .build/man generate-manual --output-directory .build/man

# The floors beside which we measure need expat and libxml2, and GNU time for peak memory.
bench bench-import bench-peers: PACKAGES += libexpat1-dev libxml2-dev time

bench: release
	Benchmarks/ratios

# SIZE may hold several, such as SIZE="1GB 2GB".
SIZE := 1GB

bench-import: release
	Benchmarks/import-end-to-end $(SIZE)

bench-peers: PACKAGES += python3-venv
bench-peers: release
	Benchmarks/Peers/run

clean:
	rm -rf .build Benchmarks/.build
