# Everything is set up in .venv; needed are only Python 3.11 or later and make. `make help` lists the targets.

VENV  := .venv
BIN   := $(VENV)/bin
BUILD := build

# The first of these that is Python 3.11 or later; `make PYTHON=… test` names another.
CANDIDATES := python3 python3.14 python3.13 python3.12 python3.11 python
RECENT     := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON     ?= $(firstword $(foreach name,$(CANDIDATES),$(shell $(name) -c '$(RECENT)' 2>/dev/null && echo $(name))))
ANOTHER    := Name one: make PYTHON=/path/to/python3

# The versions in constraints.txt hold for what is installed and for what builds it.
export PIP_CONSTRAINT := constraints.txt
export PIP_BUILD_CONSTRAINT := constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# What polyseme installs (WordNet) and works out goes into .venv too, not into the user's own folders.
export POLYSEME_HOME := $(CURDIR)/$(VENV)/share/polyseme

# What tests use if it is there; `make EXTRAS=arrow,engines,demo,fast,plots,annotate,explore,browser,spark test` adds Spark, which needs Java.
EXTRAS ?= arrow,engines,demo,fast,plots,annotate,explore,browser
COMMA  := ,

CORE := $(VENV)/.core-installed
SHOWN := $(VENV)/.demo-installed
FULL := $(VENV)/.full-installed-$(subst $(COMMA),-,$(EXTRAS))
WRITTEN := pyproject.toml constraints.txt $(wildcard models/small/*.toml models/small/src/polyseme_small/*)

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test lint wordnet docs pictures notebooks bench dist clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 16

demo: $(SHOWN) ## find the senses of words in presidents' addresses since 1790 and write build/demo.html
	@$(BIN)/polyseme data install wordnet-3.1 || echo 'The page will be without WordNet.'
	@mkdir -p $(BUILD)
	@$(BIN)/polyseme demo -o $(BUILD)/demo.html

test: lint wordnet ## check style and types, then run all tests
	@echo '== pytest'
	@$(BIN)/python -m pytest -q -n 2

lint: $(FULL) ## check style and types
	@echo '== ruff check'
	@$(BIN)/ruff check .
	@echo '== ruff format'
	@$(BIN)/ruff format --check .
	@echo '== mypy'
	@$(BIN)/mypy

wordnet: $(CORE) ## install WordNet 3.0 and 3.1, which some tests need
	@echo '== WordNet'
	@for version in 3.0 3.1; do $(BIN)/polyseme data install wordnet-$$version || echo 'Its tests will be skipped.'; done

docs: $(FULL) ## build the documentation in build/docs
	@$(BIN)/python -m sphinx -q -W --keep-going -j 2 -b html -d $(BUILD)/doctrees docs $(BUILD)/docs
	@echo $(BUILD)/docs/index.html

pictures: $(FULL) ## take the pictures of the screens in docs/pictures again
	@rm -rf $(BUILD)/pictures && mkdir -p $(BUILD)/pictures
	@POLYSEME_SCREENSHOTS=$(CURDIR)/$(BUILD)/pictures $(BIN)/python -m pytest -q tests/browser
	@for file in $(notdir $(basename $(wildcard docs/pictures/*.png))); do \
	  for taken in $(BUILD)/pictures/$$file.png $(BUILD)/pictures/$$file-light.png; do \
	    if [ -f $$taken ]; then cp $$taken docs/pictures/$$file.png; fi; \
	  done; \
	done

notebooks: $(FULL) ## run the notebooks in examples/notebooks and write their outputs
	@$(BIN)/python tools/run_notebooks.py

bench: $(FULL) ## run the benchmarks in bench/
	@failed=; for file in bench/*.py; do \
	  echo "== $$file"; $(BIN)/python "$$file"; status=$$?; \
	  if [ $$status = 2 ]; then echo "$$file: left out, it needs something to be named or installed"; \
	  elif [ $$status != 0 ]; then failed="$$failed $$file"; fi; \
	done; if [ -n "$$failed" ]; then echo "failed:$$failed"; exit 1; fi

dist: $(BIN)/python ## build wheels and sdists of both packages, install them in empty environments and run the README's examples
	@$(BIN)/python tools/try_distribution.py

clean: ## remove what was built, and .venv
	@rm -rf $(BUILD) $(VENV) dist docs/reference/modules .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find src tests bench docs -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

$(BIN)/python:
	@test -n '$(PYTHON)' || { echo 'No Python 3.11 or later was found. $(ANOTHER)' >&2; exit 1; }
	@$(PYTHON) -c '$(RECENT)' || { echo '$(PYTHON) is not Python 3.11 or later. $(ANOTHER)' >&2; exit 1; }
	@echo '== new virtual environment in $(VENV)'
	@$(PYTHON) -m venv $(VENV)

$(CORE): pyproject.toml constraints.txt | $(BIN)/python
	@echo '== installing polyseme'
	@$(BIN)/python -m pip install -qq -e .
	@touch $@

# Each of these installs all in one go, polyseme itself too, as pip takes some seconds each time it is asked.
$(SHOWN): $(WRITTEN) | $(BIN)/python
	@echo '== installing polyseme and what the demonstration needs'
	@$(BIN)/python -m pip install -qq -e '.[demo,plots]' ./models/small
	@touch $(CORE) $@

$(FULL): $(WRITTEN) | $(BIN)/python
	@echo '== installing polyseme and what tests and documentation need'
	@$(BIN)/python -m pip install -qq -e '.[test,docs,$(EXTRAS)]' ./models/small
	@touch $(CORE) $@
