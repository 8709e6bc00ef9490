# Sluice. `make` lists what there is to do; `make demo` and `make test` need nothing but
# Node >= 20 and Go >= 1.26, and set up the rest themselves.

NODE := node_modules/.bin/node
INSTALLED := node_modules/.package-lock.json
GENERATED := proto/gen/events.d.ts
PROTOS := $(shell find proto -name '*.proto')

BUILDER := docker

# What a user gives on the command line goes to the programs as it stands, `$` included.
SETTINGS := RUN BEFORE PROBES PROBE_PORT CRD KEEP FILE MODE PLATFORM_TYPE AWS SECONDS \
	SCENARIO PLAN MUTANT KIND
$(foreach name,$(SETTINGS),$(eval override export $(name) := $$(value $(name))))

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test check up tools vectors bench simulate sieve model museum fuzz chaos rest chart bundle image proto deps

help: ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 18

demo: proto ## a cluster, its egress IPs and what befalls them; KEEP=1 leaves it up to play with
	@$(NODE) test/demo.ts

test: proto ## all checks and tests; the last line is `N passed, N failed`
	@$(NODE) test/run.ts

check: proto ## types, lint, format, protobuf lint and compatibility
	@$(NODE) test/run.ts --checks-only

up: proto ## control plane and rooms until Ctrl-C; RUN= BEFORE= PROBES=off PROBE_PORT= CRD=status MODE=shadow PLATFORM_TYPE= AWS=emulator
	@$(NODE) test/up.ts

tools: deps ## builds the servers that are missing; prints `name path` for each
	@$(NODE) test/controlplane/make-tools.ts

vectors: proto ## runs a file of test vectors: FILE=test/vectors/egressip.json
	@$(NODE) cli/vectors.ts "$$FILE"

simulate: proto ## the rooms under simulated faults: SEEDS=2000, or one alone: SEED= KEEP=
	@$(NODE) test/simulator/main.ts

sieve: proto ## one thing goes wrong at each point of each scenario; one alone: SCENARIO= PLAN=
	@$(NODE) test/simulator/sieve/main.ts

model: proto ## every small world of the assigner, judged by brute force; STATES=1000000
	@$(NODE) test/simulator/model/main.ts

museum: proto ## known bugs, put back in one by one: each must be caught; one alone: MUTANT=
	@$(NODE) test/simulator/museum/main.ts

fuzz: proto ## objects after the CRDs' schemas, sensible or not: SEQUENCES=500, or one alone: SEED=
	@$(NODE) test/simulator/fuzz/main.ts

chaos: proto ## real servers killed, frozen, restored, corrupted: ROUNDS=200 SEED= KIND=
	@$(NODE) test/chaos/main.ts

bench: proto ## measures placement at scale; leaves .bench/latest.json
	@$(NODE) --min-semi-space-size=8 --max-semi-space-size=8 test/bench/run.ts

rest: proto ## what the rooms cost while nothing happens: memory, CPU, sizes; SECONDS=30
	@$(NODE) test/bench/rest.ts

chart: proto ## makes the chart's values.schema.json and README.md anew
	@$(NODE) test/chart/generate.ts

bundle: deps ## the programs of the image, in dist/
	@sh tools/bundle.sh dist

image: ## the image sluice:VERSION, with docker or BUILDER=podman
	@$(BUILDER) build --tag "sluice:$$(sed -n 's/^appVersion: //p' helm/sluice/Chart.yaml)" .

proto: $(GENERATED) ## generates the code for protobuf when a .proto file has changed

$(GENERATED): $(PROTOS) proto/generate.sh $(INSTALLED)
	@echo 'generating the code for protobuf' >&2
	@PATH="$(CURDIR)/node_modules/.bin:$$PATH" sh proto/generate.sh && touch $@

deps: $(INSTALLED) ## installs the npm packages when the lock file has changed

# While npm works, Go fetches the modules of the tools that are not built yet.
$(INSTALLED): package-lock.json
	@echo 'installing the npm packages' >&2
	@sh tools/prefetch.sh & npm ci --no-progress >&2 && touch $@
