# The front door: "make help" lists what there is. Meson and Ninja do the work (meson.build).
# Needs git and make; tools/install.sh sees to the rest.

BUILD ?= build
PREFIX ?= /usr/local
DESTDIR ?=
MESON_FLAGS ?=
FUZZ_SECONDS ?= 60
SOAK_SECONDS ?= 600
PORT ?=

export BUILD PREFIX DESTDIR FUZZ_SECONDS SOAK_SECONDS PORT

.DEFAULT_GOAL := build
.PHONY: start stop test proof faults test-faults coverage build lint fuzz bench soak install clean help

help: ## this list
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

build: ## the programs, in build/ (a release build)
	@tools/install.sh build
	@tools/setup.sh $(BUILD) -Dtests=disabled -Dprefix=$(PREFIX) $(MESON_FLAGS)
	@ninja -C $(BUILD) --quiet

start: build ## start the daemon with a terminal and a sample plan, and print the page's URL
	@tools/start.sh

stop: ## end the daemon
	@tools/stop.sh

test: ## everything that proves it, under sanitizers (about a quarter of an hour)
	@tools/install.sh build lint test
	@tests/clients/install.sh
	@tools/test.sh

lint: ## format, include table, banned functions, length and complexity
	@tools/install.sh build lint
	@tools/lint.sh

faults: ## fail the 1st, 2nd, ... allocation and system call: no crash, leak or hang
	@tools/install.sh build test
	@tests/faults/run.sh

test-faults: faults

coverage: ## which lines the tests reach, per folder and file; at least 95 % of the protocol
	@tools/install.sh build lint test coverage
	@tests/clients/install.sh
	@tools/coverage.sh

proof: ## what takes hours: all tests on a bare machine, every fault, coverage, fuzzing, soak and kills
	@tools/install.sh build lint test coverage
	@tests/clients/install.sh
	@tools/proof.sh

fuzz: ## each fuzz target for FUZZ_SECONDS (60)
	@tools/install.sh build test
	@tools/fuzz.sh

bench: build ## speed as ratios to a program that does no work
	@bench/run.sh

soak: build ## mixed traffic of 24 clients for SOAK_SECONDS (600), then 200 kills at random points
	@tools/install.sh build test
	@tests/soak/run.sh
	@CHAOS_ROUNDS=$${CHAOS_ROUNDS:-200} tests/chaos/run.sh

install: build ## into PREFIX (/usr/local), below DESTDIR if given
	@meson install -C $(BUILD) --no-rebuild --quiet
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" != 0 ] || PATH="$$PATH:/usr/sbin:/sbin" ldconfig

clean: ## remove what was built
	rm -rf build build-asan build-tsan build-gcc build-fuzz build-coverage
