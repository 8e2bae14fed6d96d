# make demo    shows what hkstats does, on a sample export that it makes itself
# make test    passes all tests
# make lint    checks the style of the sources
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

.PHONY: help packages release demo test lint clean

help:
	@sed -n 's/^# //p' Makefile | head -5

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

test: packages
	swift build --build-tests $(CHECKS)
	swift test --skip-build

lint:
	swift format lint --strict -r --configuration .swift-format Package.swift Sources Tests Benchmarks

clean:
	rm -rf .build
