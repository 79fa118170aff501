# Two commands: `make demo` and `make test`. Both install what they need into .venv.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

# What uses the compiled modules. These tests run once more without them, except for slow ones: a million blocks take
# minutes in pure Python.
UNCOMPILED := tests/page tests/sift tests/api tests/test_floors.py

# Plain `pytest` leaves out slow tests and tries fewer Hypothesis examples.
EVERYTHING := -m "slow or not slow" --hypothesis-profile=full --timeout=1800
# Plain `pytest` runs in one process. The suite runs in three, because some tests wait for a time limit or a browser. A file
# is the unit: what its fixtures start, they start once. Files with slow tests come first (tests/conftest.py).
PARALLEL := -n 3 --dist loadfile --no-loadscope-reorder

.PHONY: demo test coverage test-engines test-minimum java kernels sanitize fuzz lint types bench floors gallery docs \
  release-check chromium system-packages clean
.DELETE_ON_ERROR:

# The extras that the suite tests; Spark, Ray and DataTrove are apart.
TESTED := batch,browser,eval,fetch,mcp,serve,third-party,train

$(VENV)/.core: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Tamis needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade pip  # that of Python 3.11 knows no dependency groups
	$(PIP) install -e .
	touch $@

$(VENV)/.dev: pyproject.toml $(VENV)/.core
	$(PIP) install -e '.[$(TESTED),spark]' --group dev
	-$(PIP) install -e . --group examples  # without it, the tests of some examples are skipped
	touch $@

# The compiled modules, built again where their source changed. Without a C compiler this says so and succeeds.
kernels: $(VENV)/.dev
	$(BIN)/python hatch_build.py

demo: $(VENV)/.core
	$(BIN)/python examples/demo.py

# Where there is a C compiler, a compiled module that is missing or out of date fails the tests.
test: kernels lint types system-packages
	TAMIS_REQUIRE_COMPILED=$$($(BIN)/python hatch_build.py --has-compiler) $(BIN)/python -m pytest $(PARALLEL) $(EVERYTHING)
	TAMIS_PURE=1 $(BIN)/python -m pytest $(PARALLEL) $(UNCOMPILED)

# Coverage cannot follow Spark's own processes.
SPARK := tests/batch/test_contract.py tests/batch/test_spark.py

# The whole suite but Spark with branch coverage; fails below the floor of pyproject.toml. build/coverage has the lines.
coverage: kernels system-packages
	$(BIN)/python -m coverage erase
	$(BIN)/python -m pytest $(PARALLEL) $(EVERYTHING) --cov --cov-report=html:build/coverage --cov-report=term \
	  $(addprefix --ignore=,$(SPARK))

# The compiled modules with bounds checks, AddressSanitizer and UndefinedBehaviorSanitizer, in build/sanitize, against the
# hostile tests. Without Python's own allocator the sanitizer sees every object; a browser does not run under it.
HOSTILE := tests/contract tests/core/test_hostile.py tests/page tests/sift $(wildcard tests/attacks)
sanitize: $(VENV)/.dev
	$(BIN)/python hatch_build.py --sanitize
	PYTHONPATH=build/sanitize TAMIS_REQUIRE_COMPILED=1 TAMIS_SANITIZED=1 TAMIS_CHROMIUM=none \
	  PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0 \
	  LD_PRELOAD="$(foreach name,asan ubsan stdc++,$$($(CC) -print-file-name=lib$(name).so))" \
	  $(BIN)/python -m pytest $(PARALLEL) $(EVERYTHING) $(HOSTILE)

# Fuzz for SECONDS, with bounds checks and guided by coverage, in an environment of its own; then run every input that was
# found once more under the sanitizers, which hide the coverage. build/fuzz keeps corpora, logs and findings.
FUZZ := .venv-fuzz
SECONDS ?= 600
$(FUZZ)/.installed: pyproject.toml
	$(PYTHON) -m venv $(FUZZ)
	$(FUZZ)/bin/python -m pip --disable-pip-version-check -q install --upgrade pip
	TAMIS_PURE=1 $(FUZZ)/bin/python -m pip --disable-pip-version-check -q install '.[batch,fetch]' atheris
	touch $@

fuzz: $(VENV)/.dev $(FUZZ)/.installed
	$(BIN)/python hatch_build.py --bounds
	$(BIN)/python hatch_build.py --sanitize
	PYTHONPATH=build/bounds TAMIS_REQUIRE_COMPILED=1 $(FUZZ)/bin/python fuzz/run.py build/fuzz --seconds $(SECONDS)
	PYTHONPATH=build/sanitize TAMIS_REQUIRE_COMPILED=1 PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0 \
	  LD_PRELOAD="$(foreach name,asan ubsan stdc++,$$($(CC) -print-file-name=lib$(name).so))" \
	  $(FUZZ)/bin/python fuzz/run.py build/fuzz --seconds 0

