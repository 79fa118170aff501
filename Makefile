# Two commands: `make demo` and `make test`. Both install what they need into .venv.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

LOOPS := $(wildcard src/tamis/*/walk.py src/tamis/*/scan.py src/tamis/*/fill.py src/tamis/*/_*.pxd) hatch_build.py

.PHONY: demo test lint types bench clean
.DELETE_ON_ERROR:

$(VENV)/.core: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Tamis needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade pip  # the one that comes with Python 3.11 stumbles over an extra that is asked for twice
	$(PIP) install -e .
	touch $@

$(VENV)/.dev: pyproject.toml $(VENV)/.core
	$(PIP) install -e '.[dev]'
	touch $@

# The hot loops, compiled again when they change; without a compiler everything runs as it stands.
$(VENV)/.loops: $(LOOPS) $(VENV)/.dev
	-$(BIN)/python hatch_build.py
	touch $@

demo: $(VENV)/.core
	$(BIN)/python examples/demo.py

test: $(VENV)/.loops lint types
	$(BIN)/python -m pytest -n 2
	TAMIS_PURE=1 $(BIN)/python -m pytest -n 2 tests/page tests/features tests/extractors tests/contract tests/test_floors.py

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

# make bench [CORPUS=folder]: speed beside peers, in one run, as ratios
bench: $(VENV)/.loops
	$(BIN)/python bench/speed.py $(CORPUS)

clean:
	find src -name '_*.so' -delete
	rm -rf $(VENV) build demo-output .pytest_cache .mypy_cache .ruff_cache .hypothesis dist
