# Everything sets itself up: a virtual environment in .venv, packages, and (where permitted) Chromium for the tests.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CELL ?= cirsse
ROW ?= A3

.PHONY: help install run test test-slow check format bench schemas docs-pictures docs-tables fuzz soak clean system-packages

help:
	@echo "make run        start the default cell with its station (CELL=puma for another)"
	@echo "make test       run the tests"
	@echo "make check      format, lint, types, layers"
	@echo "make test-slow  long simulated times, about ten minutes"
	@echo "make bench      measure, one JSON line per figure"
	@echo "make fuzz       longer fuzzing of whatever reads files and bytes"
	@echo "make soak ROW=A3  one row of the table of figures, at most ten minutes (docs/reliability.md)"
	@echo "make docs-pictures  draw the pictures and tables of docs/motion.md"
	@echo "make docs-tables  write the tables of docs/grants.md and docs/bus.md"
	@echo "make install    only set up .venv"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Telecell needs Python 3.11 or newer; set PYTHON=python3.x"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "Cannot make a virtual environment; on Debian: apt-get install python3-venv"; exit 1; }

$(VENV)/.run: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.run

install: $(VENV)/.dev

run: $(VENV)/.run
	$(BIN)/telecell up $(CELL)

system-packages:
	@sh tools/system-packages.sh

test: $(VENV)/.dev system-packages
	$(BIN)/pytest -n 2 --dist loadfile -m "not slow and not real_time" $(ARGS)
	$(BIN)/pytest -m "real_time and not slow" $(ARGS)

test-slow: $(VENV)/.dev
	$(BIN)/pytest -n 2 -m slow $(ARGS)

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright
	$(BIN)/pytest -q tests/test_layers.py tests/test_exports.py

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

schemas: $(VENV)/.dev
	$(BIN)/python -m telecell.models.schema docs

docs-pictures: $(VENV)/.dev
	$(BIN)/python tools/draw_motion.py

docs-tables: $(VENV)/.dev
	$(BIN)/python tools/write_bus_tables.py

bench: $(VENV)/.dev
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[bench]' || echo "Robotics Toolbox not installed: its comparison is skipped"
	$(BIN)/python -m bench

fuzz: $(VENV)/.dev
	$(BIN)/python fuzz/fuzz_cell_files.py --runs 20000
	$(BIN)/python -m fuzz.fuzz_bytes --runs 50000
	$(BIN)/python -m fuzz.fuzz_requests --runs 500000

soak: $(VENV)/.dev
	$(BIN)/python -m soak $(ROW)

clean:
	rm -rf $(VENV) dist build .pytest_cache .ruff_cache .hypothesis