# What tests need from the system, installed with apt-get (by root, or with sudo) where it is missing: a browser with
# fonts, and Java 17 for Spark. It says what it installs. Where it cannot, the tests that need it are skipped and say why.
system-packages: chromium java

APT_INSTALL = if [ "$$(id -u)" = 0 ]; then root=; else root="sudo -n"; fi; \
	  command -v apt-get >/dev/null && $$root apt-get -qq update >/dev/null 2>&1 && \
	  DEBIAN_FRONTEND=noninteractive $$root apt-get -qq install -y --no-install-recommends

chromium:
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || test -n "$$TAMIS_CHROMIUM" || { \
	  echo "apt-get installs chromium, fonts-noto-cjk and fonts-noto-core, for the tests that render pages"; \
	  $(APT_INSTALL) chromium fonts-noto-cjk fonts-noto-core >/dev/null 2>&1 || \
	  echo "apt-get cannot install chromium: tests that need a browser are skipped"; }

java:
	@command -v java >/dev/null || { \
	  echo "apt-get installs openjdk-17-jre-headless, for the tests of Spark"; \
	  $(APT_INSTALL) openjdk-17-jre-headless >/dev/null 2>&1 || \
	  echo "apt-get cannot install java: tests that need Spark are skipped"; }

# Ray, DataTrove and the newest Spark, in an environment of their own: they are large, and pin what others need newer.
ENGINES := .venv-engines
$(ENGINES)/.installed: pyproject.toml
	$(PYTHON) -m venv $(ENGINES)
	$(ENGINES)/bin/python -m pip --disable-pip-version-check -q install --upgrade pip
	$(ENGINES)/bin/python -m pip --disable-pip-version-check -q install -e '.[spark,ray]' --group datatrove \
	  'pytest>=8' 'pytest-timeout>=2.3' 'pytest-xdist>=3.5' 'hypothesis>=6.100'
	touch $@

test-engines: $(ENGINES)/.installed java
	$(ENGINES)/bin/python -m pytest $(EVERYTHING) $(SPARK) tests/batch/test_job.py tests/batch/test_ray.py \
	  tests/batch/test_datatrove.py

# The quick suite with the oldest versions of what pyproject.toml asks for. uv resolves them.
MINIMUM := .venv-minimum
$(MINIMUM)/.installed: pyproject.toml
	$(PYTHON) -m venv $(MINIMUM)
	$(MINIMUM)/bin/python -m pip --disable-pip-version-check -q install uv
	$(MINIMUM)/bin/uv pip install -q -p $(MINIMUM)/bin/python --resolution lowest-direct \
	  -e '.[$(TESTED)]' --group test
	touch $@

test-minimum: $(MINIMUM)/.installed
	$(MINIMUM)/bin/python hatch_build.py
	$(MINIMUM)/bin/python -m pytest $(PARALLEL) tests

# The documentation as a site: build/site/index.html. Built offline, and it asks no other host for anything.
docs: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet --site-dir build/site

# Everything that a release needs, in dist/: make release-check [PYTHONS="python3.13 /opt/python3.14t/bin/python3"]
RELEASE := .venv-release
$(RELEASE)/.installed: pyproject.toml
	$(PYTHON) -m venv $(RELEASE)
	$(RELEASE)/bin/python -m pip --disable-pip-version-check -q install --upgrade pip
	$(RELEASE)/bin/python -m pip --disable-pip-version-check -q install -e . --group release
	touch $@

release-check: $(RELEASE)/.installed
	$(RELEASE)/bin/python release/check.py $(PUBLISH) $(PYTHONS)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

types: $(VENV)/.dev
	$(BIN)/mypy

# make bench [CORPUS=folder]: speed beside third-party tools, in one run, as ratios
bench: kernels
	$(BIN)/python bench/speed.py $(CORPUS)

# make floors CORPORA=folder: the published figures, measured again on the corpora; fails when one is no longer true
floors: kernels
	$(BIN)/python bench/published.py $(CORPORA)

# Every golden and structure page, drawn by Chromium, beside its Markdown: build/gallery/index.html
gallery: $(VENV)/.dev chromium
	$(BIN)/python examples/gallery.py

clean:
	find src -name '_*.so' -delete
	rm -rf $(VENV) $(ENGINES) $(FUZZ) $(MINIMUM) $(RELEASE) build demo-output .pytest_cache .mypy_cache .ruff_cache .hypothesis dist
